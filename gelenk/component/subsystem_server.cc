#include "gelenk/component/subsystem_server.h"

#include <algorithm>
#include <cmath>

#include "gelenk/component/command_sizes.h"

namespace gelenk::component {
namespace {

using subsystem::RightSide;

// Nobody needs more slots; a number beyond this is a mistake.
constexpr int kMostSlots = 1000;

gelenk_status status_of(bool is_solved) { return is_solved ? GELENK_OK : GELENK_NOT_SOLVABLE; }

// Iterations that do not converge end in no-numbers, which must not cross the border.
bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

solve::NodeLoad load_of(const gelenk_command& c) {
  return c.flags == GELENK_REST ? solve::NodeLoad::rest : solve::NodeLoad::given;
}

}  // namespace

SubsystemServer::SubsystemServer(subsystem::Subsystem& served) : served_(served) {
  const subsystem::Shape& shape = served.shape();
  sizes_.mounts = shape.ports;
  sizes_.shafts = shape.shafts;
  sizes_.switches = shape.switches;
  sizes_.outputs = shape.outputs;
  sizes_.inputs = shape.inputs;
  sizes_.signals = shape.signals;
}

bool SubsystemServer::has_right_slots(const gelenk_command& c) const {
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
      return is_state(c.slot) && c.other < static_cast<int>(sizes_.switches);
    default:
      return true;
  }
}

gelenk_status SubsystemServer::perform(std::span<const gelenk_command> commands, std::size_t& done) {
  done = 0;
  for (gelenk_command command : commands) {
    const CommandRow* const row = find_row(command.code);
    if (row == nullptr) {
      error_ = "an unknown command";
      return GELENK_UNKNOWN;
    }
    if (!has_right_sizes(*row, command, sizes_) || !has_right_slots(command)) {
      return refuse("a command has wrong slots or sizes");
    }
    if (command.out == nullptr) {  // not wanted, but found all the same
      unwanted_.resize(row->out(sizes_));
      command.out = unwanted_.data();
      command.out_count = unwanted_.size();
    }
    const gelenk_status status = perform(command);
    if (status == GELENK_NOT_SOLVABLE) error_ = served_.trouble();
    if (status != GELENK_OK) return status;
    ++done;
  }
  return GELENK_OK;
}

gelenk_status SubsystemServer::perform(const gelenk_command& c) {
  const bool leaves_solution =
      c.code == GELENK_UP || c.code == GELENK_RESIDUAL || c.code == GELENK_TAKE || c.code == GELENK_OUTPUTS;
  if (!leaves_solution) solved_slot_ = kNoSlot;
  try {
    switch (c.code) {
      case GELENK_RESERVE:
      case GELENK_START:
      case GELENK_COPY:
      case GELENK_COMBINE:
      case GELENK_COMBINE_RATES:
      case GELENK_COMBINE_STAGE:
      case GELENK_ERROR_NORM:
        return states(c);
      case GELENK_DRAWN:
      case GELENK_LOAD:
      case GELENK_RIGHT_SIDE:
      case GELENK_TAKE:
      case GELENK_SETTLE:
        return evaluation(c);
      case GELENK_FACTOR:
      case GELENK_UP:
      case GELENK_DOWN:
      case GELENK_RESIDUAL:
      case GELENK_TEST_LOAD:
      case GELENK_FORGET:
        return sweep(c);
      case GELENK_NEXT_JUMP:
      case GELENK_CROSS:
      case GELENK_SLACKS:
      case GELENK_FLIP:
        return events(c);
      case GELENK_OUTPUTS:
        return outputs(c);
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
        error_ = "a command that it does not know yet";
        return GELENK_UNKNOWN;
    }
  } catch (const ComponentFailure&) {
    throw;  // of a component inside
  } catch (const subsystem::Failure& failure) {
    error_ = failure.what();
    return GELENK_FAILED;
  }
}

std::span<const integrate::Term> SubsystemServer::terms_of(const gelenk_command& c) {
  terms_.clear();
  for (std::size_t i = 0; i < c.in_count; i += 2) terms_.push_back({c.in[i], static_cast<int>(c.in[i + 1])});
  return terms_;
}

