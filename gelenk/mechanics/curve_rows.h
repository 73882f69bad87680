#pragma once

#include <cmath>
#include <type_traits>

#include "gelenk/math/curve.h"
#include "gelenk/mechanics/motion.h"
#include "gelenk/system/system.h"

// Rows of a point on a curve and of axes along it (equations.md (3.8) to (3.10)). The curve C(u) is fixed in A; W and
// an axis b of B are in the axes of A here. With the nearest point, C'·(W - C) = 0,
//   ∇u = C' / (C'·C' - C''·(W - C)),   h = W - C,                                                             (1)
// and the axes of the curve there, f_0 along it, f_1 and f_2 across,
//   gap:     g = f_i·h,            ∂g/∂W = f_i + (f_i'·h) ∇u                                                  (2)
//   travel:  g = s(u) - value(t),  ∂g/∂W = |C'| ∇u                                                            (3)
//   turn:    g = f_i·b,            ∂g/∂W = (f_i'·b) ∇u,   ∂g/∂b = f_i                                         (4)
namespace gelenk::mechanics {

inline bool is_on_curve(system::RowKind kind) {
  using system::RowKind;
  return kind == RowKind::curve_gap || kind == RowKind::curve_travel || kind == RowKind::curve_turn;
}

template <class T>
struct NearestOnCurve {
  CurvePoint<T> C;
  Vec3<T> h, slope;  // slope: ∇u
};

template <class T>
NearestOnCurve<T> nearest_on(const Curve& curve, const Vec3<T>& W) {
  NearestOnCurve<T> result;
  result.C = curve.at(parameter_near(curve, W));
  result.h = W - result.C.position;
  result.slope = result.C.first / (result.C.first.dot(result.C.first) - result.C.second.dot(result.h));
  return result;
}

// Value and slopes of a row, all in axes of A.
template <class T>
struct CurveRow {
  T value{0.0};
  Vec3<T> by_place = Vec3<T>::Zero();  // ∂g/∂W
  Vec3<T> by_axis = Vec3<T>::Zero();   // ∂g/∂b
};

template <class T>
CurveRow<T> curve_row(const system::Row& row, const Curve& curve, const Vec3<T>& W, const Vec3<T>& b) {
  using std::sqrt;
  const NearestOnCurve<T> near = nearest_on(curve, W);
  CurveRow<T> result;
  if (row.kind == system::RowKind::curve_travel) {
    result.value = travel_near(curve, W);
    result.by_place = near.slope * T(sqrt(near.C.first.dot(near.C.first)));  // (3)
    return result;
  }
  const CurveAxes<T> axes = axes_of(curve, near.C);
  const Vec3<T> f = axes.directions.col(row.axis_a);
  const Vec3<T> f_slope = axes.slopes.col(row.axis_a);
  if (row.kind == system::RowKind::curve_gap) {
    result.value = f.dot(near.h);
    result.by_place = f + near.slope * f_slope.dot(near.h);  // (2)
  } else {
    result.value = f.dot(b);
    result.by_place = near.slope * f_slope.dot(b);  // (4)
    result.by_axis = f;
  }
  return result;
}

template <class T>
CurveRow<T> curve_row(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const Curve& curve) {
  const Vec3<T> W = A.R.transpose() * Vec3<T>(B.p - A.p);
  const Vec3<T> b = A.R.transpose() * Vec3<T>(B.R.col(row.axis_b));
  return curve_row<T>(row, curve, W, b);
}

// ∂g/∂W and ∂g/∂b as wrenches: what moves with A turns both.
template <class T, class Jacobian>
void set_curve_jacobian(const CurveRow<T>& of_row, const Motion<T>& A, const Motion<T>& B, int axis_b, Jacobian& J) {
  const Vec3<T> d = A.R * of_row.by_place;
  const Vec3<T> turn = Vec3<T>(B.R.col(axis_b)).cross(Vec3<T>(A.R * of_row.by_axis));
  J.b_linear = d;
  J.a_linear = -d;
  J.a_angular = d.cross(Vec3<T>(B.p - A.p)) - turn;
  J.b_angular = turn;
}

// g̈ but for what accelerations of the bodies do to it: the slopes change as W and b move, which dual numbers along the
// motion follow. The values behind them are numbers.
inline double curve_drift(const system::Row& row, const Motion<double>& A, const Motion<double>& B,
                          const Vector3& bias_a, const Vector3& bias_b, const Curve& curve) {
  const Matrix3 R_AW = A.R.transpose();
  const Vector3 gap = B.p - A.p;
  const Vector3 gap_rate = B.v - A.v;
  const Vector3 W = R_AW * gap;
  const Vector3 W_rate = R_AW * (gap_rate - A.w.cross(gap));
  const Vector3 W_bias = R_AW * (bias_b - bias_a - 2.0 * A.w.cross(gap_rate) + A.w.cross(A.w.cross(gap)));
  const Vector3 b = R_AW * B.R.col(row.axis_b);
  const Vector3 turning = R_AW * (B.w - A.w);
  const Vector3 b_rate = turning.cross(b);
  const Vector3 b_bias = turning.cross(b_rate) - (R_AW * A.w.cross(B.w)).cross(b);
  Vec3<Dual<1>> W_moving = W.cast<Dual<1>>(), b_moving = b.cast<Dual<1>>();
  for (int i = 0; i < 3; ++i) {
    W_moving(i).partials[0] = W_rate(i);
    b_moving(i).partials[0] = b_rate(i);
  }
  const CurveRow<Dual<1>> moving = curve_row<Dual<1>>(row, curve, W_moving, b_moving);
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += moving.by_place(i).partials[0] * W_rate(i) + moving.by_place(i).value * W_bias(i);
    sum += moving.by_axis(i).partials[0] * b_rate(i) + moving.by_axis(i).value * b_bias(i);
  }
  return sum;
}

// Brings the difference of two travels of a closed curve to the shorter way around.
template <class T>
T shorter_way(const T& difference, const Curve& curve) {
  if (!curve.is_closed()) return difference;
  return difference - curve.period() * std::round(value_of(difference) / curve.period());
}

}  // namespace gelenk::mechanics
