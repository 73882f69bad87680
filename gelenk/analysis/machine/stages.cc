#include "gelenk/analysis/machine/stages.h"

#include <algorithm>
#include <cmath>

#include "gelenk/analysis/code_outcome.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/couplings.h"

namespace gelenk::analysis {
namespace {

// A stage is solved when what further iterations would change is below this (machine lengths, rad).
constexpr double kSolved = 1e-13;
// Rounding of stiff forces may keep the iteration from getting there; it may then end at this.
constexpr double kSolvedToRounding = 1e-9;
// Slower than this, the matrix is made again at the latest state.
constexpr double kSlow = 0.25;
constexpr int kMostNewtonIterations = 20;

// How an iteration goes, from the sizes of its changes.
class Convergence {
 public:
  enum class Verdict { go_on, solved, hopeless };

  Verdict next(double size) {
    if (!std::isfinite(size)) return Verdict::hopeless;
    const double rate = previous_ > 0.0 ? size / previous_ : 1.0;
    const bool is_stuck = previous_ > 0.0 && rate > 0.5;
    previous_ = size;
    is_slow_ = rate > kSlow;
    if (size <= kSolved || (rate < 0.5 && size * rate / (1.0 - rate) <= kSolved)) return Verdict::solved;
    if (is_stuck && size <= kSolvedToRounding) return Verdict::solved;
    return Verdict::go_on;
  }
  bool is_slow() const { return is_slow_; }

 private:
  double previous_ = 0.0;
  bool is_slow_ = false;
};

}  // namespace

MachineStages::MachineStages(const system::System& system, const system::Params& params, MachineSlots& slots,
                             MachineDynamics& dynamics, SubsystemStates& subsystems)
    : system_(system),
      params_(params),
      slots_(slots),
      dynamics_(dynamics),
      subsystems_(subsystems),
      state_newton_(system, params),
      multipliers_(system.row_count(), 0.0) {}

void MachineStages::combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) {
  subsystems_.combine_stage(from, time, terms, to);
  slots_.combine_stage(from, time, terms, to);
}

ImplicitEquations& MachineStages::implicit_equations() {
  if (!implicit_equations_) {
    implicit_equations_ =
        std::make_unique<ImplicitEquations>(system_, params_, dynamics_.equations().workspace().ports,
                                            dynamics_.equations().plan(), &dynamics_.equations().subsystems());
  }
  return *implicit_equations_;
}

// The residual of M a = F + Gᵀλ -> forces_, and of the accepted rows -> row_motions_, at the state loaded. What acts at
// ports is counted on their bodies, with the arms of now: the matrix may be one of an earlier iteration. `outside`:
// loads of an owner on the ports. Returns by how much states of first order change.
double MachineStages::stage_residual(std::span<const double> outside) {
  const system::State& state = slots_[stage_.to].state;
  const std::size_t bodies = system_.bodies.size();
  const std::span<double> rate = slots_.rate(stage_.rate);
  mechanics::Workspace& workspace = dynamics_.equations().workspace();
  const mechanics::Context context{system_, params_, state};
  mechanics::update_forces(context, workspace);
  forces_ = workspace.forces;
  for (std::size_t i = 0; i < outside.size(); ++i) forces_[6 * bodies + i] += outside[i];
  subtract_inertia(rate.subspan(6 * bodies, 6 * bodies));
  add_row_forces(context);
  mechanics::move_port_forces(workspace.ports, workspace.port_arms, forces_);
  dynamics_.equations().subsystems().give_inputs(context, 0, workspace);
  mechanics::coupling_loads_on_shafts(system_, workspace, multipliers_, shaft_loads_);
  const double inside =
      dynamics_.equations().subsystems().send_stage_loads(std::span(forces_).subspan(6 * bodies), shaft_loads_);
  return std::max(inside, stage_extra_change(state, stage_.velocity_gain, rate.subspan(12 * bodies)));
}

