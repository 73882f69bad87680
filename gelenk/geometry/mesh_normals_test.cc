#include "gelenk/geometry/mesh_normals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/geometry/shape.h"
#include "gelenk/geometry/tessellate.h"

namespace gelenk::geometry::mesh_normals_test {
namespace {

TEST(Shaded, ABoxHasSharpEdges) {
  const ShadedMesh box = shaded(tessellate({Box{{1.0, 2.0, 3.0}}, {}, false}, 8));
  ASSERT_EQ(box.triangles.size(), 12U);
  EXPECT_EQ(box.vertices.size(), 24U) << "each corner once for each of its three faces";
  for (std::size_t i = 0; i < box.vertices.size(); ++i) {
    EXPECT_DOUBLE_EQ(box.normals[i].cwiseAbs().maxCoeff(), 1.0);
    EXPECT_GT(box.normals[i].dot(box.vertices[i]), 0.0) << "outwards";
  }
}

TEST(Shaded, ASphereIsSmooth) {
  const ShadedMesh ball = shaded(tessellate({Sphere{2.0}, {}, false}, 32));
  const TriangleMesh plain = tessellate({Sphere{2.0}, {}, false}, 32);
  EXPECT_EQ(ball.vertices.size(), plain.vertices.size());
  for (std::size_t i = 0; i < ball.vertices.size(); ++i) {
    EXPECT_GT(ball.normals[i].dot(ball.vertices[i].normalized()), 0.995);
  }
}

TEST(Shaded, VerticesInOnePlaceAreOne) {
  // Two triangles of one plane, with no vertex in common, and one that has no area.
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}, {0, 0, 1}};
  const ShadedMesh flat = shaded(mesh);
  EXPECT_EQ(flat.triangles.size(), 2U);
  EXPECT_EQ(flat.vertices.size(), 4U);
  for (const Vector3& normal : flat.normals) EXPECT_EQ(normal, Vector3::UnitZ());
}

}  // namespace
}  // namespace gelenk::geometry::mesh_normals_test
