#include "gelenk/analysis/machine/dynamics.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gelenk/analysis/code_outcome.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

bool same_pose(const FactorPose& a, const FactorPose& b) {
  if (!a.is_set || !b.is_set || a.time != b.time) return false;
  const auto same_turn = [](const Quaternion& p, const Quaternion& q) { return p.coeffs() == q.coeffs(); };
  return a.position == b.position && a.extra == b.extra &&
         std::equal(a.orientation.begin(), a.orientation.end(), b.orientation.begin(), b.orientation.end(), same_turn);
}

// -1: all are finite.
std::int32_t first_bad_body(std::span<const double> accelerations) {
  // 0 x is not zero where x is not finite: all at once, which is the rule.
  double sums[6] = {};
  for (std::size_t i = 0; i < accelerations.size(); i += 6) {
    for (std::size_t k = 0; k < 6; ++k) sums[k] += 0.0 * accelerations[i + k];
  }
  if ((sums[0] + sums[1] + sums[2]) + (sums[3] + sums[4] + sums[5]) == 0.0) return -1;
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    if (!std::isfinite(accelerations[i])) return static_cast<std::int32_t>(i / 6);
  }
  return -1;
}

}  // namespace

MachineDynamics::MachineDynamics(const system::System& system, const system::Params& params, MachineSlots& slots,
                                 const DynamicsOptions& options, std::span<subsystem::Subsystem* const> subsystems)
    : system_(system),
      params_(params),
      slots_(slots),
      refuses_singular_stages_(options.refuses_singular_stages),
      equations_(system, params, options.partitioning, nullptr, options.flat, subsystems),
      output_equations_(system, params, options.partitioning, equations_.plan(), options.flat, subsystems),
      multipliers_(system.row_count(), 0.0) {
  equations_.set_rank_tolerance(options.rank_tolerance);
  output_equations_.set_rank_tolerance(options.rank_tolerance);
  statistics_.rank_history.reserve(MachineStatistics::kMostKeptRankChanges);
}

void MachineDynamics::count(solve::PivotChange change) {
  ++statistics_.factorizations;
  if (change != solve::PivotChange::none) ++statistics_.pivot_changes;
  if (change == solve::PivotChange::rank_changed) ++statistics_.rank_changes;
}

Equations& MachineDynamics::prepare(int index) {
  MachineSlot& s = slots_[index];
  const bool is_output = index == integrate::Integrator::kOutputState;
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  if (is_loaded(index)) return equations;
  if (!is_output) loaded_ = {};
  if (!s.is_base || !s.factor_pose.is_set) {
    const Equations::Rank rank = s.is_base ? Equations::Rank::decide : Equations::Rank::keep;
    equations.begin_accelerations(rank);
    equations.load_with_forces(s.state);
    count(equations.factor(s.pivots, rank));
    if (!is_output) {
      held_pose_.is_set = false;
      held_stage_ = {s.base_time, s.state.time, !s.is_base};
    }
    return equations;
  }
  if (!is_output) held_stage_.is_set = false;
  // A projected state goes on with the factorization that projected it. If others came between, it is made again, at
  // the same pose, so that the result does not depend on them.
  if (is_output || !same_pose(held_pose_, s.factor_pose)) {
    system::State& there = factor_state_;
    there = s.state;
    there.position = s.factor_pose.position;
    there.orientation = s.factor_pose.orientation;
    there.time = s.factor_pose.time;
    std::copy(s.factor_pose.extra.begin(), s.factor_pose.extra.end(), there.extra.begin());
    equations.load(there);
    count(equations.factor(s.pivots));
    if (!is_output) held_pose_ = s.factor_pose;
  }
  equations.load(s.state);
  equations.refresh(s.pivots);
  return equations;
}

bool MachineDynamics::accelerations(int index, std::span<double> accelerations, std::span<double> multipliers) {
  Equations& equations = prepare(index);
  const MachineSlot& s = slots_[index];
  smallest_stage_pivot_ = std::min(smallest_stage_pivot_, equations.solver().smallest_pivot());
  if (is_too_singular(s.pivots, s)) return false;
  equations.solve_accelerations(s.state, accelerations, multipliers);
  if (equations.subsystems().take_failure()) return false;
  if (!has_code_answered(system_, equations.workspace())) return false;
  if (!multipliers.empty()) slots_[index].multipliers.assign(multipliers.begin(), multipliers.end());
  bad_body_ = first_bad_body(accelerations);
  if (bad_body_ < 0) return true;
  return !system_.switches.empty() && find_finite_accelerations(index, accelerations, multipliers);
}