// forces_ -= M a, a six per body.
void MachineStages::subtract_inertia(std::span<const double> a) {
  const mechanics::Workspace& workspace = dynamics_.equations().workspace();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const Matrix3& R = workspace.bodies[b].R;
    const Vector3 alpha = Vector3::Map(&a[6 * b + 3]);
    const Vector3 moment = R * (params_.bodies[b].inertia() * (R.transpose() * alpha));
    for (std::size_t k = 0; k < 3; ++k) {
      forces_[6 * b + k] -= params_.bodies[b].mass * a[6 * b + k];
      forces_[6 * b + 3 + k] -= moment(static_cast<int>(k));
    }
  }
}

// forces_ += Gᵀλ of the accepted rows, whose residuals become row_motions_.
void MachineStages::add_row_forces(const mechanics::Context& context) {
  mechanics::Workspace& workspace = dynamics_.equations().workspace();
  row_values_.resize(system_.row_count());
  mechanics::row_values(context, workspace, row_values_);
  row_motions_.clear();
  mechanics::add_coupling_forces(system_, workspace, multipliers_, forces_);
  for (const std::int32_t row : newton_rows_) {
    if (system_.coupling_of_row(row) >= 0) {
      row_motions_.push_back(-row_values_[at(row)] / stage_.position_gain);
      continue;
    }
    const RowBlock& G = workspace.blocks[at(row)];
    const RowBodies ends = implicit_equations().row_ends()[at(row)];
    const auto push = [&](std::int32_t end, const std::array<double, 6>& values) {
      if (end == system::kGround) return;
      for (std::size_t k = 0; k < 6; ++k) forces_[6 * at(end) + k] += multipliers_[at(row)] * values[k];
    };
    push(ends.a, G.a);
    push(ends.b, G.b);
    if (system_.rows[at(row)].is_of_velocity()) {
      row_motions_.push_back(-mechanics::rate_of_row(context, workspace, at(row)) / stage_.velocity_gain);
    } else {
      row_motions_.push_back(-row_values_[at(row)] / stage_.position_gain);
    }
  }
}

void MachineStages::begin_stage(const integrate::Stage& stage) {
  stage_ = stage;
  stage_.known = {};  // they are summed up here
  slots_.sum_stage(stage.known);
  known_ = slots_.offset();
  const MachineSlot& base = slots_[stage.from];
  solve::independent_rows(base.pivots, system_.row_count(), newton_rows_);
  multipliers_ = base.multipliers;
  multipliers_.resize(system_.row_count(), 0.0);
  dynamics_.forget_loaded();
  dynamics_.equations().set_slot(stage.to);
  dynamics_.equations().subsystems().begin_stage(stage);
}

void MachineStages::place_stage() {
  const std::size_t bodies = system_.bodies.size();
  const std::span<const double> rate = slots_.rate(stage_.rate);
  std::vector<double>& offset = slots_.offset();
  offset = known_;
  for (std::size_t i = 0; i < 6 * bodies; ++i) {
    offset[i] += stage_.position_gain * rate[6 * bodies + i];
    offset[6 * bodies + i] += stage_.velocity_gain * rate[6 * bodies + i];
  }
  for (std::size_t i = 12 * bodies; i < rate.size(); ++i) offset[i] += stage_.velocity_gain * rate[i];
  slots_.move(stage_.from, stage_.time, stage_.to);
}

