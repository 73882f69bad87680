#include "gelenk/solve/dense_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/math/column_kernels.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {
DenseFactor::DenseFactor(std::size_t row_count)
    : row_count_(row_count), place_(row_count), stride_(round_up_to_step(row_count)), rest_(row_count), x_(row_count) {
  accepted_.reserve(row_count);
}

void DenseFactor::assemble(RowSystem& system, const PivotSet& pivots) {
  block_.resize(stride_ * row_count_ + kRowStep);
  accepted_ = pivots.accepted;
  const std::size_t rank = accepted_.size();
  for (std::size_t k = 0; k < rank; ++k) place_[at(accepted_[k])] = k;
  for (std::size_t k = 0; k < pivots.dropped.size(); ++k) place_[at(pivots.dropped[k])] = rank + k;
  std::fill_n(block_.begin(), stride_ * rank, 0.0);
  std::fill(rest_.begin(), rest_.end(), 0.0);
  system.add_products([this, rank](std::int32_t i, std::int32_t j, double value) {
    const std::size_t p = std::max(place_[at(i)], place_[at(j)]);
    const std::size_t q = std::min(place_[at(i)], place_[at(j)]);
    if (q < rank) block_[q * stride_ + p] += value;
    if (p == q) rest_[p] += value;
  });
}

RowFactor::Kept DenseFactor::factor_with(RowSystem& system, const RankRule& rule, const PivotSet& pivots) {
  assemble(system, pivots);
  const std::size_t rank = accepted_.size();
  const double allowed = smallest_allowed(rule, pivots);
  smallest_ = rank == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  bool is_positive = true;
  ColumnFactor(block_.data(), stride_, rank).run([&](std::size_t, double pivot) {
    smallest_ = std::min(smallest_, pivot);
    is_positive = is_positive && pivot > allowed;
    return is_positive;
  });
  if (!is_positive) return Kept::degraded;
  if (!rule.decides) return Kept::good;
  // What rounding leaves of a redundant row after one with the smallest pivot was eliminated.
  constexpr double kRoundingOfRests = 10.0 * std::numeric_limits<double>::epsilon();
  const double rounding = kRoundingOfRests / std::max(smallest_, rule.tolerance * rule.tolerance);
  const double restored_pivot = std::max(restored(rule), rounding);
  for (std::size_t k = 0; k < rank; ++k) {
    const double* column = &block_[k * stride_];
    for (std::size_t i = rank; i < row_count_; ++i) rest_[i] -= column[i] * column[i];
  }
  const bool are_redundant = std::all_of(rest_.begin() + static_cast<std::ptrdiff_t>(rank), rest_.end(),
                                         [restored_pivot](double rest) { return rest <= restored_pivot; });
  return are_redundant ? Kept::good : Kept::row_restored;
}

// Cholesky with complete pivoting, column by column: only the diagonal of what remains is kept up to date, and a column
// is computed when its row is chosen. Ties go to the lowest row.
void DenseFactor::choose(RowSystem& system, const RankRule& rule, PivotSet& pivots) {
  const std::size_t n = row_count_;
  const std::size_t most = std::min(n, rule.most_rows(std::ssize(pivots.accepted)));
  const double smallest = rule.tolerance * rule.tolerance;
  std::vector<double> N(n * n, 0.0);
  system.add_products([&](std::int32_t i, std::int32_t j, double value) {
    N[at(i) * n + at(j)] += value;
    if (i != j) N[at(j) * n + at(i)] += value;
  });
  for (std::size_t i = 0; i < n; ++i) rest_[i] = N[i * n + i];
  std::vector<double> L;
  std::vector<char> is_accepted(n, 0);
  pivots.accepted.clear();
  for (std::size_t rank = 0; rank < most; ++rank) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (is_accepted[i] == 0 && (best == n || rest_[i] > rest_[best])) best = i;
    }
    if (!(rest_[best] > smallest)) break;
    L.insert(L.end(), &N[best * n], &N[best * n] + n);
    double* column = &L[rank * n];
    for (std::size_t k = 0; k < rank; ++k) {
      const double* before = &L[k * n];
      const double factor = before[best];
      for (std::size_t i = 0; i < n; ++i) column[i] -= factor * before[i];
    }
    const double inverse = 1.0 / std::sqrt(rest_[best]);
    for (std::size_t i = 0; i < n; ++i) {
      column[i] *= inverse;
      rest_[i] -= column[i] * column[i];
    }
    is_accepted[best] = 1;
    pivots.accepted.push_back(static_cast<std::int32_t>(best));
  }
  pivots.dropped.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (is_accepted[i] == 0) pivots.dropped.push_back(static_cast<std::int32_t>(i));
  }
  pivots.smallest = 0.0;
}

void DenseFactor::solve(std::span<double> x) {
  const std::size_t rank = accepted_.size();
  for (std::size_t k = 0; k < rank; ++k) x_[k] = x[at(accepted_[k])];
  solve_columns({block_.data(), stride_}, rank, rank, x_.data());
  solve_columns_transposed({block_.data(), stride_}, rank, rank, x_.data());
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t k = 0; k < rank; ++k) x[at(accepted_[k])] = x_[k];
}

}  // namespace gelenk::solve