gelenk_status SubsystemServer::states(const gelenk_command& c) {
  subsystem::States& states = served_.states();
  switch (c.code) {
    case GELENK_RESERVE:
      states_ = std::max(states_, static_cast<int>(c.slot));
      rates_ = std::max(rates_, static_cast<int>(c.other));
      states.reserve(c.slot, c.other,
                     (c.flags & GELENK_LINEAR) != 0 ? integrate::Chart::linear : integrate::Chart::exponential,
                     (c.flags & GELENK_STAGES) != 0);
      break;
    case GELENK_START:
      states.start(c.slot);
      break;
    case GELENK_COPY:
      states.copy(c.slot, c.other);
      break;
    case GELENK_COMBINE:
      states.combine(c.slot, c.time, terms_of(c), c.other);
      break;
    case GELENK_COMBINE_RATES:
      states.combine_rates(terms_of(c), c.other);
      break;
    case GELENK_COMBINE_STAGE:
      stage_terms_ = integrate::stage_terms({c.in, c.in_count});
      states.combine_stage(c.slot, c.time, stage_terms_, c.other);
      break;
    default: {
      const integrate::Norm norm = states.error_norm(c.slot, c.other, terms_of(c));
      c.out[0] = norm.sum;
      c.out[1] = static_cast<double>(norm.count);
    }
  }
  return GELENK_OK;
}

gelenk_status SubsystemServer::events(const gelenk_command& c) {
  subsystem::Events& events = served_.events();
  switch (c.code) {
    case GELENK_NEXT_JUMP:
      c.out[0] = events.next_jump(c.time);
      break;
    case GELENK_CROSS:
      if (c.flags == GELENK_ALL_SIDES) {
        events.set_all_sides(c.slot);
      } else {
        events.cross(c.slot);
      }
      break;
    case GELENK_SLACKS:
      events.slacks(c.slot, {c.out, c.out_count});
      break;
    default:
      if (c.other < 0) {
        events.mark_event(c.slot);
      } else {
        events.flip(c.slot, static_cast<std::size_t>(c.other));
      }
  }
  return GELENK_OK;
}

gelenk_status SubsystemServer::evaluation(const gelenk_command& c) {
  subsystem::Evaluation& evaluation = served_.evaluation();
  switch (c.code) {
    case GELENK_DRAWN:
      show_drawing({c.out, c.out_count});
      return GELENK_OK;
    case GELENK_LOAD:
      return status_of(evaluation.load(c.slot, c.flags, {c.in, c.in_count}, {c.out, c.out_count}));
    case GELENK_RIGHT_SIDE: {
      right_side_ = static_cast<RightSide>(c.flags);
      subsystem::Gap gap;
      const bool is_solved = evaluation.put_right_side(c.slot, right_side_, gap);
      c.out[0] = gap.enforced;
      c.out[1] = gap.dropped;
      return status_of(is_solved);
    }
    case GELENK_TAKE:
      if (c.flags == GELENK_ACCELERATIONS) return status_of(evaluation.take_accelerations(c.slot, c.other));
      evaluation.take(c.slot, static_cast<RightSide>(c.flags));
      return GELENK_OK;
    default:
      evaluation.settle(c.slot);
      return GELENK_OK;
  }
}

void SubsystemServer::show_drawing(std::span<double> out) {
  const subsystem::Drawing drawing = served_.evaluation().drawn();
  auto next = std::copy(drawing.motions.begin(), drawing.motions.end(), out.begin());
  next = std::copy(drawing.references.begin(), drawing.references.end(), next);
  std::copy(drawing.D.begin(), drawing.D.end(), next);
}

gelenk_status SubsystemServer::sweep(const gelenk_command& c) {
  subsystem::Sweeps& sweeps = served_.sweeps();
  switch (c.code) {
    case GELENK_FACTOR: {
      subsystem::FactorReport report;
      const bool is_solved = sweeps.factor(c.slot, {c.in[0], c.flags == GELENK_DECIDE_RANK}, c.out, report);
      double* const behind = c.out + c.out_count - 3;
      behind[0] = report.is_chosen_again ? 1.0 : 0.0;
      behind[1] = report.smallest;
      behind[2] = static_cast<double>(report.rank);
      return status_of(is_solved);
    }
    case GELENK_UP:
      return status_of(sweeps.up(c.slot, load_of(c), c.out));
    case GELENK_DOWN: {
      const bool is_solved = sweeps.down(c.slot, load_of(c), c.in, c.out);
      if (right_side_ == RightSide::accelerations) solved_slot_ = c.slot;
      return status_of(is_solved);
    }
    case GELENK_RESIDUAL: {
      solve::NodeResidual left;
      const bool is_solved = sweeps.residual(c.slot, left);
      const double numbers[6] = {left.forces, left.inertial_forces, left.rows, left.dropped, left.change, left.motion};
      std::copy_n(numbers, 6, c.out);
      return status_of(is_solved);
    }
    case GELENK_TEST_LOAD:
      return status_of(sweeps.make_test_load(c.slot, c.other, c.out));
    default:
      sweeps.forget(c.slot);
      return GELENK_OK;
  }
}