// The rate moves by forces_ and row_motions_, which are the solution now. Returns by how much positions do.
double MachineStages::take_stage() {
  const std::size_t bodies = system_.bodies.size();
  const std::span<double> a = std::span(slots_.rate(stage_.rate)).subspan(6 * bodies, 6 * bodies);
  double size = dynamics_.equations().subsystems().take_stage();
  for (std::size_t i = 0; i < 6 * bodies; ++i) {
    a[i] += forces_[i];
    const double scale = i % 6 < 3 ? params_.length : 1.0;
    size = std::max(size, std::abs(stage_.position_gain * forces_[i]) / scale);
    if (!std::isfinite(forces_[i])) size = forces_[i];
  }
  for (std::size_t i = 0; i < newton_rows_.size(); ++i) multipliers_[at(newton_rows_[i])] += row_motions_[i];
  if (!std::isfinite(size)) return size;
  const std::span<double> extra = std::span(slots_.rate(stage_.rate)).subspan(12 * bodies);
  return std::max(size,
                  state_newton_.take_stage(implicit_equations(), stage_, forces_, slots_[stage_.to].state, extra));
}

void MachineStages::end_stage() {
  place_stage();
  dynamics_.equations().subsystems().end_stage();
  const std::vector<double>& velocity = slots_[stage_.to].state.velocity;
  std::copy(velocity.begin(), velocity.end(), slots_.rate(stage_.rate).begin());
}

ImplicitEquations::Point MachineStages::stage_point(std::span<const double> outside) {
  const std::size_t bodies = system_.bodies.size();
  const MachineSlot& target = slots_[stage_.to];
  return {target.state,
          dynamics_.equations().workspace(),
          std::span<const double>(slots_.rate(stage_.rate)).subspan(6 * bodies, 6 * bodies),
          multipliers_,
          newton_rows_,
          target.turn,
          outside,
          subsystem::Newton::At::stage};
}

int MachineStages::solve_stage(const integrate::Stage& stage) {
  SubsystemEquations& subsystems = dynamics_.equations().subsystems();
  begin_stage(stage);
  Convergence convergence;
  bool needs_factor = true;
  for (int iteration = 1; iteration <= kMostNewtonIterations; ++iteration) {
    place_stage();
    subsystems.place_stage();
    dynamics_.equations().load_rows(slots_[stage.to].state);
    double size = stage_residual({});
    if (!has_code_answered(system_, dynamics_.equations().workspace())) return 0;
    if (needs_factor && !implicit_equations().factor(stage_point({}), stage.velocity_gain, stage.position_gain)) {
      subsystems.take_failure();
      return 0;
    }
    state_newton_.add_forces(implicit_equations(), forces_);
    implicit_equations().solve(forces_, row_motions_);
    const double moved = take_stage();
    size = std::isfinite(moved) ? std::max(size, moved) : moved;
    if (subsystems.take_failure()) return 0;
    const Convergence::Verdict verdict = convergence.next(size);
    if (verdict == Convergence::Verdict::hopeless) return 0;
    if (verdict == Convergence::Verdict::solved) {
      end_stage();
      return iteration;
    }
    needs_factor = convergence.is_slow();
  }
  return 0;
}

// Rates of the extra states at the state loaded; returns how much that changes the states of first order. Those of code
// take a step of Newton, x = … + gain ẋ(x), so that they may be as stiff as forces.
double MachineStages::stage_extra_change(const system::State& state, double gain, std::span<double> rates) {
  known_extra_.assign(rates.begin(), rates.end());
  const mechanics::Context context{system_, params_, state};
  mechanics::extra_rates(context, dynamics_.equations().workspace(), multipliers_, rates);
  state_newton_.put_stage(gain, known_extra_, rates);
  mechanics::CodeDerivatives& derivatives = implicit_equations().code();
  derivatives.find_state_matrices(context, dynamics_.equations().workspace());
  for (std::size_t c = 0; c < system_.codes.size(); ++c) {
    const system::NativeCode& code = system_.codes[c];
    const std::span<double> of_code = rates.subspan(at(code.first_state), code.state_count);
    const std::span<const double> known = std::span(known_extra_).subspan(at(code.first_state), code.state_count);
    for (std::size_t i = 0; i < of_code.size(); ++i) of_code[i] -= known[i];
    derivatives.solve_states(c, gain, of_code);
    for (std::size_t i = 0; i < of_code.size(); ++i) of_code[i] += known[i];
  }
  double change = 0.0;
  for (std::size_t i = 0; i < system_.extra.count(system::StateKind::first_order); ++i) {
    change = std::max(change, std::abs(gain * (rates[i] - known_extra_[i])));
  }
  return change;
}

