#pragma once

#include "gelenk/mechanics/forces/bushing.h"
#include "gelenk/mechanics/touch_rows.h"
#include "gelenk/symbolic/traced.h"

// Kernels that branch on values to keep digits, once more without: as formulas they compute both ways and choose.
namespace gelenk::mechanics {

// x < limit ? below : above
inline symbolic::Traced chosen_by_size(const symbolic::Traced& x, double limit, const symbolic::Traced& below,
                                       const symbolic::Traced& above) {
  if (x.is_number()) return x.number() < limit ? below : above;
  const symbolic::Traced is_below = symbolic::Traced::both(symbolic::Op::less, x, symbolic::Traced(limit), 0.0);
  return symbolic::Traced::choose(is_below, below, above);
}

// Through the quaternion q: q₀ = √(1 + tr R) / 2, v = (R - Rᵀ)ᵛ / 4 q₀, of an angle that is not near π.
template <>
inline Vec3<symbolic::Traced> rotation_vector(const Mat3<symbolic::Traced>& R) {
  using symbolic::Traced;
  const Traced q0 = sqrt(R.trace() + Traced(1.0)) * Traced(0.5);
  const Traced quarter = Traced(0.25) / q0;
  const Vec3<Traced> v(quarter * (R(2, 1) - R(1, 2)), quarter * (R(0, 2) - R(2, 0)), quarter * (R(1, 0) - R(0, 1)));
  const Traced square = v.dot(v);
  const Traced sine = sqrt(square);
  const Traced series = Traced(2.0) + square * (Traced(1.0 / 3.0) + square * Traced(3.0 / 20.0));
  return v * chosen_by_size(square, 1e-6, series, atan2(sine, q0) * Traced(2.0) / sine);
}

template <>
inline Vec3<symbolic::Traced> moment_of_gradient(const Vec3<symbolic::Traced>& turn, const Vec3<symbolic::Traced>& x) {
  using symbolic::Traced;
  const Traced square = turn.dot(turn);
  const Traced half = sqrt(square) * Traced(0.5);
  const Traced series = Traced(1.0 / 12.0) + square * (Traced(1.0 / 720.0) + square * Traced(1.0 / 30240.0));
  const Traced c = chosen_by_size(square, 1e-2, series, (Traced(1.0) - half / tan(half)) / square);
  const Vec3<Traced> cross = turn.cross(x);
  return x + cross * Traced(0.5) + turn.cross(cross) * c;
}

// Of a disk that does not lie flat.
template <>
inline Lean<symbolic::Traced> lean_of(const Motion<symbolic::Traced>& A, const Motion<symbolic::Traced>& B) {
  using symbolic::Traced;
  const Vec3<Traced> n = A.R.col(2);
  const Vec3<Traced> a = B.R.col(2);
  const Vec3<Traced> across = a.cross(n);
  Lean<Traced> lean{a.dot(n), sqrt(across.dot(across))};
  lean.c_rate = Vec3<Traced>(B.w - A.w).dot(across);
  lean.s_rate = -lean.c * lean.c_rate / lean.s;
  return lean;
}

}  // namespace gelenk::mechanics
