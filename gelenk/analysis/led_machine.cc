#include "gelenk/analysis/led_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/base/bytes.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/base/index.h"
#include "gelenk/component/command_sizes.h"
#include "gelenk/system/compile.h"

namespace gelenk::analysis {
namespace {

// Nobody needs more slots; a number beyond this is a mistake.
constexpr int kMostSlots = 1000;

}  // namespace

component::CarrierSizes LedMachine::sizes() const {
  component::CarrierSizes sizes;
  if (!mounted_) return sizes;
  sizes.mounts = mounted_->system.mounts.size();
  sizes.switches = mounted_->problem->switch_count();
  sizes.outputs = mounted_->outputs->size();
  sizes.inputs = input_count_;
  sizes.signals = mounted_->told.size();
  return sizes;
}

bool LedMachine::has_right_slots(const gelenk_command& c) const {
  const auto is_state = [&](int slot) { return slot >= 0 && slot < states_; };
  const auto is_rate = [&](int slot) { return slot >= 0 && slot < rates_; };
  const auto has_terms = [&] {
    for (std::size_t i = 1; i < c.in_count; i += 2) {
      if (!(c.in[i] >= 0.0 && c.in[i] < rates_)) return false;
    }
    return true;
  };
  // Groups of five, the first ones not terms.
  const auto has_stage_terms = [&](std::size_t first) {
    for (std::size_t i = first; i < c.in_count; i += integrate::kStageTermSize) {
      if (!(c.in[i] >= 0.0 && c.in[i] < rates_)) return false;
    }
    return true;
  };
  const bool is_posed = c.slot == -1 || is_state(c.slot);
  switch (c.code) {
    case GELENK_RESERVE:
      return c.slot >= 0 && c.slot <= kMostSlots && c.other >= 0 && c.other <= kMostSlots &&
             c.flags <= (GELENK_LINEAR | GELENK_STAGES);
    case GELENK_START:
    case GELENK_SETTLE:
    case GELENK_CROSS:
    case GELENK_SLACKS:
    case GELENK_OUTPUTS:
      return is_state(c.slot);
    case GELENK_COPY:
      return is_state(c.slot) && is_state(c.other);
    case GELENK_COMBINE:
    case GELENK_ERROR_NORM:
      return is_state(c.slot) && is_state(c.other) && has_terms();
    case GELENK_COMBINE_RATES:
      return is_rate(c.other) && has_terms();
    case GELENK_FACTOR:
      return is_posed && c.flags <= GELENK_KEEP_RANK;
    case GELENK_LOAD:
    case GELENK_RESIDUAL:
    case GELENK_TEST_LOAD:
    case GELENK_FORGET:
      return is_posed;
    case GELENK_UP:
    case GELENK_DOWN:
      return is_posed && c.flags <= GELENK_REST;
    case GELENK_RIGHT_SIDE:
      return is_state(c.slot) && c.flags <= GELENK_IMPULSES;
    case GELENK_TAKE:
      return is_state(c.slot) && c.flags <= GELENK_IMPULSES && (c.flags != GELENK_ACCELERATIONS || is_rate(c.other));
    case GELENK_COMBINE_STAGE:
      return is_state(c.slot) && is_state(c.other) && has_stage_terms(0);
    case GELENK_NEWTON:
      return is_state(c.slot) && c.flags <= GELENK_AT_STAGE;
    case GELENK_NEWTON_RIGHT_SIDE:
      return is_rate(c.other);
    case GELENK_NEWTON_TAKE:
      return is_rate(c.slot) && is_rate(c.other);
    case GELENK_STAGE_BEGIN:
      return is_state(c.slot) && is_state(c.other) && c.in_count >= integrate::kStageTermSize && c.in[2] >= 0.0 &&
             c.in[2] < rates_ && has_stage_terms(integrate::kStageTermSize);
    case GELENK_FLIP:
      return is_state(c.slot) && c.other < static_cast<int>(mounted_->problem->switch_count());
    default:
      return true;
  }
}

gelenk_status LedMachine::perform(std::span<const gelenk_command> commands, std::size_t& done) {
  done = 0;
  if (!mounted_) return refuse("it is not mounted");
  const component::CarrierSizes sizes = this->sizes();
  for (gelenk_command command : commands) {
    const component::CommandRow* const row = component::find_row(command.code);
    if (row == nullptr) {
      keep_error("an unknown command");
      return GELENK_UNKNOWN;
    }
    if (!component::has_right_sizes(*row, command, sizes) || !has_right_slots(command)) {
      return refuse("a command has wrong slots or sizes");
    }
    if (command.out == nullptr) {  // not wanted, but found all the same
      unwanted_.resize(row->out(sizes));
      command.out = unwanted_.data();
      command.out_count = unwanted_.size();
    }
    const gelenk_status status = perform(command);
    if (status != GELENK_OK) return status;
    ++done;
  }
  return GELENK_OK;
}

gelenk_status LedMachine::perform(const gelenk_command& c) {
  MachineProblem& problem = *mounted_->problem;
  const bool leaves_solution =
      c.code == GELENK_UP || c.code == GELENK_RESIDUAL || c.code == GELENK_TAKE || c.code == GELENK_OUTPUTS;
  if (!leaves_solution) solved_slot_ = kNoSlot;
  switch (c.code) {
    case GELENK_RESERVE:
      states_ = std::max(states_, static_cast<int>(c.slot));
      rates_ = std::max(rates_, static_cast<int>(c.other));
      if ((c.flags & GELENK_STAGES) != 0) problem.implicit();
      problem.reserve(c.slot, c.other,
                      (c.flags & GELENK_LINEAR) != 0 ? integrate::Chart::linear : integrate::Chart::exponential);
      given_.reserve(at(c.slot), at(c.other));
      return GELENK_OK;
    case GELENK_START:
      problem.set_state(c.slot, mounted_->start, mounted_->sealed_start);
      open_books(c.slot);
      return GELENK_OK;
    case GELENK_COPY:
      problem.copy(c.slot, c.other);
      given_.copy(at(c.slot), at(c.other));
      return GELENK_OK;
    case GELENK_COMBINE:
    case GELENK_COMBINE_RATES:
    case GELENK_COMBINE_STAGE:
    case GELENK_ERROR_NORM:
      return combine(c);
    case GELENK_DRAWN:
      tell_drawn({c.out, c.out_count});
      return GELENK_OK;
    case GELENK_LOAD:
      return load(c);
    case GELENK_FACTOR:
      problem.factor_for_owner(c.slot, {c.in[0], c.flags == GELENK_DECIDE_RANK}, {c.out, c.out_count});
      return GELENK_OK;
    case GELENK_RIGHT_SIDE: {
      right_side_ = static_cast<gelenk_right_side>(c.flags);
      const Equations::Gap gap = problem.put_right_side(c.slot, right_side_);
      c.out[0] = gap.enforced;
      c.out[1] = gap.dropped;
      return right_side_ == GELENK_ACCELERATIONS ? code_status(c.slot) : GELENK_OK;
    }
    case GELENK_UP:
    case GELENK_DOWN:
    case GELENK_RESIDUAL:
    case GELENK_TEST_LOAD:
    case GELENK_FORGET:
      return sweep(c);
    case GELENK_TAKE:
      if (c.flags == GELENK_ACCELERATIONS) given_.set_power(at(c.other), power_of_mounts(c.slot));
      return problem.take_result(c.slot, static_cast<gelenk_right_side>(c.flags), c.other) ? GELENK_OK
                                                                                           : GELENK_NOT_SOLVABLE;
    case GELENK_SETTLE:
      problem.settle(c.slot);
      // Its owner puts it onto his constraints before he starts.
      if (problem.state(c.slot).time == start_time_) open_books(c.slot);
      return GELENK_OK;
    case GELENK_NEXT_JUMP:
      c.out[0] = problem.next_discontinuity(c.time);
      return GELENK_OK;
    case GELENK_CROSS:
      if (c.flags == GELENK_ALL_SIDES) {
        problem.set_all_sides(c.slot);
      } else {
        problem.cross(c.slot);
      }
      return GELENK_OK;
    case GELENK_SLACKS:
      problem.slacks(c.slot, {c.out, c.out_count});
      return GELENK_OK;
    case GELENK_FLIP:
      if (c.other < 0) {
        problem.mark_event(c.slot);
      } else {
        problem.flip(c.slot, at(c.other));
      }
      return GELENK_OK;
    case GELENK_OUTPUTS:
      return tell_outputs(c.slot, {c.out, c.out_count});
    case GELENK_NEWTON:
    case GELENK_NEWTON_RIGHT_SIDE:
    case GELENK_NEWTON_UP:
    case GELENK_NEWTON_DOWN:
    case GELENK_NEWTON_TAKE:
      return newton(c);
    case GELENK_STAGE_BEGIN:
    case GELENK_STAGE_PLACE:
    case GELENK_STAGE_LOADS:
    case GELENK_STAGE_TAKE:
    case GELENK_STAGE_END:
      return stage(c);
    default:
      keep_error("a command that it does not know yet");
      return GELENK_UNKNOWN;
  }
}

// Forces were just computed.
gelenk_status LedMachine::code_status(int slot) {
  switch (mounted_->problem->equations_of(slot).workspace().code.outcome) {
    case system::CodeOutcome::good:
      return GELENK_OK;
    case system::CodeOutcome::no_answer:
      keep_error(code_ ? "its code returned no result" : "its code is missing");
      return code_ ? GELENK_NOT_SOLVABLE : GELENK_FAILED;
    case system::CodeOutcome::broken_numbers:
      keep_error("its code returns values that are not finite");
      return GELENK_FAILED;
  }
  return GELENK_FAILED;
}

gelenk_status LedMachine::combine(const gelenk_command& c) {
  MachineProblem& problem = *mounted_->problem;
  if (c.code == GELENK_COMBINE_STAGE) {
    const std::vector<integrate::StageTerm> terms = integrate::stage_terms({c.in, c.in_count});
    problem.combine_stage(c.slot, c.time, terms, c.other);
    given_.combine_stage(at(c.slot), terms, at(c.other));
    return GELENK_OK;
  }
  terms_.clear();
  for (std::size_t i = 0; i < c.in_count; i += 2) terms_.push_back({c.in[i], static_cast<int>(c.in[i + 1])});
  if (c.code == GELENK_COMBINE) {
    problem.combine(c.slot, c.time, terms_, c.other);
    given_.combine(at(c.slot), terms_, at(c.other));
  } else if (c.code == GELENK_COMBINE_RATES) {
    problem.combine_rates(terms_, c.other);
    given_.combine_rates(terms_, at(c.other));
  } else {
    const integrate::Norm norm = problem.error_norm(c.slot, c.other, terms_);
    c.out[0] = norm.sum;
    c.out[1] = static_cast<double>(norm.count);
  }
  return GELENK_OK;
}

gelenk_status LedMachine::sweep(const gelenk_command& c) {
  solve::ComponentSolver& solver = mounted_->problem->equations_of(c.slot).components();
  const solve::NodeFunctions root = solver.functions();
  const auto load = c.flags == GELENK_REST ? solve::NodeLoad::rest : solve::NodeLoad::given;
  switch (c.code) {
    case GELENK_UP:
      root.up(root.self, load, c.out);
      break;
    case GELENK_DOWN:
      root.down(root.self, load, c.in, c.out);
      // The rest of a load is added to what was given before.
      for (std::size_t i = 0; i < loads_.size(); ++i) {
        loads_[i] = load == solve::NodeLoad::rest ? loads_[i] + c.in[i] : c.in[i];
      }
      if (right_side_ == GELENK_ACCELERATIONS) solved_slot_ = c.slot;
      break;
    case GELENK_RESIDUAL: {
      const solve::NodeResidual left = root.residual(root.self);
      const double told[6] = {left.forces, left.inertial_forces, left.rows, left.dropped, left.change, left.motion};
      std::copy_n(told, 6, c.out);
      break;
    }
    case GELENK_TEST_LOAD:
      root.make_test_load(root.self, c.other, c.out);
      break;
    default:
      solver.forget();
  }
  return GELENK_OK;
}

// Inputs stay until others are given. What was computed with the former ones is computed again with the forces.
gelenk_status LedMachine::load(const gelenk_command& c) {
  if (c.in_count > 0) mounted_->params.inputs.assign(c.in, c.in + c.in_count);
  mounted_->problem->load_parts(c.slot, c.flags);
  const int seen = c.flags == 0 ? integrate::Integrator::kOutputState : c.slot;
  const std::size_t motions = mechanics::kPortMotion * mounted_->system.mounts.size();
  tell_motions(seen, {c.out, motions});
  if (!mounted_->told.empty()) tell_signals(c.slot, seen, std::span(c.out, c.out_count).subspan(motions));
  return (c.flags & GELENK_FORCES) != 0 ? code_status(c.slot) : GELENK_OK;
}

void LedMachine::tell_motions(int slot, std::span<double> out) {
  const mechanics::Workspace& workspace = mounted_->problem->equations_of(slot).workspace();
  const std::vector<system::Mount>& mounts = mounted_->system.mounts;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    mechanics::tell_port_motion(workspace, at(workspace.ports.at_frame(mounts[i].frame)),
                                &out[mechanics::kPortMotion * i]);
  }
}

