#pragma once

#include <cmath>
#include <cstddef>

#include "gelenk/math/vector_lanes.h"
#include "gelenk/solve/fixed_sizes.h"

// Three- and six-vectors as plain arrays, for the kernels of the elimination program. Six-vectors are linear first; all
// are in world axes.
namespace gelenk::solve {

GELENK_ALWAYS_INLINE double dot3(const double* p, const double* q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }

GELENK_ALWAYS_INLINE double dot6(const double* p, const double* q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] + p[4] * q[4] + p[5] * q[5];
}

// body(0) … body(5), written out. Of a loop compilers make packed loads, and these wait for the single stores that have
// just put the numbers where they are; written out, the numbers stay in registers.
template <class Body>
GELENK_ALWAYS_INLINE void each6(Body&& body) {
  repeat(FixedSize<6>{}, body);
}

// Compilers call a function of the library for std::copy_n().
GELENK_ALWAYS_INLINE void copy3(const double* from, double* to) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = from[i];
}
GELENK_ALWAYS_INLINE void copy6(const double* from, double* to) {
  each6([&](std::size_t i) GELENK_INLINE_LAMBDA { to[i] = from[i]; });
}

// out must not be p or q.
GELENK_ALWAYS_INLINE void cross(const double* p, const double* q, double* out) {
  out[0] = p[1] * q[2] - p[2] * q[1];
  out[1] = p[2] * q[0] - p[0] * q[2];
  out[2] = p[0] * q[1] - p[1] * q[0];
}

// out += p × q
GELENK_ALWAYS_INLINE void add_cross(const double* p, const double* q, double* out) {
  out[0] += p[1] * q[2] - p[2] * q[1];
  out[1] += p[2] * q[0] - p[0] * q[2];
  out[2] += p[0] * q[1] - p[1] * q[0];
}

// Motion of the point at v from where `motion` is given, on the same rigid body: X motion. out may be motion.
GELENK_ALWAYS_INLINE void shift_motion(const double* v, const double* motion, double* out) {
  const double x = motion[0] + (motion[4] * v[2] - motion[5] * v[1]);
  const double y = motion[1] + (motion[5] * v[0] - motion[3] * v[2]);
  const double z = motion[2] + (motion[3] * v[1] - motion[4] * v[0]);
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = motion[3];
  out[4] = motion[4];
  out[5] = motion[5];
}

// sum += Xᵀ wrench: a wrench at the point v, expressed at the origin of v.
GELENK_ALWAYS_INLINE void add_shifted_wrench(const double* v, const double* wrench, double* sum) {
  each6([&](std::size_t i) GELENK_INLINE_LAMBDA { sum[i] += wrench[i]; });
  add_cross(v, wrench, sum + 3);
}

// A symmetric 6 x 6 matrix that turns motions into wrenches: [A B; Bᵀ C].
struct Inertia {
  double A[6];  // xx xy xz yy yz zz
  double B[9];  // row by row
  double C[6];

  void set_zero() {
    for (double& x : A) x = 0.0;
    for (double& x : B) x = 0.0;
    for (double& x : C) x = 0.0;
  }
};

// All 36 numbers, row by row.
inline void put_full(const Inertia& I, double* full) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      full[6 * i + j] = full[6 * j + i] = I.A[n];
      full[6 * (3 + i) + 3 + j] = full[6 * (3 + j) + 3 + i] = I.C[n];
    }
    for (std::size_t j = 0; j < 3; ++j) full[6 * i + 3 + j] = full[6 * (3 + j) + i] = I.B[3 * i + j];
  }
}

