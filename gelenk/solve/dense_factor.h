#pragma once

#include <vector>

#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_factor.h"

namespace gelenk::solve {

// Cholesky of the whole N, with complete pivoting when rows are chosen and in their order afterwards. For small
// machines, and to check the sparse factor.
class DenseFactor : public RowFactor {
 public:
  explicit DenseFactor(std::size_t row_count);

  Kept factor_with(RowSystem& system, const RankRule& rule, const PivotSet& pivots) override;
  void choose(RowSystem& system, const RankRule& rule, PivotSet& pivots) override;
  void solve(std::span<double> x) override;
  double smallest_pivot() const override { return smallest_; }
  std::size_t size() const override { return stride_ * row_count_; }

 private:
  void assemble(RowSystem& system, const PivotSet& pivots);

  std::size_t row_count_;
  double smallest_ = 0.0;
  std::vector<std::int32_t> accepted_;  // of the last factor_with()
  std::vector<std::size_t> place_;      // of a row in the block: accepted rows in pivot order, then dropped ones
  std::size_t stride_;
  std::vector<double> block_;  // L₁₁ and below it L₂₁, column by column
  std::vector<double> rest_;   // diagonal of what L leaves of the dropped rows
  std::vector<double> x_;
};

}  // namespace gelenk::solve