bool MachineStages::factor_newton(int index, double gamma) {
  accelerations_.resize(6 * system_.bodies.size());
  multipliers_.resize(system_.row_count());
  if (!dynamics_.accelerations(index, accelerations_, multipliers_)) return false;
  const ImplicitEquations::Point point = newton_point(index, gamma, {});
  const bool is_done = implicit_equations().factor(point, gamma, gamma * gamma);
  return !dynamics_.equations().subsystems().take_failure() && is_done;
}

// With accelerations_ and multipliers_ of the slot.
ImplicitEquations::Point MachineStages::newton_point(int index, double gamma, std::span<const double> outside) {
  Equations& equations = dynamics_.equations_of(index);
  if (equations.solver().takes_joints()) equations.load_rows(slots_[index].state);
  solve::independent_rows(slots_[index].pivots, system_.row_count(), newton_rows_);
  newton_orientation_ = slots_[index].state.orientation;
  newton_gain_ = gamma;
  return {slots_[index].state,         equations.workspace(), accelerations_, multipliers_, newton_rows_, {}, outside,
          subsystem::Newton::At::state};
}

// With r = (r_q, r_v): δq = r_q + γ δv, δv = r_v + γ δa, and δa from
//   (M + γ C + γ² K) δa - Gᵀ δλ = -K (r_q + γ r_v) - C r_v,   G δa = 0.
// How G and u change along the way is left out: that only makes the iteration a little slower. States of first order
// follow the motion, not the other way round; those of code have their own matrix, δx = (1 - γ A)⁻¹ r_x.
void MachineStages::solve_newton(int rate, int to) {
  put_newton_right_side(rate);
  state_newton_.add_forces(implicit_equations(), forces_);
  implicit_equations().solve(forces_, row_motions_);
  take_newton(rate, to);
}

// -> forces_, row_motions_; known_: r_q, motions_: r_q + γ r_v, accelerations_: r_v; port_motions_ of these.
void MachineStages::put_newton_right_side(int rate) {
  const std::size_t bodies = system_.bodies.size();
  const std::vector<double>& r = slots_.rate(rate);
  known_.resize(6 * bodies);
  to_tangent(newton_orientation_, std::span(r).first(7 * bodies), known_);
  motions_ = known_;
  std::vector<double>& velocities = accelerations_;
  velocities.assign(r.begin() + static_cast<std::ptrdiff_t>(7 * bodies),
                    r.begin() + static_cast<std::ptrdiff_t>(13 * bodies));
  for (std::size_t i = 0; i < 6 * bodies; ++i) motions_[i] += newton_gain_ * velocities[i];
  port_motions_.resize(kNewtonMotions * dynamics_.equations().workspace().ports.size());
  dynamics_.equations().subsystems().put_newton_right_side(rate, port_motions_);
  forces_.assign(dynamics_.equations().workspace().forces.size(), 0.0);
  implicit_equations().subtract_stiffness(motions_, port_motions_, forces_);
  implicit_equations().subtract_damping(velocities, port_motions_, forces_);
  row_motions_.assign(newton_rows_.size(), 0.0);
  state_newton_.put_newton(std::span(r).subspan(13 * bodies));
}