// A trial step may look beyond a border that guards a formula, `if(x > 0, sqrt(x), 0)`. There the side that the state
// asks for serves as well: the border will be found, and the step taken again up to it.
bool MachineDynamics::find_finite_accelerations(int index, std::span<double> accelerations,
                                                std::span<double> multipliers) {
  Equations& equations = equations_of(index);
  const bool is_base = slots_[index].is_base;
  slots_.touch(index);
  system::State& state = slots_[index].state;
  held_sides_ = state.sides;
  mechanics::set_all_sides(system_, params_, equations.workspace(), state);
  equations.load(state);
  equations.refresh(slots_[index].pivots, is_base ? Equations::Rank::decide : Equations::Rank::keep);
  equations.solve_accelerations(state, accelerations, multipliers);
  state.sides = held_sides_;
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0;
}

// Accelerations at the nearest state on the constraints, which becomes on_constraints_. As rates of the stage itself
// they are a smooth continuation of the equations: on the constraints they are the same.
bool MachineDynamics::accelerations_on_constraints(int index, std::span<double> accelerations,
                                                   std::span<double> multipliers) {
  const MachineSlot& s = slots_[index];
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  on_constraints_ = s;
  if (index != integrate::Integrator::kOutputState) {
    loaded_ = {};
    held_pose_.is_set = false;
    held_stage_.is_set = false;
  }
  MachineSlot& there = on_constraints_;
  ++statistics_.factorizations;
  is_stage_open_ = !equations.project(there.state, there.pivots, there.factor_pose, false);
  if (is_stage_open_) return false;
  smallest_stage_pivot_ = std::min(smallest_stage_pivot_, equations.solver().smallest_pivot());
  if (is_too_singular(there.pivots, s)) return false;
  equations.solve_accelerations(there.state, accelerations, multipliers);
  if (!has_code_answered(system_, equations.workspace())) return false;
  if (!multipliers.empty()) slots_[index].multipliers.assign(multipliers.begin(), multipliers.end());
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0;
}

bool MachineDynamics::evaluate(int state, int rate) {
  const std::size_t bodies = system_.bodies.size();
  std::vector<double>& out = slots_.rate(rate);
  const std::size_t width = slots_.position_width();
  const std::span<double> velocity_rates = std::span(out).subspan(width * bodies, 6 * bodies);
  const bool wants_multipliers = keeps_multipliers_ || !system_.drivers.empty();
  const std::span<double> multipliers = wants_multipliers ? std::span(multipliers_) : std::span<double>{};
  SubsystemEquations& subsystems = equations_of(state).subsystems();
  subsystems.expect_rate(rate);
  is_stage_open_ = false;
  const bool is_beside = is_beside_singular_pose(slots_[state]);
  const bool is_solved = is_beside ? accelerations_on_constraints(state, velocity_rates, multipliers)
                                   : accelerations(state, velocity_rates, multipliers);
  subsystems.expect_rate(-1);
  if (!is_solved) return false;
  subsystems.take_accelerations(rate);
  if (subsystems.take_failure()) return false;
  return put_rates(state, is_beside ? on_constraints_.state : slots_[state].state, out);
}

bool MachineDynamics::take_accelerations(int index, int rate) {
  MachineSlot& s = slots_[index];
  Equations& equations = equations_of(index);
  std::vector<double>& out = slots_.rate(rate);
  const std::size_t bodies = system_.bodies.size();
  const std::span<double> accelerations = std::span(out).subspan(slots_.position_width() * bodies, 6 * bodies);
  equations.take_accelerations(accelerations, multipliers_);
  if (keeps_multipliers_) s.multipliers.assign(multipliers_.begin(), multipliers_.end());
  equations.subsystems().take_accelerations(rate);
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0 && !equations.subsystems().take_failure() && put_rates(index, s.state, out);
}

// The main workspace belongs to the step.
mechanics::Workspace& MachineDynamics::place(int index) {
  const mechanics::Context context{system_, params_, slots_[index].state};
  mechanics::Workspace& workspace = output_equations_.workspace();
  output_equations_.set_slot(index);
  output_equations_.subsystems().look(workspace);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  return workspace;
}

