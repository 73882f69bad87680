#pragma once

#include <cmath>

#include "gelenk/math/curve.h"
#include "gelenk/math/vector.h"
#include "gelenk/model/descriptor.h"

namespace gelenk::model {

// Angle in (-π, π], or travel, of joint frame B relative to joint frame A: axes and origins of both in one frame
// (docs/conventions.md); curve: of its joint, if it is along one.
template <class T>
T coordinate_between(const Coordinate& c, const Mat3<T>& R_A, const Vec3<T>& p_A, const Mat3<T>& R_B,
                     const Vec3<T>& p_B, const Curve* curve) {
  using std::atan2;
  if (c.is_on_curve) return travel_near<T>(*curve, R_A.transpose() * Vec3<T>(p_B - p_A));
  if (c.motion == Coordinate::Motion::translation) return R_A.col(c.axis).dot(p_B - p_A);
  if (c.axis == 2) return atan2(R_B.col(0).dot(R_A.col(1)), R_B.col(0).dot(R_A.col(0)));
  return atan2(R_A.col(2).dot(R_B.col(1)), R_A.col(2).dot(R_B.col(2)));
}

}  // namespace gelenk::model
