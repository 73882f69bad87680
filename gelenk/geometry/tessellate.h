#pragma once

#include "gelenk/geometry/mesh.h"
#include "gelenk/geometry/shape.h"

namespace gelenk::geometry {

inline constexpr int kMinSegments = 3;
inline constexpr int kMaxSegments = 1024;

// A closed surface in part axes, turned outwards, also for holes. Circles become regular polygons with `segments`
// corners on the circle (kept within the limits above), so round solids come out smaller by O(1 / segments²).
// Meshes come as they are, boxes with 12 triangles.
TriangleMesh tessellate(const Shape& shape, int segments);

}  // namespace gelenk::geometry
