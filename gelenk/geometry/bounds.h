#pragma once

#include <limits>

#include "gelenk/math/pose.h"

namespace gelenk::geometry {

// Axis-aligned box around something, m. Empty at first: lower = +∞, upper = -∞.
struct Bounds {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(-std::numeric_limits<double>::infinity());

  bool is_empty() const { return !(lower.array() <= upper.array()).all(); }
  bool contains(const Bounds& other) const {
    return (lower.array() <= other.lower.array()).all() && (other.upper.array() <= upper.array()).all();
  }
  Vector3 center() const { return lower + 0.5 * (upper - lower); }
  double diagonal() const { return is_empty() ? 0.0 : (upper - lower).norm(); }

  void add(const Vector3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  void add(const Bounds& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
};

// The smallest box, in axes of P, around a shape placed at X_PS, from the support function of the shape:
// support(d) = max d·p over its points p, d in axes of S.
template <class Support>
Bounds bounds_from_support(const Pose& X_PS, const Support& support) {
  Bounds box;
  for (int i = 0; i < 3; ++i) {
    const Vector3 axis_S = X_PS.rotation.row(i).transpose();
    box.upper[i] = X_PS.position[i] + support(axis_S);
    box.lower[i] = X_PS.position[i] - support(-axis_S);
  }
  return box;
}

}  // namespace gelenk::geometry
