#pragma once

#include <vector>

#include "gelenk/geometry/mesh.h"

namespace gelenk::cad {

// A surface of a part that can guide another part. Axes of the part, m.
struct Feature {
  enum class Kind { plane, cylinder, sphere };

  Kind kind = Kind::plane;
  Vector3 point = Vector3::Zero();       // on the axis; the center of a sphere; the middle of a plane
  Vector3 direction = Vector3::UnitZ();  // of the axis, sign without meaning; the outward normal of a plane
  double radius = 0.0;
  bool is_hollow = false;          // a bore or socket: the material is outside
  double low = 0.0, high = 0.0;    // a cylinder's extent along its axis, from the point
  double coverage = 0.0;           // a cylinder: angle around the axis that it covers, rad
  double area = 0.0;               // m²
  geometry::TriangleMesh surface;  // of planes: what really is there
  geometry::Bounds box;
};

// Cylinders that cover less than this angle (rad) are fillets and guide nothing.
inline constexpr double kLeastCoverage = 2.5;

}  // namespace gelenk::cad
