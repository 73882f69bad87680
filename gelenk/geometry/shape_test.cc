#include "gelenk/geometry/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "gelenk/geometry/tessellate.h"

namespace gelenk::geometry::shape_test {
namespace {

constexpr double kDensity = 1000.0;
// Some tens of rounded operations on numbers near 1.
constexpr double kRounding = 1e-13;

void expect_near(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, kRounding * b.mass);
  EXPECT_LT((a.center - b.center).norm(), kRounding);
  EXPECT_LT((a.inertia - b.inertia).norm(), kRounding * b.inertia.norm());
}

Pose at(double x, double y, double z) { return {Matrix3::Identity(), {x, y, z}}; }

// Chiral on purpose: no reflection takes it into a turned copy of itself.
std::shared_ptr<const TriangleMesh> skew_tetrahedron() {
  return std::make_shared<const TriangleMesh>(
      TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.2, 2, 0}, {0.1, 0.3, 3}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
}

std::vector<Shape> one_of_each() {
  const Pose X{Eigen::AngleAxisd(0.9, Vector3(1, 2, 2) / 3.0).toRotationMatrix(), {0.4, -0.7, 0.2}};
  return {{Box{{0.2, 0.4, 0.9}}, X, false},
          {Cylinder{0.2, 0.7}, X, false},
          {Tube{0.3, 0.2, 0.5}, X, false},
          {Sphere{0.3}, X, false},
          {Capsule{0.1, 0.4}, X, false},
          {Cone{0.3, 0.1, 0.5}, X, false},
          {Mesh{skew_tetrahedron(), 0.3}, X, false}};
}

// S2-12: the surface in closed form is that of ever finer triangles. Mass properties do not depend on the shape's form.
TEST(Shape, SurfaceOfEachIsThatOfItsTriangles) {
  for (const Shape& shape : one_of_each()) {
    const std::optional<double> exact = surface_area(std::vector<Shape>{shape});
    ASSERT_TRUE(exact);
    const Shape fine{Mesh{std::make_shared<const TriangleMesh>(tessellate(shape, 512)), 1.0}, {}, false};
    EXPECT_NEAR(*surface_area(std::vector<Shape>{fine}), *exact, 5e-5 * *exact) << shape.primitive.index();
    EXPECT_NEAR(volume(std::vector<Shape>{shape}), mass_properties(std::vector<Shape>{shape}, 1.0).mass, 1e-12);
  }
  const std::vector<Shape> two = one_of_each();
  EXPECT_FALSE(surface_area(std::span(two).first(2))) << "of several it is not known";
}

// S2-12: by sums and differences.
TEST(Shape, HollowBoxIsTheSumOfItsWalls) {
  // 2 x 2 x 2 with a 1 x 1 x 2 hole: four walls without any hole.
  const std::vector<Shape> drilled = {{Box{{1, 1, 2}}, at(1, 0, 0), true}, {Box{{2, 2, 2}}, at(1, 0, 0), false}};
  const std::vector<Shape> walls = {{Box{{0.5, 2, 2}}, at(0.25, 0, 0), false},
                                    {Box{{0.5, 2, 2}}, at(1.75, 0, 0), false},
                                    {Box{{1, 0.5, 2}}, at(1, 0.75, 0), false},
                                    {Box{{1, 0.5, 2}}, at(1, -0.75, 0), false}};
  expect_near(mass_properties(drilled, kDensity), mass_properties(walls, kDensity));
}

TEST(Shape, EccentricHoleMovesTheCenterAway) {
  // Disk of radius R with a hole of radius r at distance e: x_C = -e r² / (R² - r²)
  const std::vector<Shape> shapes = {{Cylinder{1.0, 0.1}, {}, false}, {Cylinder{0.25, 0.1}, at(0.5, 0, 0), true}};
  const MassProperties body = mass_properties(shapes, kDensity);
  EXPECT_NEAR(body.center.x(), -0.5 * 0.0625 / 0.9375, kRounding);
  EXPECT_NEAR(body.mass, kDensity * std::numbers::pi * 0.1 * 0.9375, kRounding * body.mass);
}

TEST(Shape, OrderDoesNotMatterAlsoWhereSolidsAndHolesCancelOnTheWay) {
  const Shape block{Box{{1, 1, 1}}, {}, false};
  const Shape pit{Box{{1, 1, 1}}, {}, true};
  const Shape rest{Sphere{0.5}, at(3, 0, 0), false};
  const MassProperties body = mass_properties(std::vector<Shape>{block, pit, rest}, kDensity);
  expect_near(body, mass_properties(std::vector<Shape>{rest}, kDensity));
}

TEST(Shape, ShiftedShapeObeysTheParallelAxisRule) {
  // Two spheres 2 d apart: J_yy = 2 (2/5 m r² + m d²)
  const std::vector<Shape> dumbbell = {{Sphere{0.1}, at(0.6, 1, 1), false}, {Sphere{0.1}, at(1.4, 1, 1), false}};
  const MassProperties body = mass_properties(dumbbell, kDensity);
  const double m = 0.5 * body.mass;
  EXPECT_NEAR(body.inertia(1, 1), 2 * (0.4 * m * 0.01 + m * 0.16), kRounding * body.inertia(1, 1));
  EXPECT_NEAR(body.inertia(0, 0), 2 * 0.4 * m * 0.01, kRounding);
  EXPECT_LT((body.center - Vector3(1, 1, 1)).norm(), kRounding);
}

TEST(Shape, MirroredShapeIsTheMirroredSurface) {
  const Vector3 n = Vector3(1, -2, 2) / 3.0;
  const std::vector<Matrix3> mirrors = {Vector3(1, -1, 1).asDiagonal(), Vector3(-1, 1, 1).asDiagonal(),
                                        Matrix3::Identity() - 2.0 * n * n.transpose(), -Matrix3::Identity()};
  for (const Matrix3& S : mirrors) {
    for (const Shape& shape : one_of_each()) {
      const Shape image = mirrored(shape, S);
      EXPECT_NEAR(image.X_PS.rotation.determinant(), 1.0, kRounding);
      expect_near(mass_properties(std::vector<Shape>{image}, kDensity),
                  mass_properties(std::vector<Shape>{shape}, kDensity).mirrored(S));
      // Mass properties cannot distinguish a left from a right tetrahedron; the sets of vertices can.
      const TriangleMesh expected = transformed(tessellate(shape, 16), S);
      const TriangleMesh actual = tessellate(image, 16);
      EXPECT_NEAR(volume(actual), volume(expected), kRounding);
      for (const Vector3& v : actual.vertices) {
        double nearest = 1.0;
        for (const Vector3& w : expected.vertices) nearest = std::min(nearest, (v - w).norm());
        EXPECT_LT(nearest, kRounding) << shape.primitive.index();
      }
    }
  }
}

TEST(Shape, ProperRotationOnlyMovesTheShape) {
  const Matrix3 R = Eigen::AngleAxisd(0.7, Vector3::UnitZ()).toRotationMatrix();
  for (const Shape& shape : one_of_each()) {
    const Shape turned = mirrored(shape, R);
    EXPECT_LT((turned.X_PS.rotation - R * shape.X_PS.rotation).norm(), kRounding);
    if (const Mesh* mesh = std::get_if<Mesh>(&turned.primitive)) {
      EXPECT_EQ(mesh->mesh, std::get<Mesh>(shape.primitive).mesh);
    }
  }
}

TEST(Shape, MirroringTwiceGivesTheSameSolid) {
  const Matrix3 S = Vector3(1, 1, -1).asDiagonal();
  for (const Shape& shape : one_of_each()) {
    const Shape twice = mirrored(mirrored(shape, S), S);
    EXPECT_LT((twice.X_PS.rotation - shape.X_PS.rotation).norm(), kRounding);
    EXPECT_LT((twice.X_PS.position - shape.X_PS.position).norm(), kRounding);
  }
}

TEST(Shape, MeshInMillimeters) {
  const std::vector<Shape> millimeters = {{Mesh{skew_tetrahedron(), 0.001}, {}, false}};
  const MassProperties body = mass_properties(millimeters, kDensity);
  // V = 1/6 · 1 · 2 · 3 in mm³
  EXPECT_NEAR(body.mass, kDensity * 1e-9, kRounding * body.mass);
  const MassProperties large = mass_properties(*skew_tetrahedron(), kDensity);
  EXPECT_LT((body.center - 1e-3 * large.center).norm(), 1e-3 * kRounding);
  EXPECT_LT((body.inertia - 1e-15 * large.inertia).norm(), 1e-15 * kRounding * large.inertia.norm());
  EXPECT_NEAR(bounds(millimeters).upper.z(), 0.003, kRounding);
}

TEST(Shape, BoundsIgnoreHolesAndJoinSolids) {
  const std::vector<Shape> shapes = {
      {Sphere{1}, at(2, 0, 0), false}, {Box{{1, 1, 1}}, {}, false}, {Sphere{100}, {}, true}};
  const Bounds box = bounds(shapes);
  EXPECT_EQ(box.lower, Vector3(-0.5, -1, -1));
  EXPECT_EQ(box.upper, Vector3(3, 1, 1));
  EXPECT_TRUE(bounds(std::vector<Shape>{}).is_empty());
  EXPECT_EQ(Bounds{}.diagonal(), 0.0);
}

TEST(Shape, Problems) {
  EXPECT_EQ(problem(Shape{Sphere{-1}, {}, false}), "radius must be positive, but is -1 m");
  EXPECT_EQ(problem(Shape{Mesh{}, {}, false}), "the mesh has no triangles");
  EXPECT_EQ(problem(Shape{Mesh{skew_tetrahedron(), -1}, {}, false}), "scale must be positive, but is -1");
  for (const Shape& shape : one_of_each()) EXPECT_EQ(problem(shape), "");
  EXPECT_EQ(mass_properties(Mesh{}, kDensity).mass, 0.0);
}

}  // namespace
}  // namespace gelenk::geometry::shape_test