// All but the accelerations, which are there. `there`: where they were found.
bool MachineDynamics::put_rates(int state, const system::State& there, std::vector<double>& out) {
  const std::size_t bodies = system_.bodies.size();
  const std::size_t width = slots_.position_width();
  const MachineSlot& s = slots_[state];
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const v = &there.velocity[6 * b];
    double* const to = &out[width * b];
    for (std::size_t i = 0; i < 3; ++i) to[i] = v[i];
    Vector3 turn_rate(v[3], v[4], v[5]);
    if (slots_.chart() == integrate::Chart::linear) {
      put_quaternion_rate(0.5 * turn_rate, s.state.orientation[b], to + 3);
      continue;
    }
    if (!s.is_base) turn_rate = rotation_vector_rate(Vector3::Map(&s.turn[3 * b]), turn_rate);
    for (std::size_t i = 0; i < 3; ++i) to[3 + i] = turn_rate[static_cast<Eigen::Index>(i)];
  }
  mechanics::extra_rates({system_, params_, there}, equations_of(state).workspace(), multipliers_,
                         std::span(out).subspan((width + 6) * bodies));
  return std::all_of(out.begin() + static_cast<std::ptrdiff_t>((width + 6) * bodies), out.end(),
                     [](double x) { return std::isfinite(x); });
}

bool MachineDynamics::project(int index) {
  MachineSlot& s = slots_[index];
  const bool is_output = index == integrate::Integrator::kOutputState;
  // Before the joints are closed, so that they are with all digits.
  if (index == integrate::Integrator::kCurrentState && !keeps_origins_) {
    system::move_origins(system_, params_, s.state);
  }
  Equations& equations = equations_of(index);
  pivots_before_ = s.pivots;
  if (!is_output) loaded_ = {};
  const double kinetic_before = s.is_at_event ? mechanics::kinetic_energy(params_, s.state) : 0.0;
  const bool is_near = !is_output && is_near_held_stage(s);
  held_stage_.is_set = is_output && held_stage_.is_set;
  equations.set_slot(index);
  const bool is_closed = equations.project(s.state, s.pivots, s.factor_pose, is_near);
  if (equations.subsystems().take_failure() || !is_closed) return false;
  if (!is_output && lands_on_singular_pose(s)) return false;
  if (std::exchange(s.is_at_event, false)) {
    s.state.extra[system_.work_place(system::Work::impacts)] +=
        mechanics::kinetic_energy(params_, s.state) - kinetic_before;
  }
  s.is_base = true;
  s.base_pivot = equations.solver().smallest_pivot();
  s.usual_pivot = std::max(s.usual_pivot, s.base_pivot);
  s.base_rank = s.pivots.rank;
  s.base_time = s.state.time;
  std::fill(s.turn.begin(), s.turn.end(), 0.0);
  note_projection(index, equations);
  return true;
}

void MachineDynamics::note_projection(int index, const Equations& equations) {
  const MachineSlot& s = slots_[index];
  const Equations::Drift& drift = equations.drift();
  statistics_.largest_residual = std::max(statistics_.largest_residual, drift.position_after);
  statistics_.largest_rate_residual = std::max(statistics_.largest_rate_residual, drift.velocity_after);
  statistics_.largest_dropped = std::max(statistics_.largest_dropped, drift.dropped);
  if (index == integrate::Integrator::kOutputState) return;
  loaded_ = {index, s.revision};
  held_pose_ = s.factor_pose;
  ++statistics_.factorizations;
  if (!s.pivots.has_stamp_of(pivots_before_) && s.pivots.accepted != pivots_before_.accepted) {
    ++statistics_.pivot_changes;
  }
  // Work states of a method are projected too; what counts is where a step ends.
  if (index == integrate::Integrator::kCurrentState) note_rank(s);
  statistics_.largest_drift = std::max(statistics_.largest_drift, drift.position_before);
  statistics_.largest_slip = std::max(statistics_.largest_slip, drift.slip);
}

void MachineDynamics::note_rank(const MachineSlot& s) {
  std::optional<RankChange> change =
      find_rank_change(system_, equations_.workspace().joints.layout, s.state.time, pivots_before_, s.pivots);
  if (!change) return;
  if (change->is_rank_change()) {
    ++statistics_.rank_changes;
    ++statistics_.rank_change_count;
  }
  if (statistics_.rank_history.size() == MachineStatistics::kMostKeptRankChanges) return;
  statistics_.rank_history.push_back(std::move(*change));
}

}  // namespace gelenk::analysis