// seen: the slot whose equations have its motion.
void LedMachine::tell_signals(int slot, int seen, std::span<double> out) {
  MachineProblem& problem = *mounted_->problem;
  const bool is_drawn = slot < 0;
  const system::State drawn = is_drawn ? system::drawn_state(mounted_->system, mounted_->params) : system::State{};
  const mechanics::Context context{mounted_->system, mounted_->params, is_drawn ? drawn : problem.state(slot)};
  const mechanics::View<double> now = mechanics::view(context, problem.equations_of(seen).workspace());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = now.signal(mounted_->told[i]);
}

void LedMachine::tell_drawn(std::span<double> out) {
  MachineProblem& problem = *mounted_->problem;
  problem.load_parts(-1, 0);
  tell_motions(-1, out);
  Equations& equations = problem.equations_of(-1);
  const solve::Plan& plan = *equations.plan();
  const std::vector<system::Mount>& mounts = mounted_->system.mounts;
  std::size_t next = mechanics::kPortMotion * mounts.size();
  for (const system::Mount& mount : mounts) {
    const BodyMass& mass = solve::mass_behind(plan, equations.workspace().ports.at_frame(mount.frame));
    out[next++] = solve::rounded_reference(mass.mass);
    out[next++] = solve::rounded_reference(mass.mean_inverse_inertia);
  }
  equations.components().factor_planned(plan.tau);
  const std::span<const double> D = equations.components().mobility();
  std::copy(D.begin(), D.end(), out.begin() + static_cast<std::ptrdiff_t>(next));
  equations.components().forget();
}

