// Stages and ends of steps near singular poses: docs/adr/0015-steps-across-singular-poses.md.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/analysis/machine/dynamics.h"
#include "gelenk/analysis/singular_limits.h"

namespace gelenk::analysis {

// Whether a stage belongs to a step that starts so near a singular pose that what it errs across the constraints spoils
// its accelerations. All stages of a step are treated alike, or the method would lose its order.
bool MachineDynamics::is_beside_singular_pose(const MachineSlot& s) const {
  return !s.is_base && s.base_pivot < kNearSingular * s.usual_pivot && s.base_rank > 0 && system_.sealed.empty() &&
         system_.mounts.empty();
}

// Whether the factorization at hand belongs to a stage so near a singular pose that another length of the step is
// better. A stage with more independent rows than the base is on its way out of the pose.
bool MachineDynamics::is_too_singular(const solve::PivotSet& pivots, const MachineSlot& s) const {
  if (!refuses_singular_stages_ || s.is_base || pivots.rank > s.base_rank) return false;
  return equations_.solver().smallest_pivot() < kSingularStage * s.base_pivot;
}

double fastest_motion(const system::State& state, double length) {
  double result = 0.0;
  for (std::size_t i = 0; i < state.velocity.size(); ++i) {
    result = std::max(result, std::abs(state.velocity[i]) / (i % 6 < 3 ? length : 1.0));
  }
  return result;
}

// The end of a step on a singular pose or much nearer to one than its start, which a step of another length would not
// have. On the pose itself the motion is not unique, and close to it rounding of positions turns the velocities that
// the joints allow.
bool MachineDynamics::lands_on_singular_pose(const MachineSlot& s) const {
  constexpr double kFar = 1e3;  // tolerances: a step of other length then ends well outside
  if (!refuses_singular_stages_ || s.is_at_event) return false;
  const double way = (s.state.time - s.base_time) * fastest_motion(s.state, params_.length);
  if (way < kFar * equations_.rank_tolerance()) return false;
  if (s.pivots.rank != s.base_rank) return s.pivots.rank < s.base_rank;
  return equations_.solver().smallest_pivot() < kSingularStage * s.base_pivot;
}

// The last stage of a step is an estimate of its end, wrong by a power of the step: its factorization takes the
// positions there as well as their own would. What is held depends on the step alone, as outputs have their own
// equations.
bool MachineDynamics::is_near_held_stage(const MachineSlot& s) const {
  const solve::MotionSolver& solver = equations_.solver();
  return held_stage_.is_set && !s.is_base && !s.is_at_event && held_stage_.base_time == s.base_time &&
         held_stage_.time == s.state.time && !solver.remembers_pose() && !solver.is_corrected() &&
         static_cast<std::int32_t>(solver.rank()) == s.pivots.rank &&
         solver.smallest_pivot() > kNearSingular * s.usual_pivot;
}

double MachineDynamics::take_smallest_stage_pivot() { return std::exchange(smallest_stage_pivot_, 1.0); }

}  // namespace gelenk::analysis
