#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/rank_rule.h"

// A rank-revealing factorization of a few rows, A_I = L Q₁ᵀ on accepted rows I, by Householder reflections of the
// columns, Q = H₁ H₂ ... H_k = (Q₁ Q₂). What is left of a dropped row after all reflections is its distance from the
// accepted ones. Rank decisions of the elimination program are made here, and for mobility fronts in row_cholesky.h
// (elimination.md, section 5).
namespace gelenk::solve {

// Rows are stored one after another; `order` lists them, accepted ones first. After factoring, row
// order[i] holds L left of column i, its reflector right of it, and the diagonal of L.
// Size, RowCount: of the columns and of the rows, std::size_t or a FixedSize. is_sorted: row i is order[i] already.
template <class Size = std::size_t, class RowCount = std::size_t, bool is_sorted = false>
struct RowReflectors {
  static constexpr bool kIsFixed = !std::is_same_v<Size, std::size_t> && !std::is_same_v<RowCount, std::size_t>;

  Size columns = {};
  RowCount row_count = {};
  double* rows = nullptr;
  double* factors = nullptr;      // of the reflectors, one for each accepted row
  std::int32_t* order = nullptr;  // of all rows
  std::size_t rank = 0;

  double* row(std::size_t i) const { return rows + (is_sorted ? i : static_cast<std::size_t>(order[i])) * columns; }
  double diagonal(std::size_t i) const { return row(i)[i]; }

  // body(j) of all columns behind i; written out where their number is known (see each6()).
  template <class Body>
  void behind(std::size_t i, Body&& body) const {
    if constexpr (std::is_same_v<Size, std::size_t>) {
      for (std::size_t j = i + 1; j < columns; ++j) body(j);
    } else {
      repeat(columns, [&](auto j) {
        if (j > i) body(j);
      });
    }
  }

  // x := x H_i for a vector of all columns.
  void reflect(std::size_t i, double* x) const {
    const double* const v = row(i);
    double sum = x[i];
    behind(i, [&](std::size_t j) { sum += v[j] * x[j]; });
    sum *= factors[i];
    x[i] -= sum;
    behind(i, [&](std::size_t j) { x[j] -= sum * v[j]; });
  }
  // x := x Q, so that x[0..k) = x Q₁ and the rest x Q₂; and back, x := Q x.
  void to_factored(double* x) const {
    repeat(columns, [&](auto i) {
      if (i < rank) reflect(i, x);
    });
  }
  void from_factored(double* x) const {
    repeat(columns, [&](auto i) {
      if (columns - 1 - i < rank) reflect(columns - 1 - i, x);
    });
  }
  // X := X Q for six rows at once, stored as columns of six.
  void to_factored_columns(double* X) const {
    for (std::size_t i = 0; i < columns && i < rank; ++i) {
      const double* const v = row(i);
      double sum[6];
      for (std::size_t m = 0; m < 6; ++m) sum[m] = X[6 * i + m];
      for (std::size_t j = i + 1; j < columns; ++j) {
        for (std::size_t m = 0; m < 6; ++m) sum[m] += v[j] * X[6 * j + m];
      }
      for (std::size_t m = 0; m < 6; ++m) sum[m] *= factors[i];
      for (std::size_t m = 0; m < 6; ++m) X[6 * i + m] -= sum[m];
      for (std::size_t j = i + 1; j < columns; ++j) {
        for (std::size_t m = 0; m < 6; ++m) X[6 * j + m] -= sum[m] * v[j];
      }
    }
  }

  // Square of what is left of row order[i] from a column on.
  double rest_of(std::size_t i, std::size_t from) const {
    const double* const x = row(i);
    double sum = 0.0;
    // Where sizes are known, all numbers have known places.
    for (std::size_t j = kIsFixed ? 0 : from; j < columns; ++j) sum += j >= from ? x[j] * x[j] : 0.0;
    return sum;
  }

  // Makes reflector i from row order[i], whose rest has this length, and applies it to the rows after it.
  void accept(std::size_t i, double length) {
    double* const x = row(i);
    if (i + 1 == columns) {
      factors[i] = 0.0;
    } else {
      const double beta = x[i] > 0.0 ? -length : length;
      const double head = x[i] - beta;
      factors[i] = -head / beta;
      const double inverse = 1.0 / head;
      for (std::size_t j = i + 1; j < columns; ++j) x[j] *= inverse;
      x[i] = beta;
    }
    for (std::size_t n = i + 1; n < row_count; ++n) reflect(i, row(n));
  }