mechanics::Energy LedMachine::energy_of(int slot) {
  MachineProblem& problem = *mounted_->problem;
  problem.load_parts(slot, 0);
  return mechanics::energy({mounted_->system, mounted_->params, problem.state(slot)},
                           problem.equations_of(integrate::Integrator::kOutputState).workspace());
}

void LedMachine::open_books(int slot) {
  mounted_->problem->start_work(slot);
  given_.set(at(slot), 0.0);
  start_energy_ = energy_of(slot).total();
}

double LedMachine::power_of_mounts(int slot) {
  tell_motions(slot, mount_motions_);
  double power = 0.0;
  for (std::size_t m = 0; m < mounted_->system.mounts.size(); ++m) {
    // Velocity and angular velocity are the last six.
    const double* const velocity = &mount_motions_[mechanics::kPortMotion * (m + 1) - 6];
    for (std::size_t i = 0; i < 6; ++i) power += loads_[6 * m + i] * velocity[i];
  }
  return power;
}

gelenk_status LedMachine::tell_outputs(int slot, std::span<double> out) {
  if (solved_slot_ != slot) return refuse("outputs come after the accelerations of their state");
  SealedStates::Told inside;  // they answer first: what comes next looks at them again
  mounted_->problem->tell_sealed(slot, inside);
  mounted_->outputs->tell(*mounted_->problem, slot, out);
  const mechanics::Energy energy = energy_of(slot);
  const mechanics::Work work = mechanics::work(mounted_->system, mounted_->problem->state(slot), energy);
  out[out.size() - 2] = given_[at(slot)];
  out.back() = energy.total() - start_energy_ - given_[at(slot)] - work.total();
  if (mounted_->inside.empty()) return GELENK_OK;
  // What went on into components inside is theirs; the errors of their books are added to that of ours.
  out.back() += inside.received;
  out.back() += out.back() < 0.0 ? -inside.error : inside.error;
  return GELENK_OK;
}

std::string LedMachine::read(gelenk_bytes what, std::int32_t slot) const {
  ByteWriter out;
  if (what == GELENK_STATE && slot >= 0 && slot < states_) {
    mounted_->problem->save_state(slot, out);
    given_.save_state(at(slot), out);
  }
  if (what == GELENK_RATE && slot >= 0 && slot < rates_) {
    mounted_->problem->save_rate(slot, out);
    given_.save_rate(at(slot), out);
  }
  return out.bytes();
}

bool LedMachine::write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) {
  ByteReader in(bytes);
  if (what == GELENK_STATE && slot >= 0 && slot < states_) {
    mounted_->problem->load_state(slot, in);
    given_.load_state(at(slot), in);
  } else if (what == GELENK_RATE && slot >= 0 && slot < rates_) {
    mounted_->problem->load_rate(slot, in);
    given_.load_rate(at(slot), in);
  } else {
    return false;
  }
  return in.is_complete();
}

}  // namespace gelenk::analysis
