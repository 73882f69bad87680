#pragma once

#include <vector>

#include "gelenk/cad/polyline.h"
#include "gelenk/geometry/mesh.h"

namespace gelenk::cad {

// Edges of the triangles inside of curved surfaces, among which the outline of a round part is found.
class SmoothEdges {
 public:
  explicit SmoothEdges(geometry::TriangleMesh mesh);

  // Where the surface turns away from somebody who looks from `toward` (unit, from the part to the eye): lines that a
  // drawing of a round part has although there is no edge.
  std::vector<Polyline> outline(const Vector3& toward) const;

 private:
  struct Edge {
    std::uint32_t from, to;
    Vector3 left, right;  // normals of the triangles beside it
  };

  std::vector<Vector3> vertices_;
  std::vector<Edge> edges_;
};

}  // namespace gelenk::cad