gelenk_status SubsystemServer::newton(const gelenk_command& c) {
  subsystem::Newton* const newton = served_.newton();
  if (newton == nullptr) return refuse("it runs with explicit methods only");
  const std::span<const double> in(c.in, c.in_count);
  const std::span<double> out(c.out, c.out_count);
  bool is_solved = false;
  switch (c.code) {
    case GELENK_NEWTON: {
      const auto at = c.flags == GELENK_AT_STAGE ? subsystem::Newton::At::stage : subsystem::Newton::At::state;
      return status_of(newton->factor({c.slot, at, in[0], in[1], in.subspan(2)}, c.out));
    }
    case GELENK_NEWTON_RIGHT_SIDE:
      is_solved = newton->put_right_side(c.other, out);
      break;
    case GELENK_NEWTON_UP:
      is_solved = newton->up(c.out);
      break;
    case GELENK_NEWTON_DOWN:
      is_solved = newton->down(c.in, c.out);
      break;
    default:
      is_solved = newton->take(c.slot, c.other);
  }
  return status_of(is_solved && all_finite(out));
}

gelenk_status SubsystemServer::stage(const gelenk_command& c) {
  subsystem::Newton* const newton = served_.newton();
  if (newton == nullptr) return refuse("it runs with explicit methods only");
  bool is_solved = false;
  switch (c.code) {
    case GELENK_STAGE_BEGIN:
      stage_terms_ = integrate::stage_terms(std::span(c.in, c.in_count).subspan(integrate::kStageTermSize));
      is_solved = newton->begin_stage({.from = c.slot,
                                       .to = c.other,
                                       .time = c.time,
                                       .known = stage_terms_,
                                       .position_gain = c.in[0],
                                       .velocity_gain = c.in[1],
                                       .rate = static_cast<int>(c.in[2])});
      break;
    case GELENK_STAGE_PLACE:
      is_solved = newton->place_stage();
      break;
    case GELENK_STAGE_LOADS:
      is_solved = newton->put_stage_loads({c.in, c.in_count}, c.out[0]);
      break;
    case GELENK_STAGE_TAKE:
      is_solved = newton->take_stage(c.out[0]);
      break;
    default:
      is_solved = newton->end_stage();
  }
  return status_of(is_solved && all_finite({c.out, c.out_count}));
}

gelenk_status SubsystemServer::outputs(const gelenk_command& c) {
  if (solved_slot_ != c.slot) return refuse("outputs come after the accelerations of their state");
  const std::span<double> out(c.out, c.out_count);
  const subsystem::Books books = served_.outputs().read(c.slot, out.first(out.size() - 2));
  out[out.size() - 2] = books.received;
  out.back() = books.error;
  return GELENK_OK;
}

bool SubsystemServer::has_slot(gelenk_bytes what, std::int32_t slot) const {
  const int count = what == GELENK_STATE ? states_ : what == GELENK_RATE ? rates_ : 0;
  return slot >= 0 && slot < count;
}

std::string SubsystemServer::read(gelenk_bytes what, std::int32_t slot) const {
  if (!has_slot(what, slot)) return {};
  return served_.states().read(what == GELENK_STATE ? subsystem::States::Kept::state : subsystem::States::Kept::rate,
                               slot);
}

bool SubsystemServer::write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) {
  if (!has_slot(what, slot)) return false;
  return served_.states().write(what == GELENK_STATE ? subsystem::States::Kept::state : subsystem::States::Kept::rate,
                                slot, bytes);
}

}  // namespace gelenk::component
