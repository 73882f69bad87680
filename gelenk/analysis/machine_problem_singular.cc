// Stages and ends of steps near singular poses: docs/adr/0015-steps-across-singular-poses.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gelenk/analysis/machine_problem.h"
#include "gelenk/analysis/singular_limits.h"
#include "gelenk/base/index.h"

namespace gelenk::analysis {

// Whether a stage belongs to a step that starts so near a singular pose that what it errs across the constraints spoils
// its accelerations. All stages of a step are treated alike, or the method would lose its order.
bool MachineProblem::is_beside_singular_pose(const Slot& s) const {
  return !s.is_base && s.base_pivot < kNearSingular * s.usual_pivot && s.base_rank > 0 && system_.sealed.empty() &&
         system_.mounts.empty();
}

// Whether the factorization at hand belongs to a stage so near a singular pose that another length of the step is
// better. A stage with more independent rows than the base is on its way out of the pose.
bool MachineProblem::is_too_singular(const solve::PivotSet& pivots, const Slot& s) const {
  if (!refuses_singular_stages_ || s.is_base || pivots.rank > s.base_rank) return false;
  return equations_.solver().smallest_pivot() < kSingularStage * s.base_pivot;
}

// Accelerations at the nearest state on the constraints, which becomes on_constraints_. As rates of the stage itself
// they are a smooth continuation of the equations: on the constraints they are the same.
bool MachineProblem::accelerations_on_constraints(int index, std::span<double> accelerations,
                                                  std::span<double> multipliers) {
  const Slot& s = slot(index);
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  on_constraints_ = s;
  if (index != integrate::Integrator::kOutputState) {
    loaded_slot_ = -1;
    held_pose_.is_set = false;
    held_stage_.is_set = false;
  }
  Slot& there = on_constraints_;
  ++statistics_.factorizations;
  is_stage_open_ = !equations.project(there.state, there.pivots, there.factor_pose, false);
  if (is_stage_open_) return false;
  smallest_stage_pivot_ = std::min(smallest_stage_pivot_, equations.solver().smallest_pivot());
  if (is_too_singular(there.pivots, s)) return false;
  equations.solve_accelerations(there.state, accelerations, multipliers);
  if (!multipliers.empty()) slot(index).multipliers.assign(multipliers.begin(), multipliers.end());
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0;
}

double MachineProblem::base_distance(int index) const {
  const Slot& s = slots_[at(index)];
  return std::sqrt(s.base_pivot / s.usual_pivot);
}

double MachineProblem::take_distance_of_stages() {
  const Slot& s = slot(integrate::Integrator::kCurrentState);
  return std::sqrt(std::exchange(smallest_stage_pivot_, 1.0) / s.usual_pivot);
}

bool MachineProblem::can_be_singular() const {
  return !system_.rows.empty() && system_.sealed.empty() && system_.mounts.empty();
}

double MachineProblem::distance_inside_step(integrate::Integrator& integrator, double time) {
  constexpr double kFar = 1.0;
  if (!integrator.interpolate(time)) return kFar;
  // With the rows of the end of the step, so that it is smooth.
  const Slot& end = slot(integrate::Integrator::kCurrentState);
  const solve::PivotSet& rows = end.pivots;
  solve::PivotSet& here = on_constraints_.pivots;
  here = rows;
  output_equations_.load(slot(integrate::Integrator::kOutputState).state);
  output_equations_.factor(here, Equations::Rank::keep);
  return here.rank < rows.rank ? 0.0 : std::sqrt(output_equations_.solver().smallest_pivot() / end.usual_pivot);
}

void MachineProblem::note_passed_pose(integrate::Integrator& integrator, double time) {
  if (!integrator.interpolate(time)) return;
  const Slot& end = slot(integrate::Integrator::kCurrentState);
  const solve::PivotSet& around = end.pivots;
  solve::PivotSet on = around;
  output_equations_.load(slot(integrate::Integrator::kOutputState).state);
  output_equations_.factor_with_tolerance(kOnSingularPose * std::sqrt(end.usual_pivot), on);
  std::optional<RankChange> change =
      find_rank_change(system_, output_equations_.workspace().joints.layout, time, around, on);
  if (!change || change->after >= change->before) return;
  change->regained = change->lost;
  ++statistics_.rank_change_count;
  if (statistics_.rank_history.size() < kMostKeptRankChanges) statistics_.rank_history.push_back(std::move(*change));
}

// rad/s, or lengths of the machine per second.
double MachineProblem::fastest(const system::State& state) const {
  double result = 0.0;
  for (std::size_t i = 0; i < state.velocity.size(); ++i) {
    result = std::max(result, std::abs(state.velocity[i]) / (i % 6 < 3 ? params_.length : 1.0));
  }
  return result;
}

// The end of a step on a singular pose or much nearer to one than its start, which a step of another length would not
// have. On the pose itself the motion is not unique, and close to it rounding of positions turns the velocities that
// the joints allow.
bool MachineProblem::lands_on_singular_pose(const Slot& s) const {
  constexpr double kFar = 1e3;  // tolerances: a step of other length then ends well outside
  if (!refuses_singular_stages_ || s.is_at_event) return false;
  if ((s.state.time - s.base_time) * fastest(s.state) < kFar * equations_.rank_tolerance()) return false;
  if (s.pivots.rank != s.base_rank) return s.pivots.rank < s.base_rank;
  return equations_.solver().smallest_pivot() < kSingularStage * s.base_pivot;
}

// Velocities are known to rounding; a deviation w across the constraints at distance δ from the singular pose grows
// like 2 ω w / δ, and w itself is the rounding of the rates over δ: together ε ω² / δ², with δ² the pivot. Lengths in
// those of the machine.
double MachineProblem::rounding_near(const system::State& state, double pivot, double step) const {
  constexpr double kRoundingOfRates = 1e-14;  // a sum of some ten rounded terms
  const double speed = fastest(state);
  const double rounding = step * kRoundingOfRates * speed * speed / std::max(pivot, 1e-16);
  return std::min(rounding, kSurelyProjected);
}

}  // namespace gelenk::analysis
