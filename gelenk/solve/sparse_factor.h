#pragma once

#include <vector>

#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_factor.h"
#include "gelenk/solve/sparse_plan.h"

namespace gelenk::solve {

// Supernodal Cholesky N = L Lᵀ in a fill-reducing order that never changes; rows are dropped where they stand, by a
// zero column of L. Because the order is not that of the largest pivots, the diagonal alone does not distinguish rank
// from rounding: when in doubt, a row is judged by its true distance from the others (see distance_from_accepted()).
class SparseFactor : public RowFactor {
 public:
  SparseFactor(const RowSystem& system, SparsePlan plan);

  Kept factor_with(RowSystem& system, const RankRule& rule, const PivotSet& pivots) override;
  void choose(RowSystem& system, const RankRule& rule, PivotSet& pivots) override;
  void solve(std::span<double> x) override;
  double smallest_pivot() const override { return smallest_; }
  std::size_t size() const override { return plan_.value_count; }

 private:
  void assemble(const RowSystem& system, std::size_t supernode);
  struct Part {
    std::size_t begin, end;
  };
  void scatter(const SparsePlan::Update& update, Part rows, Part columns, double* block, std::size_t stride);
  template <class Accept>
  void factor_all(const RowSystem& system, Accept&& accept);
  void accept_above(const RowSystem& system, double clear_pivot);
  void factor_accepted(const RowSystem& system, double smallest_allowed);
  double distance_from_accepted(RowSystem& system, std::int32_t row, double enough, std::span<double> force);
  void choose_among(RowSystem& system, double tau, std::size_t most, std::vector<std::int32_t>& candidates);

  SparsePlan plan_;
  std::vector<double> values_;  // blocks of L
  std::vector<double> product_;
  std::vector<double> places_;     // right side and solution in elimination order
  std::vector<double> gathered_;   // the part of one supernode
  std::vector<char> is_accepted_;  // by place
  std::vector<double> rest_;       // pivots by place; of dropped rows: what was left of them
  double smallest_ = 0.0;
  bool is_positive_ = true;
  std::vector<double> combination_, response_;  // per row
};

}  // namespace gelenk::solve
