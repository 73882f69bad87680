#pragma once

#include <vector>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

// A surface as it is drawn: each vertex has one normal, so vertices on a sharp edge are there once for each side.
struct ShadedMesh {
  std::vector<Vector3> vertices;
  std::vector<Vector3> normals;  // unit, one for each vertex
  std::vector<Triangle> triangles;
};

// Neighbors that are bent by more than this (rad) meet in an edge one should see; below, the surface is round.
inline constexpr double kCreaseAngle = 0.6;

// Vertices in the same place count as one, so meshes that were put together face by face look smooth, too. Triangles
// without area are left out.
ShadedMesh shaded(const TriangleMesh& mesh, double crease_angle = kCreaseAngle);

}  // namespace gelenk::geometry
