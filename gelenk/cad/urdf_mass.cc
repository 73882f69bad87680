#include "gelenk/cad/urdf_mass.h"

#include <cmath>
#include <numbers>

namespace gelenk::cad {
namespace {

MassProperties ball_of(double mass) {
  const double radius = std::cbrt(0.75 * mass / (std::numbers::pi * kAssumedLinkDensity));
  return {mass, Vector3::Zero(), Matrix3::Identity() * (0.4 * mass * radius * radius)};
}

// A solid box of this part of its volume.
MassProperties box_of(const geometry::Bounds& bounds, double part) {
  const Vector3 size = bounds.upper - bounds.lower;
  const double mass = part * kAssumedLinkDensity * size.prod();
  const Vector3 square = size.cwiseProduct(size) * (mass / 12.0);
  const Vector3 moments(square.y() + square.z(), square.z() + square.x(), square.x() + square.y());
  return {mass, 0.5 * (bounds.lower + bounds.upper), Matrix3(moments.asDiagonal())};
}

}  // namespace

MassProperties assumed_mass(const geometry::TriangleMesh& shape) {
  constexpr double kGram = 1e-3, kPartOfBox = 0.5, kLeastPartOfBox = 1e-3;
  if (shape.triangles.empty()) return ball_of(kGram);
  const MassProperties box = box_of(geometry::bounds(shape), kPartOfBox);
  if (!(box.mass > 0.0) || !check_inertia(box.inertia).is_physical()) return ball_of(kGram);
  MassProperties solid = geometry::mass_properties(shape, kAssumedLinkDensity);
  if (solid.mass < 0.0) solid = scaled(solid, -1.0);
  const bool is_solid = geometry::check_edges(shape).is_closed() && solid.mass > kLeastPartOfBox * box.mass &&
                        check_inertia(solid.inertia).is_physical();
  return is_solid ? solid : box;
}

MassProperties with_assumed_inertia(const MassProperties& given, const geometry::TriangleMesh& shape) {
  MassProperties like = assumed_mass(shape);
  like = shape.triangles.empty() ? ball_of(given.mass) : scaled(like, given.mass / like.mass);
  return {given.mass, given.center, like.inertia};
}

}  // namespace gelenk::cad