GELENK_ALWAYS_INLINE void multiply_symmetric3(const double* S, const double* x, double* out) {
  out[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
  out[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
  out[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

// out must not be motion.
GELENK_ALWAYS_INLINE void multiply(const Inertia& I, const double* motion, double* out) {
  const double* const a = motion;
  const double* const w = motion + 3;
  out[0] = I.A[0] * a[0] + I.A[1] * a[1] + I.A[2] * a[2] + I.B[0] * w[0] + I.B[1] * w[1] + I.B[2] * w[2];
  out[1] = I.A[1] * a[0] + I.A[3] * a[1] + I.A[4] * a[2] + I.B[3] * w[0] + I.B[4] * w[1] + I.B[5] * w[2];
  out[2] = I.A[2] * a[0] + I.A[4] * a[1] + I.A[5] * a[2] + I.B[6] * w[0] + I.B[7] * w[1] + I.B[8] * w[2];
  out[3] = I.B[0] * a[0] + I.B[3] * a[1] + I.B[6] * a[2] + I.C[0] * w[0] + I.C[1] * w[1] + I.C[2] * w[2];
  out[4] = I.B[1] * a[0] + I.B[4] * a[1] + I.B[7] * a[2] + I.C[1] * w[0] + I.C[3] * w[1] + I.C[4] * w[2];
  out[5] = I.B[2] * a[0] + I.B[5] * a[1] + I.B[8] * a[2] + I.C[2] * w[0] + I.C[4] * w[1] + I.C[5] * w[2];
}

// The same of a body on which nothing hangs: its mass and the inertia about its center.
struct BareInertia {
  double mass;
  const double* C;
};

GELENK_ALWAYS_INLINE void multiply(const BareInertia& I, const double* motion, double* out) {
  for (std::size_t i = 0; i < 3; ++i) out[i] = I.mass * motion[i];
  multiply_symmetric3(I.C, motion + 3, out + 3);
}

inline void add_inertia(const Inertia& summand, Inertia& sum) {
  for (std::size_t i = 0; i < 6; ++i) sum.A[i] += summand.A[i];
  for (std::size_t i = 0; i < 9; ++i) sum.B[i] += summand.B[i];
  for (std::size_t i = 0; i < 6; ++i) sum.C[i] += summand.C[i];
}

// I -= y zᵀ for vectors whose product is symmetric
GELENK_ALWAYS_INLINE void subtract_product(const double* y, const double* z, Inertia& I) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      I.A[n] -= y[i] * z[j];
      I.C[n] -= y[3 + i] * z[3 + j];
    }
    for (std::size_t j = 0; j < 3; ++j) I.B[3 * i + j] -= y[i] * z[3 + j];
  }
}

// sum += Xᵀ I X, with X the shift by v: an inertia expressed at v, moved to the origin of v. With [v] the cross product
// matrix, X = [1 -[v]; 0 1]: A' = A, B' = B - A [v], C' = C + [v] B' + ([v] B)ᵀ.
inline void add_shifted_inertia(const double* v, const Inertia& I, Inertia& sum) {
  const double* const A = I.A;
  const double* const B = I.B;
  // Rows of A [v]: row × v.
  const double row_x[3] = {A[0], A[1], A[2]}, row_y[3] = {A[1], A[3], A[4]}, row_z[3] = {A[2], A[4], A[5]};
  double N[9];
  cross(row_x, v, N);
  cross(row_y, v, N + 3);
  cross(row_z, v, N + 6);
  for (std::size_t i = 0; i < 9; ++i) N[i] = B[i] - N[i];  // B'
  for (std::size_t i = 0; i < 6; ++i) sum.A[i] += A[i];
  for (std::size_t i = 0; i < 9; ++i) sum.B[i] += N[i];
  // [v] B': column j is v × B'_j; ([v] B)ᵀ: row j is v × B_j.
  double P[9];
  double Q[9];
  for (std::size_t j = 0; j < 3; ++j) {
    const double primed[3] = {N[j], N[3 + j], N[6 + j]};
    const double plain[3] = {B[j], B[3 + j], B[6 + j]};
    double c[3];
    cross(v, primed, c);
    P[j] = c[0];
    P[3 + j] = c[1];
    P[6 + j] = c[2];
    cross(v, plain, Q + 3 * j);
  }
  sum.C[0] += I.C[0] + (P[0] + Q[0]);
  sum.C[1] += I.C[1] + (P[1] + Q[1]);
  sum.C[2] += I.C[2] + (P[2] + Q[2]);
  sum.C[3] += I.C[3] + (P[4] + Q[4]);
  sum.C[4] += I.C[4] + (P[5] + Q[5]);
  sum.C[5] += I.C[5] + (P[8] + Q[8]);
}

// The same with A = m, B = 0: B' = -m [v], C' = C + m (v² - v vᵀ).
GELENK_ALWAYS_INLINE void add_shifted_inertia(const double* v, const BareInertia& I, Inertia& sum) {
  const double p[3] = {I.mass * v[0], I.mass * v[1], I.mass * v[2]};
  sum.A[0] += I.mass;
  sum.A[3] += I.mass;
  sum.A[5] += I.mass;
  sum.B[1] += p[2];
  sum.B[2] -= p[1];
  sum.B[3] -= p[2];
  sum.B[5] += p[0];
  sum.B[6] += p[1];
  sum.B[7] -= p[0];
  sum.C[0] += I.C[0] + (p[1] * v[1] + p[2] * v[2]);
  sum.C[1] += I.C[1] - p[0] * v[1];
  sum.C[2] += I.C[2] - p[0] * v[2];
  sum.C[3] += I.C[3] + (p[0] * v[0] + p[2] * v[2]);
  sum.C[4] += I.C[4] - p[1] * v[2];
  sum.C[5] += I.C[5] + (p[0] * v[0] + p[1] * v[1]);
}

// Lower Cholesky factor of the n x n matrix H in place, row by row with the given stride; the diagonal is left
// inverted. Size: std::size_t or a FixedSize. Returns the smallest ratio of a pivot to what it was before: zero or less
// means not positive.
template <class Size, class Stride>
double cholesky(Size n, double* H, Stride stride) {
  using std::sqrt;
  double worst = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = H + i * stride;
    const double before = row[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* const other = H + j * stride;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = sum * other[j];
    }
    double pivot = before;
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k];
    if (!(pivot > 0.0)) return 0.0;
    const double ratio = pivot / before;
    if (ratio < worst) worst = ratio;
    row[i] = 1.0 / sqrt(pivot);
  }
  return worst;
}

// x := L⁻¹ x and x := L⁻ᵀ x, L as cholesky() leaves it.
template <class Size>
void solve_lower(Size n, const double* L, Size stride, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= L[i * stride + k] * x[k];
    x[i] = sum * L[i * stride + i];
  }
}

template <class Size>
void solve_lower_transposed(Size n, const double* L, Size stride, double* x) {
  for (std::size_t i = n; i-- > 0;) {
    x[i] *= L[i * stride + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= L[i * stride + k] * x[i];
  }
}

}  // namespace gelenk::solve
