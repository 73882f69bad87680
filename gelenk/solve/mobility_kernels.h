#pragma once

#include <cmath>
#include <cstddef>

#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/spatial.h"

// Dense pieces of the mobility fronts. Symmetric matrices: lower half and diagonal, row by row with a stride.
namespace gelenk::solve {

inline double symmetric(const double* D, std::size_t stride, std::size_t i, std::size_t j) {
  return i >= j ? D[i * stride + j] : D[j * stride + i];
}

// out += factor times row `i` of a symmetric matrix of `count` rows
inline void add_symmetric_row(const double* D, std::size_t stride, std::size_t count, std::size_t i, double factor,
                              double* out) {
  const double* const row = D + i * stride;
  for (std::size_t j = 0; j <= i; ++j) out[j] += factor * row[j];
  for (std::size_t j = i + 1; j < count; ++j) out[j] += factor * D[j * stride + i];
}

// Rows `first` to `first` + 5 of a symmetric matrix of `count` rows, one behind another
inline void copy_symmetric_rows6(const double* D, std::size_t stride, std::size_t count, std::size_t first,
                                 double* out) {
  for (std::size_t m = 0; m < 6; ++m) {
    const double* const row = D + (first + m) * stride;
    for (std::size_t j = 0; j < first; ++j) out[m * count + j] = row[j];
    for (std::size_t j = 0; j <= m; ++j) out[m * count + first + j] = out[j * count + first + m] = row[first + j];
  }
  for (std::size_t j = first + 6; j < count; ++j) {
    const double* const column = D + j * stride + first;
    for (std::size_t m = 0; m < 6; ++m) out[m * count + j] = column[m];
  }
}

// y -= factor x
inline void subtract_multiple(std::size_t count, double factor, const double* __restrict x, double* __restrict y) {
  for (std::size_t i = 0; i < count; ++i) y[i] -= factor * x[i];
}

// Four sums side by side: one after another, each addition would wait for the last.
inline double dot(std::size_t count, const double* x, const double* y) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t n = 0; n < 4; ++n) sum[n] += x[i + n] * y[i + n];
  }
  for (; i < count; ++i) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline void subtract_four(std::size_t count, const double* factors, const double* __restrict p,
                          const double* __restrict q, const double* __restrict s, const double* __restrict t,
                          double* __restrict out) {
  const double a = factors[0], b = factors[1], c = factors[2], d = factors[3];
  for (std::size_t j = 0; j < count; ++j) out[j] -= (a * p[j] + b * q[j]) + (c * s[j] + d * t[j]);
}

inline void subtract_two(std::size_t count, double a, double b, const double* __restrict p, const double* __restrict q,
                         double* __restrict out) {
  for (std::size_t j = 0; j < count; ++j) out[j] -= a * p[j] + b * q[j];
}

// D -= Yᵀ Y for k rows of Y, which row(i) finds: several at a time, so that D is read and written less often.
template <class Row>
void subtract_squares(std::size_t count, std::size_t k, Row&& row, double* D, std::size_t stride) {
  std::size_t l = 0;
  for (; l + 4 <= k; l += 4) {
    const double* const y[4] = {row(l), row(l + 1), row(l + 2), row(l + 3)};
    for (std::size_t i = 0; i < count; ++i) {
      const double factors[4] = {y[0][i], y[1][i], y[2][i], y[3][i]};
      subtract_four(i + 1, factors, y[0], y[1], y[2], y[3], D + i * stride);
    }
  }
  for (; l + 2 <= k; l += 2) {
    const double* const p = row(l);
    const double* const q = row(l + 1);
    for (std::size_t i = 0; i < count; ++i) subtract_two(i + 1, p[i], q[i], p, q, D + i * stride);
  }
  if (l == k) return;
  const double* const y = row(l);
  for (std::size_t i = 0; i < count; ++i) subtract_multiple(i + 1, y[i], y, D + i * stride);
}

