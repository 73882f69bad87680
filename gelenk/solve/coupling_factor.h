#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/coupling_islands.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

// N = J P Jᵀ of couplings on scaled rows, and its root N_II = L Lᵀ on the accepted ones: the decisions of RowCholesky
// (row_cholesky.h), to the last bit, with the zeros left out. Pairs of couplings that are not neighbors are zero.
class CouplingFactor {
 public:
  explicit CouplingFactor(std::size_t count);

  // Which pairs are not zero; the same numbers as in CouplingIslands::neighbors.
  void put_pattern(const NumberLists& neighbors);

  void clear();
  // N(k, l) += value on the lower half: each pair is given in both orders, and counts half.
  void add(std::size_t k, std::size_t l, double value);

  // Accepted rows first; whoever changes it says so by put_order().
  std::span<const std::int32_t> order() const { return order_; }
  void put_order(std::span<const std::int32_t> order, std::size_t rank);
  std::size_t rank() const { return rank_; }
  double smallest() const;  // distance of an accepted row from those before it

  // Keeps the accepted rows if that still is a good choice.
  bool factor_with(const RankRule& rule, double smallest_when_chosen);
  // Takes the row that is furthest from the accepted ones as long as one is further than tau, and there are not `most`.
  // Dropped rows are sorted, and factor_with() is due.
  void choose(double tau, std::size_t most);

  // x := N_II⁻¹ x, x in the order of the accepted rows.
  void solve(std::span<double> x) const;

  std::size_t value_count() const { return rows_.numbers.size(); }

 private:
  void find_rows();
  double fill_row(std::size_t i);

  std::size_t count_;
  NumberLists pattern_;
  std::vector<std::size_t> mirrored_;  // of each entry of the pattern: that of the same pair in the lower half
  std::vector<double> products_;       // N by the entries of the pattern; those of the upper half are not used
  std::vector<std::int32_t> order_, place_;
  std::size_t rank_ = 0;
  bool is_planned_ = false;
  NumberLists rows_;             // of L: places before the diagonal
  std::vector<double> values_;   // of L
  std::vector<double> inverse_;  // of its diagonal
  std::vector<double> work_;     // a row of L by places, zero between calls
};

}  // namespace gelenk::solve
