#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gelenk::solve {

struct PivotNumbers {
  std::vector<std::int32_t> accepted;  // in pivot order; rows that no decision is made about may be left out
  std::vector<std::int32_t> dropped;
  double smallest = 0.0;  // smallest accepted pivot when the set was chosen
  // A solver that decides in several places: how many rows each has accepted, and its smallest pivot then.
  std::vector<std::int32_t> counts;
  std::vector<double> weakest;
  std::int32_t rank = 0;            // of all rows
  std::vector<std::int32_t> freed;  // joints that lost rank by themselves, and are taken as rows since
  friend bool operator==(const PivotNumbers&, const PivotNumbers&) = default;
};

// Which rows carry the rank of a redundant set, kept between factorizations so that the choice changes only when it
// must: the same pose gives the same bits, and multipliers stay continuous. A copyable value: part of a State, because
// a restart is exact only with the pivots of the run it continues.
struct PivotSet : PivotNumbers {
  // Sets with the same stamp are equal, so that steps need not compare and copy them; zero: not known. Solvers stamp
  // what they give out. Assignment keeps the stamp; what is constructed as a copy, maybe to be changed, has none.
  std::uint64_t stamp = 0;

  PivotSet() = default;
  PivotSet(const PivotSet& other) : PivotNumbers(other) {}
  PivotSet& operator=(const PivotSet& other) {
    if (has_stamp_of(other)) return *this;
    PivotNumbers::operator=(other);
    stamp = other.stamp;
    return *this;
  }
  ~PivotSet() = default;

  void put_new_stamp() {
    static std::atomic<std::uint64_t> last{0};
    stamp = ++last;
  }
  bool has_stamp_of(const PivotSet& other) const { return stamp != 0 && stamp == other.stamp; }
  friend bool operator==(const PivotSet& a, const PivotSet& b) {
    return a.has_stamp_of(b) || static_cast<const PivotNumbers&>(a) == static_cast<const PivotNumbers&>(b);
  }
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
