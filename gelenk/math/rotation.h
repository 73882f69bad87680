#pragma once

#include <cmath>

#include "gelenk/math/pose.h"
#include "gelenk/math/vector.h"

// Rotations as a Lie group: increments are rotation vectors in world axes, so exp(theta) acts from the left.
namespace gelenk {

// Unit quaternion of the rotation vector `theta` (axis times angle, rad).
inline Quaternion rotation_exp(const Vector3& theta) {
  const double x = 0.25 * theta.squaredNorm();  // square of half the angle
  double cosine = 0.0;
  double factor = 0.0;  // sin(half) / (2 half)
  if (x < 0.0625) {
    // Steps turn bodies by less than half a radian: series to rounding, next terms x⁷/14! and x⁶/13!
    cosine =
        1.0 -
        x * (1.0 / 2.0) *
            (1.0 - x * (1.0 / 12.0) *
                       (1.0 - x * (1.0 / 30.0) *
                                  (1.0 - x * (1.0 / 56.0) * (1.0 - x * (1.0 / 90.0) * (1.0 - x * (1.0 / 132.0))))));
    factor =
        0.5 * (1.0 - x * (1.0 / 6.0) *
                         (1.0 - x * (1.0 / 20.0) *
                                    (1.0 - x * (1.0 / 42.0) * (1.0 - x * (1.0 / 72.0) * (1.0 - x * (1.0 / 110.0))))));
  } else {
    const double half = std::sqrt(x);
    cosine = std::cos(half);
    factor = 0.5 * std::sin(half) / half;
  }
  return {cosine, factor * theta.x(), factor * theta.y(), factor * theta.z()};
}

// Rotation vector of a unit quaternion, angle in [0, π].
inline Vector3 rotation_log(const Quaternion& q) {
  const Vector3 v = q.w() < 0.0 ? Vector3(-q.vec()) : Vector3(q.vec());
  const double s = v.norm();
  const double angle = 2.0 * std::atan2(s, std::abs(q.w()));
  return s < 1e-12 ? Vector3(2.0 * v) : Vector3(v * (angle / s));
}

// exp(theta) q, of unit length to rounding.
inline Quaternion turned(const Quaternion& q, const Vector3& theta) {
  Quaternion result = rotation_exp(theta) * q;
  // Of unit length but for rounding if q is: then 1/√(1 + e) = 1 - e/2, without root and division.
  constexpr double kNearlyUnit = 1e-8;
  const double excess = result.squaredNorm() - 1.0;
  if (std::abs(excess) < kNearlyUnit) {
    result.coeffs() *= 1.0 - 0.5 * excess;
  } else {
    result.normalize();
  }
  return result;
}

// Rate of the rotation vector theta(t) when exp(theta(t)) turns with angular velocity w (world axes):
// θ̇ = w - ½ θ×w + c θ×(θ×w), c = (1 - (|θ|/2) cot(|θ|/2)) / |θ|².
inline Vector3 rotation_vector_rate(const Vector3& theta, const Vector3& w) {
  const double square = theta.squaredNorm();
  // c = 1/12 + |θ|²/720 + |θ|⁴/30240 + ...: the quotient loses digits below
  double c = 1.0 / 12.0 + square * (1.0 / 720.0 + square / 30240.0);
  if (square > 1e-2) {
    const double half = 0.5 * std::sqrt(square);
    c = (1.0 - half / std::tan(half)) / square;
  }
  const Vector3 turn = theta.cross(w);
  return w - 0.5 * turn + c * theta.cross(turn);
}

// T with exp(θ + δ) = exp(T δ) exp(θ) for small δ: 1 + (1-cos φ)/φ² θ× + (φ - sin φ)/φ³ θ×θ×, φ = |θ|.
inline Matrix3 exp_differential(const Vector3& theta) {
  const double square = theta.squaredNorm();
  // where the quotients lose their digits: series
  double first = 0.5 - square * (1.0 / 24.0 - square / 720.0);
  double second = 1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0);
  if (square > 1e-2) {
    const double angle = std::sqrt(square);
    first = (1.0 - std::cos(angle)) / square;
    second = (angle - std::sin(angle)) / (square * angle);
  }
  const Matrix3 cross = skew<double>(theta);
  return Matrix3::Identity() + first * cross + second * cross * cross;
}

}  // namespace gelenk