// forces_: δa.
void MachineStages::take_newton(int rate, int to) {
  const std::size_t bodies = system_.bodies.size();
  std::vector<double>& out = slots_.rate(to);
  if (to != rate) out = slots_.rate(rate);
  state_newton_.take_newton(implicit_equations(), newton_gain_, {motions_, accelerations_, forces_},
                            std::span(out).subspan(13 * bodies));
  for (std::size_t i = 0; i < 6 * bodies; ++i) {
    out[7 * bodies + i] = accelerations_[i] + newton_gain_ * forces_[i];
    motions_[i] += newton_gain_ * newton_gain_ * forces_[i] - known_[i];
  }
  // What a change of a quaternion has along itself stays as it is.
  linear_.assign(7 * bodies, 0.0);
  to_linear(newton_orientation_, motions_, linear_);
  for (std::size_t i = 0; i < 7 * bodies; ++i) out[i] += linear_[i];
  for (std::size_t c = 0; c < system_.codes.size(); ++c) {
    const std::size_t first = 13 * bodies + at(system_.codes[c].first_state);
    implicit_equations().code().solve_states(c, newton_gain_,
                                             std::span(out).subspan(first, system_.codes[c].state_count));
  }
  dynamics_.equations().subsystems().take_newton(rate, to);
}

std::span<const double> MachineStages::by_port(std::span<const double> at_mounts) {
  const mechanics::Ports& ports = dynamics_.equations().workspace().ports;
  outside_.assign(6 * ports.size(), 0.0);
  for (std::size_t m = 0; m < system_.mounts.size(); ++m) {
    std::copy_n(&at_mounts[6 * m], 6, &outside_[6 * at(ports.at_frame(system_.mounts[m].frame))]);
  }
  return outside_;
}

bool MachineStages::owner_factor_newton(int index, double velocity_gain, double position_gain,
                                        std::span<const double> outside, double* D) {
  accelerations_.resize(6 * system_.bodies.size());
  Equations& equations = dynamics_.equations_of(index);
  equations.set_slot(index);
  equations.take_accelerations(accelerations_, multipliers_);
  const ImplicitEquations::Point point = newton_point(index, velocity_gain, by_port(outside));
  return implicit_equations().factor_for_owner(point, velocity_gain, position_gain, D);
}

bool MachineStages::owner_factor_stage(std::span<const double> outside, double* D) {
  return implicit_equations().factor_for_owner(stage_point(by_port(outside)), stage_.velocity_gain,
                                               stage_.position_gain, D);
}

void MachineStages::owner_put_newton(int rate, std::span<double> motions) {
  put_newton_right_side(rate);
  implicit_equations().put_port_motions(motions_, accelerations_, port_motions_);
  const mechanics::Ports& ports = dynamics_.equations().workspace().ports;
  for (std::size_t m = 0; m < system_.mounts.size(); ++m) {
    const std::size_t port = at(ports.at_frame(system_.mounts[m].frame));
    std::copy_n(&port_motions_[kNewtonMotions * port], kNewtonMotions, &motions[kNewtonMotions * m]);
  }
  keep_right_side();
}

void MachineStages::keep_right_side() {
  owner_forces_ = forces_;
  owner_row_motions_ = row_motions_;
}

// Any number of times for one right side: an owner with couplings asks for what each of them does.
void MachineStages::owner_up(double* r) {
  forces_ = owner_forces_;
  state_newton_.add_forces(implicit_equations(), forces_);
  implicit_equations().set_right_side(forces_, owner_row_motions_);
  const solve::ImplicitFunctions root = implicit_equations().functions();
  root.up(root.self, r);
}

void MachineStages::owner_down(const double* loads, double* motions) {
  const solve::ImplicitFunctions root = implicit_equations().functions();
  root.down(root.self, loads, motions);
  implicit_equations().collect(forces_, row_motions_);
}

void MachineStages::owner_place_stage() {
  place_stage();
  dynamics_.equations().subsystems().place_stage();
  dynamics_.equations().load_rows(slots_[stage_.to].state);
}

double MachineStages::owner_put_loads(std::span<const double> outside) {
  const double change = stage_residual(by_port(outside));
  keep_right_side();
  return change;
}

}  // namespace gelenk::analysis