// I = L Lᵀ, row by row, the diagonal inverted. A body on which nothing hangs has its mass and inertia apart: true then.
inline bool factor_inertia(const Inertia& I, double* L) {
  using std::sqrt;
  std::size_t n = 0;
  bool is_bare = I.A[1] == 0.0 && I.A[2] == 0.0 && I.A[4] == 0.0;
  for (const double x : I.B) is_bare = is_bare && x == 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      L[6 * j + i] = I.A[n];
      L[6 * (3 + j) + 3 + i] = I.C[n];
    }
    for (std::size_t j = 0; j < 3; ++j) L[6 * (3 + j) + i] = I.B[3 * i + j];
  }
  if (!is_bare) {
    cholesky(FixedSize<6>{}, L, FixedSize<6>{});
    return false;
  }
  for (std::size_t i = 0; i < 3; ++i) L[7 * i] = 1.0 / sqrt(L[7 * i]);
  cholesky(FixedSize<3>{}, L + 21, FixedSize<6>{});
  return true;
}

// Lower half of L⁻¹, in rows of six like L, whose diagonal is inverted.
template <class Size>
void invert_lower(Size n, const double* L, double* inverse) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0.0;
      for (std::size_t k = j; k < i; ++k) sum += L[6 * i + k] * inverse[6 * k + j];
      inverse[6 * i + j] = -L[7 * i] * sum;
    }
    inverse[7 * i] = L[7 * i];
  }
}

// x := L⁻¹ x and x := L⁻ᵀ x of six numbers
inline void solve_lower6(const double* L, double* x) {
  x[0] *= L[0];
  x[1] = (x[1] - L[6] * x[0]) * L[7];
  x[2] = (x[2] - L[12] * x[0] - L[13] * x[1]) * L[14];
  x[3] = (x[3] - L[18] * x[0] - L[19] * x[1] - L[20] * x[2]) * L[21];
  x[4] = (x[4] - L[24] * x[0] - L[25] * x[1] - L[26] * x[2] - L[27] * x[3]) * L[28];
  x[5] = (x[5] - L[30] * x[0] - L[31] * x[1] - L[32] * x[2] - L[33] * x[3] - L[34] * x[4]) * L[35];
}
inline void solve_lower_transposed6(const double* L, double* x) {
  x[5] *= L[35];
  x[4] = (x[4] - L[34] * x[5]) * L[28];
  x[3] = (x[3] - L[33] * x[5] - L[27] * x[4]) * L[21];
  x[2] = (x[2] - L[32] * x[5] - L[26] * x[4] - L[20] * x[3]) * L[14];
  x[1] = (x[1] - L[31] * x[5] - L[25] * x[4] - L[19] * x[3] - L[13] * x[2]) * L[7];
  x[0] = (x[0] - L[30] * x[5] - L[24] * x[4] - L[18] * x[3] - L[12] * x[2] - L[6] * x[1]) * L[0];
}

// Rows of one side of a joint, scaled, six numbers each.
inline void scaled_rows(const JointView& view, const double* scale, double* out) {
  const double sign = view.sign();
  if (view.joint->points != 0) {
    const double* const s = view.arm();
    const double moment[9] = {0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0};  // s × e_i
    for (std::size_t i = 0; i < 3; ++i, out += 6, ++scale) {
      for (std::size_t n = 0; n < 3; ++n) {
        out[n] = n == i ? sign * *scale : 0.0;
        out[3 + n] = sign * *scale * moment[3 * i + n];
      }
    }
  }
  for (std::size_t i = 0; i < view.joint->turns; ++i, out += 6, ++scale) {
    for (std::size_t n = 0; n < 3; ++n) {
      out[n] = 0.0;
      out[3 + n] = sign * *scale * view.turn(i)[n];
    }
  }
  for (std::size_t i = 0; i < view.joint->lines; ++i, out += 6, ++scale) {
    const double* const l = view.line(i);
    for (std::size_t n = 0; n < 3; ++n) {
      out[n] = sign * *scale * l[n];
      out[3 + n] = *scale * l[(view.is_b ? 6 : 3) + n];
    }
  }
}

}  // namespace gelenk::solve
