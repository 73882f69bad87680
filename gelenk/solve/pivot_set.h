#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gelenk::solve {

// Which rows carry the rank of a redundant set, kept between factorizations so that the choice changes only when it
// must: the same pose gives the same bits, and multipliers stay continuous. A copyable value: part of a State, because
// a restart is exact only with the pivots of the run it continues.
struct PivotSet {
  std::vector<std::int32_t> accepted;  // in pivot order; rows that no decision is made about may be left out
  std::vector<std::int32_t> dropped;
  double smallest = 0.0;  // smallest accepted pivot when the set was chosen
  // A solver that decides in several places: how many rows each has accepted, and its smallest pivot then.
  std::vector<std::int32_t> counts;
  std::vector<double> weakest;
  std::int32_t rank = 0;            // of all rows
  std::vector<std::int32_t> freed;  // joints that lost rank by themselves, and are taken as rows since
  friend bool operator==(const PivotSet&, const PivotSet&) = default;
};

// All rows but the dropped ones, in their order.
inline void independent_rows(const PivotSet& pivots, std::size_t row_count, std::vector<std::int32_t>& rows) {
  std::vector<char> is_dropped(row_count, 0);
  for (const std::int32_t row : pivots.dropped) is_dropped[static_cast<std::size_t>(row)] = 1;
  rows.clear();
  for (std::size_t j = 0; j < row_count; ++j) {
    if (is_dropped[j] == 0) rows.push_back(static_cast<std::int32_t>(j));
  }
}

enum class PivotChange { none, chosen_again, rank_changed };

}  // namespace gelenk::solve
