#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_reflectors.h"

// The rank-revealing factorization of mobility fronts: N = E D Eᵀ of a few scaled rows, N_II = L Lᵀ on accepted rows I.
// Its pivots are squares of the distances that row_reflectors.h finds, hence the same decisions, with half the digits
// (docs/theory/elimination.md, section 9).
namespace gelenk::solve {

// Squares of smaller distances drown in the rounding of N: it is ε at first, and ε/δ² after a row was eliminated whose
// distance was δ. Measured on a thousand random machines: up to (√ε/δ)².
inline double smallest_mobility_tolerance(double weakest) {
  using std::sqrt;
  return std::max(3e-7, 3.0 * sqrt(std::numeric_limits<double>::epsilon()) / weakest);
}

// Rows are stored one after another; `order` lists them, accepted ones first. N stays as it is.
struct RowCholesky {
  std::size_t row_count = 0;
  const double* products = nullptr;  // N, row by row, lower half and diagonal
  double* factor = nullptr;          // L by row of N, the diagonal inverted
  std::int32_t* order = nullptr;     // of all rows
  std::size_t rank = 0;

  std::size_t index(std::size_t i) const { return static_cast<std::size_t>(order[i]); }
  double* row(std::size_t i) const { return factor + index(i) * row_count; }
  double product(std::size_t i, std::size_t j) const {
    const std::size_t p = std::max(index(i), index(j));
    const std::size_t q = std::min(index(i), index(j));
    return products[p * row_count + q];
  }

  // L of row order[i] against the accepted row order[j], j < i, those before it done.
  void eliminate(std::size_t i, std::size_t j) const {
    double* const ours = row(i);
    const double* const other = row(j);
    double sum = product(i, j);
    for (std::size_t l = 0; l < j; ++l) sum -= ours[l] * other[l];
    ours[j] = sum * other[j];
  }
  // Square of the distance of row order[i] from the first `count` accepted ones, L of it done.
  double rest(std::size_t i, std::size_t count) const {
    const double* const ours = row(i);
    double sum = product(i, i);
    for (std::size_t l = 0; l < count; ++l) sum -= ours[l] * ours[l];
    return sum;
  }

  // Keeps the accepted rows if that still is a good choice.
  bool factor_with(std::size_t accepted, const RankRule& rule, double smallest_when_chosen) {
    using std::sqrt;
    const double allowed = rule.smallest_pivot(smallest_when_chosen);
    rank = accepted;
    for (std::size_t i = 0; i < accepted; ++i) {
      for (std::size_t j = 0; j < i; ++j) eliminate(i, j);
      const double pivot = rest(i, i);
      if (!(pivot > allowed * allowed)) return false;
      row(i)[i] = 1.0 / sqrt(pivot);
    }
    const double restored(rule.restored());
    for (std::size_t i = accepted; i < row_count; ++i) {
      for (std::size_t j = 0; j < accepted; ++j) eliminate(i, j);
      if (rule.decides && !(rest(i, accepted) < restored * restored)) return false;
    }
    return true;
  }

  // Takes the row that is furthest from the accepted ones as long as one is further than tau, and there are not `most`.
  void choose(double tau, std::size_t most) {
    using std::sqrt;
    for (rank = 0; rank < std::min(row_count, most); ++rank) {
      std::size_t best = row_count;
      double longest = tau * tau;
      for (std::size_t i = rank; i < row_count; ++i) {
        const double pivot = rest(i, rank);
        if (!(pivot > longest)) continue;
        longest = pivot;
        best = i;
      }
      if (best == row_count) return;
      std::swap(order[rank], order[best]);
      row(rank)[rank] = 1.0 / sqrt(longest);
      for (std::size_t i = rank + 1; i < row_count; ++i) eliminate(i, rank);
    }
  }

  double smallest() const {
    double largest = 1.0;
    for (std::size_t i = 0; i < rank; ++i) largest = std::max(largest, row(i)[i]);
    return 1.0 / largest;
  }

  // x := L⁻¹ x and x := L⁻ᵀ x, x in the order of the accepted rows.
  void solve_lower(double* x) const {
    for (std::size_t i = 0; i < rank; ++i) {
      const double* const l = row(i);
      double sum = x[i];
      for (std::size_t j = 0; j < i; ++j) sum -= l[j] * x[j];
      x[i] = sum * l[i];
    }
  }
  void solve_lower_transposed(double* x) const {
    for (std::size_t i = rank; i-- > 0;) {
      const double* const l = row(i);
      x[i] *= l[i];
      for (std::size_t j = 0; j < i; ++j) x[j] -= l[j] * x[i];
    }
  }
};

}  // namespace gelenk::solve
