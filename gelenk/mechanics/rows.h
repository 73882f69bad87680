#pragma once

#include "gelenk/mechanics/curve_rows.h"
#include "gelenk/mechanics/motion.h"
#include "gelenk/mechanics/touch_rows.h"
#include "gelenk/system/system.h"

// Constraint rows on two frames A and B; W is the vector from Ao to Bo. A row has
//   its value g, zero when the joint is closed,                                                           (1)
//   its rate ġ = J_A·V_A + J_B·V_B + g_t, with the twists of the two frames,                              (2)
//   and the condition g̈ = 0, written J_A·A_A + J_B·A_B = u with the accelerations of the two frames.      (3)
// J_B is also the wrench on the second part, about Bo, that a multiplier of one exerts. A row of velocities
// (system::RowLevel) has no value: (1) is zero for it, and (2) is all that it demands.
namespace gelenk::mechanics {

// Prescribed motion of a driven row.
template <class T>
struct Prescribed {
  T value{0.0};
  T rate{0.0};
  T acceleration{0.0};
};

template <class T>
struct RowJacobian {
  Vec3<T> a_linear = Vec3<T>::Zero(), a_angular = Vec3<T>::Zero();
  Vec3<T> b_linear = Vec3<T>::Zero(), b_angular = Vec3<T>::Zero();
};

// A direction that may turn within its frame: w_rel, and the known part of its angular acceleration.
template <class T>
struct Direction {
  Vec3<T> d;
  Vec3<T> w;      // angular velocity of the direction
  Vec3<T> w_rel;  // of it against its frame
  Vec3<T> bias;   // angular acceleration less that of the frame
};

template <class T>
Direction<T> fixed_direction(const Motion<T>& frame, int axis) {
  return {frame.R.col(axis), frame.w, Vec3<T>::Zero(), Vec3<T>::Zero()};
}

// Direction cos φ c + sin φ s, which turns about `axis` with φ(t).
template <class T>
Direction<T> turning_direction(const Motion<T>& frame, const Vec3<T>& c, const Vec3<T>& s, const Vec3<T>& axis, T value,
                               T rate, T acceleration) {
  using std::cos;
  using std::sin;
  Direction<T> result;
  result.d = c * cos(value) + s * sin(value);
  result.w_rel = axis * rate;
  result.w = frame.w + result.w_rel;
  result.bias = axis * acceleration + frame.w.cross(result.w_rel);
  return result;
}

// The two directions of a row that says d_A · d_B = 0.
template <class T>
struct DirectionPair {
  Direction<T> a, b;
};

template <class T>
DirectionPair<T> directions(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const Prescribed<T>& p) {
  using system::RowKind;
  switch (row.kind) {
    case RowKind::angle_at_a:
      // y of A turned by φ about z of A, against x of B: (cos φ y_A - sin φ x_A)·x_B = sin(θ - φ)
      return {turning_direction<T>(A, A.R.col(1), -A.R.col(0), A.R.col(2), p.value, p.rate, p.acceleration),
              fixed_direction(B, 0)};
    case RowKind::angle_at_b:
      // z of A against y of B turned by -φ about x of B: z_A·(cos φ y_B - sin φ z_B) = sin(θ - φ)
      return {fixed_direction(A, 2),
              turning_direction<T>(B, B.R.col(1), B.R.col(2), B.R.col(0), -p.value, -p.rate, -p.acceleration)};
    default:
      return {fixed_direction(A, row.axis_a), fixed_direction(B, row.axis_b)};
  }
}

// The two products of axes whose half difference is a row of a twist.
inline system::Row twist_half(const system::Row& row, bool is_first) {
  system::Row half = row;
  half.kind = system::RowKind::dot;
  half.axis_a = is_first ? 1 : 0;
  half.axis_b = is_first ? 0 : 1;
  return half;
}

// Equation (1). `held`: length of a distance row, radius of a rim, angle of a cosine, or curve.
template <class T>
T row_value(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const system::Held& held,
            const Prescribed<T>& p) {
  using system::RowKind;
  const double length = held.size;
  if (is_touch(row.kind)) return touch_value(row, A, B, length);
  if (row.kind == RowKind::curve_travel) {
    return shorter_way<T>(curve_row(row, A, B, *held.curve).value - p.value, *held.curve);
  }
  if (is_on_curve(row.kind)) return curve_row(row, A, B, *held.curve).value;
  const Vec3<T> W = B.p - A.p;
  switch (row.kind) {
    case RowKind::world_axis:
      return W(row.axis_a);
    case RowKind::frame_axis:
      return A.R.col(row.axis_a).dot(W) - p.value;
    case RowKind::distance:
      return (W.dot(W) - length * length) / (2.0 * length);
    case RowKind::cosine:
      return A.R.col(row.axis_a).dot(B.R.col(row.axis_b)) - T(std::cos(length));
    case RowKind::twist:
      return (A.R.col(1).dot(B.R.col(0)) - A.R.col(0).dot(B.R.col(1))) * T(0.5);
    default: {
      const DirectionPair<T> pair = directions(row, A, B, p);
      return pair.a.d.dot(pair.b.d);
    }
  }
}

template <class T>
RowJacobian<T> row_jacobian(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const system::Held& held,
                            const Prescribed<T>& p) {
  using system::RowKind;
  const double length = held.size;
  RowJacobian<T> J;
  if (is_on_curve(row.kind)) {
    set_curve_jacobian(curve_row(row, A, B, *held.curve), A, B, row.axis_b, J);
    return J;
  }
  const Vec3<T> W = B.p - A.p;
  if (is_touch(row.kind)) {
    const Touch<T> at = touch(row, A, B, length);
    J.b_linear = at.d;
    J.b_angular = at.arm.cross(at.d);
    J.a_linear = -at.d;
    J.a_angular = -(W + at.arm).cross(at.d);
    return J;
  }
  switch (row.kind) {
    case RowKind::world_axis:
      J.b_linear(row.axis_a) = T(1.0);
      J.a_linear(row.axis_a) = T(-1.0);
      break;
    case RowKind::frame_axis: {
      const Vec3<T> n = A.R.col(row.axis_a);
      J.b_linear = n;
      J.a_linear = -n;
      J.a_angular = n.cross(W);
      break;
    }
    case RowKind::distance:
      J.b_linear = W / T(length);
      J.a_linear = -J.b_linear;
      break;
    case RowKind::twist:
      J.a_angular = (A.R.col(1).cross(B.R.col(0)) - A.R.col(0).cross(B.R.col(1))) * T(0.5);
      J.b_angular = -J.a_angular;
      break;
    default: {
      const DirectionPair<T> pair = directions(row, A, B, p);
      J.a_angular = pair.a.d.cross(pair.b.d);
      J.b_angular = -J.a_angular;
    }
  }
  return J;
}

// ġ of equation (2) but for g_t
template <class T>
T row_rate(const RowJacobian<T>& J, const Motion<T>& A, const Motion<T>& B) {
  return J.a_linear.dot(A.v) + J.a_angular.dot(A.w) + J.b_linear.dot(B.v) + J.b_angular.dot(B.w);
}

// g_t of equation (2)
template <class T>
T row_time_rate(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const Prescribed<T>& p) {
  using system::RowKind;
  switch (row.kind) {
    case RowKind::frame_axis:
    case RowKind::curve_travel:
      return -p.rate;
    case RowKind::angle_at_a:
    case RowKind::angle_at_b: {
      const DirectionPair<T> pair = directions(row, A, B, p);
      return pair.a.w_rel.cross(pair.a.d).dot(pair.b.d) + pair.a.d.dot(pair.b.w_rel.cross(pair.b.d));
    }
    default:
      return T(0.0);
  }
}

// u of equation (3). bias_a, bias_b: accelerations of the two origins when those of the bodies are zero.
template <class T>
T row_bias(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const Vec3<T>& bias_a, const Vec3<T>& bias_b,
           const system::Held& held, const Prescribed<T>& p) {
  using system::RowKind;
  const double length = held.size;
  if (is_touch(row.kind)) return touch_bias(row, A, B, bias_a, bias_b, length);
  if constexpr (std::is_same_v<T, double>) {
    if (is_on_curve(row.kind)) return p.acceleration - curve_drift(row, A, B, bias_a, bias_b, *held.curve);
  }
  const Vec3<T> W = B.p - A.p;
  const Vec3<T> W_rate = B.v - A.v;
  const Vec3<T> W_bias = bias_b - bias_a;
  switch (row.kind) {
    case RowKind::world_axis:
      return -W_bias(row.axis_a);
    case RowKind::frame_axis: {
      const Vec3<T> n = A.R.col(row.axis_a);
      const Vec3<T> n_rate = A.w.cross(n);
      return p.acceleration - A.w.cross(n_rate).dot(W) - T(2.0) * n_rate.dot(W_rate) - n.dot(W_bias);
    }
    case RowKind::distance:
      return -(W_rate.dot(W_rate) + W.dot(W_bias)) / T(length);
    case RowKind::twist:
      return (row_bias<T>(twist_half(row, true), A, B, bias_a, bias_b, held, p) -
              row_bias<T>(twist_half(row, false), A, B, bias_a, bias_b, held, p)) *
             T(0.5);
    default: {
      const DirectionPair<T> pair = directions(row, A, B, p);
      const Direction<T>& a = pair.a;
      const Direction<T>& b = pair.b;
      const Vec3<T> a_rate = a.w.cross(a.d);
      const Vec3<T> b_rate = b.w.cross(b.d);
      const Vec3<T> a_bias = a.bias.cross(a.d) + a.w.cross(a_rate);
      const Vec3<T> b_bias = b.bias.cross(b.d) + b.w.cross(b_rate);
      return -(a_bias.dot(b.d) + T(2.0) * a_rate.dot(b_rate) + a.d.dot(b_bias));
    }
  }
}

}  // namespace gelenk::mechanics
