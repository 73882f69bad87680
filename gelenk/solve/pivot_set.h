#pragma once

#include <cstdint>
#include <vector>

namespace gelenk::solve {

// Which rows carry the rank of a redundant set, kept between factorizations so that the choice changes only when it
// must: the same pose gives the same bits, and multipliers stay continuous. A copyable value: part of a State, because
// a restart is exact only with the pivots of the run it continues.
struct PivotSet {
  std::vector<std::int32_t> accepted;  // in pivot order
  std::vector<std::int32_t> dropped;
  double smallest = 0.0;  // smallest accepted pivot when the set was chosen
  friend bool operator==(const PivotSet&, const PivotSet&) = default;
};

enum class PivotChange { none, chosen_again, rank_changed };

}  // namespace gelenk::solve
