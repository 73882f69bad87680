#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gelenk::solve {

// How a factorization may decide which rows carry the rank.
//
// Rank is a property of a pose on the constraints. A stage of a step lies beside them by the error of the step; there
// rows that depend on each other seem independent by as much, and two choices of rows differ by as much in their
// accelerations, which would cost the method its order. So rows are chosen where a pose was projected. At other poses
// the accepted ones are kept as long as they are independent at all, and no more are accepted than were.
struct RankRule {
  double tolerance = 1e-6;  // scaled distance from the accepted rows above which a row is independent
  bool decides = true;      // the pose is on its constraints

  constexpr RankRule(double distance, bool is_on_constraints = true)  // NOLINT(google-explicit-constructor): a number
      : tolerance(distance), decides(is_on_constraints) {}

  // Most rows to accept where so many were; -1: none was chosen yet.
  constexpr std::size_t most_rows(std::ptrdiff_t accepted) const {
    return decides || accepted < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(accepted);
  }
  // What an accepted pivot (a distance) must exceed, if the smallest of its set was this when it was chosen. A set
  // whose smallest pivot is hardly above the tolerance is not asked for more than it had; one that degraded much is
  // chosen again.
  double smallest_pivot(double when_chosen) const {
    constexpr double kDegraded = 0.5;
    const double least = std::min(tolerance, 0.7 * when_chosen);
    return decides ? std::max(least, kDegraded * when_chosen) : least;
  }
  // Hysteresis: the distance at which a dropped row counts as independent again.
  double restored() const { return 3.2 * tolerance; }
};

// The rows at hand, whatever they are.
inline constexpr RankRule kTheseRows{0.0, false};

}  // namespace gelenk::solve
