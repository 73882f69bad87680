#pragma once

#include "gelenk/geometry/mesh.h"

namespace gelenk::cad {

struct PlaneOverlap {
  double area = 0.0;                 // m²
  Vector3 center = Vector3::Zero();  // of the common area; without meaning when there is none
};

// The area that two flat surfaces have in common when they are seen along the normal; the center lies in the plane
// through `point`.
PlaneOverlap plane_overlap(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b, const Vector3& point,
                           const Vector3& normal);

}  // namespace gelenk::cad
