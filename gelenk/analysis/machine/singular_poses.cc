#include "gelenk/analysis/machine/singular_poses.h"

#include <cmath>
#include <optional>
#include <utility>

#include "gelenk/analysis/singular_limits.h"

namespace gelenk::analysis {

using integrate::Integrator;

bool SingularPoses::can_exist() const {
  return !system_.rows.empty() && system_.sealed.empty() && system_.mounts.empty();
}

double SingularPoses::distance_at_base(int index) const {
  const MachineSlot& s = slots_[index];
  return std::sqrt(s.base_pivot / s.usual_pivot);
}

double SingularPoses::take_distance_of_stages() {
  const MachineSlot& s = slots_[Integrator::kCurrentState];
  return std::sqrt(dynamics_.take_smallest_stage_pivot() / s.usual_pivot);
}

double SingularPoses::distance_inside_step(Integrator& integrator, double time) {
  constexpr double kFar = 1.0;
  if (!integrator.interpolate(time)) return kFar;
  // With the rows of the end of the step, so that it is smooth.
  const MachineSlot& end = slots_[Integrator::kCurrentState];
  Equations& equations = dynamics_.output_equations();
  pivots_ = end.pivots;
  equations.load(slots_[Integrator::kOutputState].state);
  equations.factor(pivots_, Equations::Rank::keep);
  return pivots_.rank < end.pivots.rank ? 0.0 : std::sqrt(equations.solver().smallest_pivot() / end.usual_pivot);
}

void SingularPoses::note_passed_pose(Integrator& integrator, double time) {
  if (!integrator.interpolate(time)) return;
  const MachineSlot& end = slots_[Integrator::kCurrentState];
  const solve::PivotSet& around = end.pivots;
  solve::PivotSet on = around;
  Equations& equations = dynamics_.output_equations();
  equations.load(slots_[Integrator::kOutputState].state);
  equations.factor_with_tolerance(kOnSingularPose * std::sqrt(end.usual_pivot), on);
  std::optional<RankChange> change = find_rank_change(system_, equations.workspace().joints.layout, time, around, on);
  if (!change || change->after >= change->before) return;
  change->regained = change->lost;
  MachineStatistics& statistics = dynamics_.statistics();
  ++statistics.rank_change_count;
  if (statistics.rank_history.size() < MachineStatistics::kMostKeptRankChanges) {
    statistics.rank_history.push_back(std::move(*change));
  }
}

}  // namespace gelenk::analysis
