#include "gelenk/analysis/singular_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gelenk/analysis/singular_limits.h"

namespace gelenk::analysis {
namespace {

constexpr std::size_t kParts = 8;     // of a step, in whose ends a minimum is looked for
constexpr double kSlopeShare = 1e-3;  // of a step, over which it is seen whether the distance falls
constexpr int kSections = 30;         // of a part: the minimum is then known to 1e-7 of the step

// The smallest distance between two times by golden sections.
struct Minimum {
  double time, distance;
};
Minimum find_minimum(MachineProblem& problem, integrate::Integrator& integrator, double a, double b) {
  constexpr double kGolden = 0.6180339887498949;
  const auto look_at = [&](double time) {
    return Minimum{time, problem.singular_poses().distance_inside_step(integrator, time)};
  };
  Minimum left = look_at(b - kGolden * (b - a));
  Minimum right = look_at(a + kGolden * (b - a));
  for (int i = 0; i < kSections; ++i) {
    if (left.distance < right.distance) {
      b = right.time;
      right = left;
      left = look_at(b - kGolden * (b - a));
    } else {
      a = left.time;
      left = right;
      right = look_at(a + kGolden * (b - a));
    }
  }
  return left.distance < right.distance ? left : right;
}

}  // namespace

// The distance falls and rises evenly towards a singular pose and away from it.
bool SingularWatch::may_have_passed(double distance, double distance_of_stages) const {
  constexpr double kMuchNearer = 0.7;
  constexpr double kReach = 3.0;
  const double smallest = std::min(distance, last_);
  const double change = std::max(std::abs(distance - last_), before_ < 0.0 ? last_ : std::abs(last_ - before_));
  return smallest < kReach * change || distance_of_stages < kMuchNearer * smallest;
}

void SingularWatch::look(MachineProblem& problem, integrate::Integrator& integrator) {
  if (!problem.singular_poses().can_exist()) return;
  const double end = integrator.time();
  const double distance = problem.singular_poses().distance_at_base(integrate::Integrator::kCurrentState);
  const auto rank = static_cast<std::int32_t>(problem.slots().rank(integrate::Integrator::kCurrentState));
  // A step that ends on the pose itself changes its rank, which is noted anyway.
  const bool is_inside = last_ >= 0.0 && rank == last_rank_ && end > last_time_;
  was_falling_ = is_inside && may_have_passed(distance, problem.singular_poses().take_distance_of_stages()) &&
                 search(problem, integrator, end);
  before_ = last_;
  last_ = distance;
  last_time_ = end;
  last_rank_ = rank;
}

// Whether the distance falls at the end.
bool SingularWatch::search(MachineProblem& problem, integrate::Integrator& integrator, double end) const {
  std::array<double, kParts + 1> times{};
  std::array<double, kParts + 1> distances{};
  for (std::size_t i = 0; i <= kParts; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kParts);
    times[i] = i == kParts ? end : last_time_ + share * (end - last_time_);
    distances[i] = problem.singular_poses().distance_inside_step(integrator, times[i]);
  }
  const double slope_length = kSlopeShare * (end - last_time_);
  const bool falls_at_start = was_falling_ || problem.singular_poses().distance_inside_step(
                                                  integrator, last_time_ + slope_length) < distances.front();
  const bool falls_at_end =
      problem.singular_poses().distance_inside_step(integrator, end - slope_length) > distances.back();
  for (std::size_t i = 0; i <= kParts; ++i) {
    const bool falls_before = i == 0 ? falls_at_start : distances[i] <= distances[i - 1];
    const bool rises_behind = i == kParts ? !falls_at_end : distances[i] < distances[i + 1];
    if (!falls_before || !rises_behind) continue;
    const Minimum found = find_minimum(problem, integrator, times[i == 0 ? 0 : i - 1], times[std::min(i + 1, kParts)]);
    if (found.distance < kPassedPose) problem.singular_poses().note_passed_pose(integrator, found.time);
  }
  return falls_at_end;
}

void SingularWatch::save(ByteWriter& out) const {
  out.put(last_);
  out.put(before_);
  out.put(last_time_);
  out.put(last_rank_);
  out.put(was_falling_);
}

void SingularWatch::load(ByteReader& in) {
  in.get(last_);
  in.get(before_);
  in.get(last_time_);
  in.get(last_rank_);
  in.get(was_falling_);
}

}  // namespace gelenk::analysis
