#pragma once

#include <cmath>
#include <variant>

#include "gelenk/math/vector.h"
#include "gelenk/model/machine.h"

namespace gelenk::mechanics {

// Weight of a mass with this center, world axes.
template <class T>
Vec3<T> gravity_force(const model::Gravity& gravity, double mass, const Vec3<T>& center) {
  using std::sqrt;
  if (const auto* uniform = std::get_if<model::UniformGravity>(&gravity)) {
    return Vector3(mass * uniform->acceleration).template cast<T>();
  }
  if (const auto* point = std::get_if<model::PointGravity>(&gravity)) {
    const Vec3<T> r = center - point->center.template cast<T>();
    const T square = r.dot(r);
    return r * (T(-point->strength * mass) / (square * sqrt(square)));
  }
  return Vec3<T>::Zero();
}

// Its potential, as below.
template <class T>
T gravity_potential_of(const model::Gravity& gravity, double mass, const Vec3<T>& center) {
  using std::sqrt;
  if (const auto* uniform = std::get_if<model::UniformGravity>(&gravity)) {
    return center.dot(uniform->acceleration.template cast<T>()) * -mass;
  }
  if (const auto* point = std::get_if<model::PointGravity>(&gravity)) {
    const Vec3<T> r = center - point->center.template cast<T>();
    return T(-point->strength * mass) / sqrt(r.dot(r));
  }
  return T(0.0);
}

// Its potential: zero at the world's origin, or infinitely far from a point.
inline double gravity_potential(const model::Gravity& gravity, double mass, const Vector3& center) {
  if (const auto* uniform = std::get_if<model::UniformGravity>(&gravity)) {
    return -mass * uniform->acceleration.dot(center);
  }
  if (const auto* point = std::get_if<model::PointGravity>(&gravity)) {
    return -point->strength * mass / (center - point->center).norm();
  }
  return 0.0;
}

}  // namespace gelenk::mechanics
