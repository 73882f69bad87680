#pragma once

#include <cmath>
#include <limits>

#include "gelenk/mechanics/motion.h"
#include "gelenk/model/joints/rolling.h"
#include "gelenk/system/system.h"

// Rows at a place C where frame B touches what carries frame A: the velocity of B's material at C against that of A's,
// along a direction d (equations.md (3.5)). With ρ the vector from Bo to C and W that from Ao to Bo,
//   ġ = d·(v_B + w_B × ρ - v_A - w_A × (W + ρ)).                                                             (1)
// A blade touches at its own origin, ρ = 0. A rim of radius R about a = z_B touches the plane with normal n = z_A at
// its lowest point. With c = a·n and s = |a × n|, the sine of the angle between both,
//   ρ = -R (n - c a) / s,   along t = a × n / s,   sideways l = n × t = (a - c n) / s.                       (2)
namespace gelenk::mechanics {

template <class T>
struct Touch {
  Vec3<T> d;    // unit vector
  Vec3<T> arm;  // ρ
};

inline bool is_touch(system::RowKind kind) {
  using system::RowKind;
  return kind == RowKind::rim_gap || kind == RowKind::rim_slip || kind == RowKind::blade_slip;
}

// How a disk lies on its plane: c, s and their rates. s of a disk that lies flat is not a number: a run ends there.
template <class T>
struct Lean {
  T c, s;
  T c_rate{0.0}, s_rate{0.0};
};

template <class T>
Lean<T> lean_of(const Motion<T>& A, const Motion<T>& B) {
  using std::sqrt;
  const Vec3<T> n = A.R.col(2);
  const Vec3<T> a = B.R.col(2);
  const Vec3<T> across = a.cross(n);
  Lean<T> lean{a.dot(n), sqrt(across.dot(across))};
  if (lean.s < T(model::kFlattestDisk)) lean.s = T(std::numeric_limits<double>::quiet_NaN());
  lean.c_rate = (B.w - A.w).dot(across);
  lean.s_rate = -lean.c * lean.c_rate / lean.s;
  return lean;
}

template <class T>
Touch<T> touch(const system::Row& row, const Motion<T>& A, const Motion<T>& B, double radius) {
  if (row.kind == system::RowKind::blade_slip) return {B.R.col(row.axis_b), Vec3<T>::Zero()};
  const Vec3<T> n = A.R.col(2);
  const Vec3<T> a = B.R.col(2);
  const Lean<T> lean = lean_of(A, B);
  const Vec3<T> arm = (a * lean.c - n) * (T(radius) / lean.s);
  if (row.kind == system::RowKind::rim_gap) return {n, arm};
  return {row.axis_a == 0 ? Vec3<T>(a.cross(n) / lean.s) : Vec3<T>((a - n * lean.c) / lean.s), arm};
}

// The rates of both, for frames that move with their angular velocities.
template <class T>
Touch<T> touch_rate(const system::Row& row, const Motion<T>& A, const Motion<T>& B, double radius) {
  if (row.kind == system::RowKind::blade_slip) return {B.w.cross(B.R.col(row.axis_b)), Vec3<T>::Zero()};
  const Vec3<T> n = A.R.col(2);
  const Vec3<T> a = B.R.col(2);
  const Vec3<T> n_rate = A.w.cross(n);
  const Vec3<T> a_rate = B.w.cross(a);
  const Lean<T> lean = lean_of(A, B);
  const Touch<T> now = touch(row, A, B, radius);
  const T shrink = lean.s_rate / lean.s;
  const Vec3<T> arm = (a_rate * lean.c + a * lean.c_rate - n_rate) * (T(radius) / lean.s) - now.arm * shrink;
  if (row.kind == system::RowKind::rim_gap) return {n_rate, arm};
  const Vec3<T> turning = row.axis_a == 0 ? Vec3<T>(a_rate.cross(n) + a.cross(n_rate))
                                          : Vec3<T>(a_rate - n_rate * lean.c - n * lean.c_rate);
  return {turning / lean.s - now.d * shrink, arm};
}

// g of a rim; a row of velocities has none.
template <class T>
T touch_value(const system::Row& row, const Motion<T>& A, const Motion<T>& B, double radius) {
  if (row.is_of_velocity()) return T(0.0);
  const Vec3<T> W = B.p - A.p;
  return A.R.col(2).dot(W) - T(radius) * lean_of(A, B).s;
}

// -(g̈ less what accelerations of the bodies do to it), from (1) by the rates of d and ρ.
template <class T>
T touch_bias(const system::Row& row, const Motion<T>& A, const Motion<T>& B, const Vec3<T>& bias_a,
             const Vec3<T>& bias_b, double radius) {
  const Touch<T> now = touch(row, A, B, radius);
  const Touch<T> rate = touch_rate(row, A, B, radius);
  const Vec3<T> from_a = B.p - A.p + now.arm;
  const Vec3<T> from_a_rate = B.v - A.v + rate.arm;
  const Vec3<T> slip = B.v + B.w.cross(now.arm) - A.v - A.w.cross(from_a);
  const Vec3<T> slip_bias = bias_b + B.w.cross(rate.arm) - bias_a - A.w.cross(from_a_rate);
  return -(rate.d.dot(slip) + now.d.dot(slip_bias));
}

}  // namespace gelenk::mechanics
