#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/geometry/bounds.h"
#include "gelenk/math/mass_properties.h"

namespace gelenk::geometry {

// Three vertex numbers, counterclockwise when seen from outside.
using Triangle = std::array<std::uint32_t, 3>;

// A surface of flat triangles; neighbors share their vertices.
struct TriangleMesh {
  std::vector<Vector3> vertices;
  std::vector<Triangle> triangles;
};

// How the triangles meet. A closed surface uses every edge exactly twice, once in each direction.
struct EdgeReport {
  std::size_t open_edges = 0;         // a triangle on one side only
  std::size_t flipped_edges = 0;      // the two triangles face opposite ways
  std::size_t crowded_edges = 0;      // more than two triangles
  Vector3 example = Vector3::Zero();  // middle of the first such edge, open ones before the others

  std::size_t count() const { return open_edges + flipped_edges + crowded_edges; }
  bool is_closed() const { return count() == 0; }
};

EdgeReport check_edges(const TriangleMesh& mesh);
// "3 edges have a triangle on one side only, one of them near (0, 0.5, 1)"; empty for a closed surface.
std::string describe(const EdgeReport& report);

// Signed: negative when the triangles face inwards. Meaningful for closed surfaces only, as are the mass properties;
// exact for the polyhedron then.
double volume(const TriangleMesh& mesh);
MassProperties mass_properties(const TriangleMesh& mesh, double density);

// The smallest box, in axes of P, around the vertices of a mesh placed at X_PS, its coordinates times `scale`.
Bounds bounds(const TriangleMesh& mesh, const Pose& X_PS = {}, double scale = 1.0);

// Every vertex v becomes A v; triangles are turned so that they still face outwards when A mirrors.
TriangleMesh transformed(const TriangleMesh& mesh, const Matrix3& A);

// det [a b c] = 6 times the signed volume of the tetrahedron of the origin and the triangle.
inline double triple_product(const Vector3& a, const Vector3& b, const Vector3& c) { return a.dot(b.cross(c)); }

}  // namespace gelenk::geometry
