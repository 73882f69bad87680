#pragma once

#include <cmath>
#include <numbers>

#include "gelenk/mechanics/motion.h"
#include "gelenk/mechanics/rows.h"
#include "gelenk/model/coordinate_value.h"
#include "gelenk/model/descriptor.h"

// Joint coordinates: those of joint frame B relative to joint frame A (docs/conventions.md).
namespace gelenk::mechanics {

// A full turn, or once around a closed curve.
inline double turn_of(const Curve* curve) { return curve != nullptr ? curve->period() : 2.0 * std::numbers::pi; }

// The angle or travel `principal` plus the number of full turns that brings it nearest to `reference`.
template <class T>
T unwrapped(const T& principal, double reference, const Curve* curve = nullptr) {
  const double turn = turn_of(curve);
  return principal + turn * std::round((reference - value_of(principal)) / turn);
}

// The row of a travel along a curve.
inline constexpr system::Row kTravelRow{.kind = system::RowKind::curve_travel};

// Angle in (-π, π], or travel; curve: of the joint (Params::curve()), if it has one.
template <class T>
T coordinate_value(const model::Coordinate& c, const Motion<T>& A, const Motion<T>& B, const Curve* curve) {
  return model::coordinate_between<T>(c, A.R, A.p, B.R, B.p, curve);
}

// The wrenches of a unit effort on the coordinate; also the Jacobian of its rate.
template <class T>
RowJacobian<T> coordinate_jacobian(const model::Coordinate& c, const Motion<T>& A, const Motion<T>& B,
                                   const Curve* curve) {
  RowJacobian<T> J;
  if (c.is_on_curve) {
    set_curve_jacobian(curve_row(kTravelRow, A, B, *curve), A, B, 0, J);
  } else if (c.motion == model::Coordinate::Motion::translation) {
    const Vec3<T> n = A.R.col(c.axis);
    J.b_linear = n;
    J.a_linear = -n;
    J.a_angular = n.cross(Vec3<T>(B.p - A.p));
  } else {
    J.b_angular = c.axis == 2 ? Vec3<T>(A.R.col(2)) : Vec3<T>(B.R.col(0));
    J.a_angular = -J.b_angular;
  }
  return J;
}

template <class T>
T coordinate_rate(const model::Coordinate& c, const Motion<T>& A, const Motion<T>& B, const Curve* curve) {
  if (c.is_on_curve) return row_rate<T>(coordinate_jacobian<T>(c, A, B, curve), A, B);
  if (c.motion == model::Coordinate::Motion::translation) {
    const Vec3<T> n = A.R.col(c.axis);
    return n.dot(B.v - A.v) + A.w.cross(n).dot(B.p - A.p);
  }
  const Vec3<T> axis = c.axis == 2 ? Vec3<T>(A.R.col(2)) : Vec3<T>(B.R.col(0));
  return axis.dot(B.w - A.w);
}

}  // namespace gelenk::mechanics