  // Keeps the accepted rows if that still is a good choice. Leaves the rows spoiled if not.
  bool factor_with(std::size_t accepted, const RankRule& rule, double smallest_when_chosen) {
    using std::sqrt;
    if constexpr (kIsFixed && !is_sorted) return factor_sorted(accepted, rule, smallest_when_chosen);
    const double allowed = rule.smallest_pivot(smallest_when_chosen);
    rank = accepted;
    bool is_good = accepted <= columns;
    repeat(columns, [&](auto i) {
      if (!is_good || i >= accepted) return;
      const double square = rest_of(i, i);
      is_good = square > allowed * allowed;
      if (is_good) accept(i, sqrt(square));
    });
    if (!rule.decides) return is_good;
    const double restored(rule.restored());
    repeat(row_count, [&](auto i) {
      if (i >= accepted) is_good = is_good && rest_of(i, accepted) < restored * restored;
    });
    return is_good;
  }

  // The same where sizes are known: a copy of the rows in their order needs no way to the memory.
  bool factor_sorted(std::size_t accepted, const RankRule& rule, double smallest_when_chosen) {
    double numbers[row_count * columns];
    RowReflectors<Size, RowCount, true> sorted{columns, row_count, numbers, factors, order, 0};
    repeat(row_count, [&](auto i) {
      for (std::size_t j = 0; j < columns; ++j) sorted.row(i)[j] = row(i)[j];
    });
    const bool is_good = sorted.factor_with(accepted, rule, smallest_when_chosen);
    repeat(row_count, [&](auto i) {
      for (std::size_t j = 0; j < columns; ++j) row(i)[j] = sorted.row(i)[j];
    });
    rank = sorted.rank;
    return is_good;
  }

  // Takes the row that is furthest from the accepted ones as long as one is further than tau, and there are not `most`.
  // Tolerances far below the root of rounding would follow errors of the pose: where a loop lies flat, gaps of 1e-16
  // fold it by 1e-8.
  void choose(double tau, std::size_t most_rows) {
    using std::sqrt;
    rank = 0;
    const std::size_t most = std::min({std::size_t{row_count}, std::size_t{columns}, most_rows});
    while (rank < most) {
      std::size_t best = row_count;
      double longest = tau * tau;
      for (std::size_t i = rank; i < row_count; ++i) {
        const double square = rest_of(i, rank);
        if (!(square > longest)) continue;
        longest = square;
        best = i;
      }
      if (best == row_count) return;
      std::swap(order[rank], order[best]);
      accept(rank, sqrt(longest));
      ++rank;
    }
  }

  double smallest() const {
    using std::abs;
    double result = 1.0;
    for (std::size_t i = 0; i < columns && i < rank; ++i) result = std::min(result, abs(diagonal(i)));
    return result;
  }

  // x := L⁻¹ x and x := L⁻ᵀ x, x in the order of the accepted rows.
  void solve_lower(double* x) const {
    repeat(columns, [&](auto i) {
      if (i >= rank) return;
      const double* const l = row(i);
      double sum = x[i];
      for (std::size_t j = 0; j < i; ++j) sum -= l[j] * x[j];
      x[i] = sum / l[i];
    });
  }
  // X := L⁻¹ X for `count` columns, each so far behind the one before.
  void solve_lower_columns(std::size_t count, std::size_t stride, double* X) const {
    for (std::size_t i = 0; i < columns && i < rank; ++i) {
      const double* const l = row(i);
      const double inverse = 1.0 / l[i];
      for (std::size_t n = 0; n < count; ++n) {
        double* const x = X + n * stride;
        double sum = x[i];
        for (std::size_t j = 0; j < i; ++j) sum -= l[j] * x[j];
        x[i] = sum * inverse;
      }
    }
  }
  void solve_lower_transposed(double* x) const {
    for (std::size_t i = rank; i-- > 0;) {
      const double* const l = row(i);
      x[i] /= l[i];
      for (std::size_t j = 0; j < i; ++j) x[j] -= l[j] * x[i];
    }
  }
};

}  // namespace gelenk::solve
