#include "gelenk/geometry/tessellate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace gelenk::geometry::tessellate_test {
namespace {

constexpr double kDensity = 2700.0;

struct NamedShape {
  std::string name;
  Primitive primitive;
};

// Printed by the test runner when a case fails.
void PrintTo(const NamedShape& shape, std::ostream* stream) { *stream << shape.name; }

class RoundSolid : public testing::TestWithParam<NamedShape> {
 protected:
  Shape shape() const {
    return {GetParam().primitive,
            {Eigen::AngleAxisd(1.1, Vector3(2, -1, 2) / 3.0).toRotationMatrix(), {0.3, -0.2, 0.9}},
            false};
  }
  MassProperties exact() const { return mass_properties(std::vector<Shape>{shape()}, kDensity); }
  MassProperties polyhedron(int segments) const { return mass_properties(tessellate(shape(), segments), kDensity); }
};

double difference(const MassProperties& a, const MassProperties& b) {
  return std::abs(a.mass - b.mass) / b.mass + (a.center - b.center).norm() +
         (a.inertia - b.inertia).norm() / b.inertia.norm();
}

// S2-13: faces of a solid, for its picture.
TEST_P(RoundSolid, IsClosedAndFacesOutwards) {
  for (const int segments : {-1, 3, 4, 7, 32}) {
    const TriangleMesh mesh = tessellate(shape(), segments);
    EXPECT_TRUE(check_edges(mesh).is_closed()) << segments << ": " << describe(check_edges(mesh));
    EXPECT_GT(volume(mesh), 0.0) << segments;
  }
}

// An inscribed polyhedron misses O(1/n²) of the volume: the difference from the closed form falls fourfold with 2 n.
TEST_P(RoundSolid, ClosedFormIsTheLimitOfPolyhedraWithOrderTwo) {
  const double coarse = difference(polyhedron(64), exact());
  const double fine = difference(polyhedron(128), exact());
  EXPECT_NEAR(coarse / fine, 4.0, 0.02);
}

// Without the leading term O(1/n²) what remains is O(1/n⁴): (π/64)⁴ is 6e-6, times a factor near 1.
// S2-12: mass, center and inertia do not depend on how a solid is represented.
TEST_P(RoundSolid, ExtrapolatedPolyhedraGiveTheClosedForm) {
  constexpr double kFourthOrder = 1e-5;
  const MassProperties coarse = polyhedron(64);
  const MassProperties fine = polyhedron(128);
  MassProperties limit;
  limit.mass = (4.0 * fine.mass - coarse.mass) / 3.0;
  limit.center = (4.0 * fine.center - coarse.center) / 3.0;
  limit.inertia = (4.0 * fine.inertia - coarse.inertia) / 3.0;
  EXPECT_LT(difference(limit, exact()), kFourthOrder);
}

TEST_P(RoundSolid, BoundsTouchTheSolid) {
  constexpr int kSegments = 256;
  // The sagitta of a circle of radius 0.4 between two corners is r (π/n)²/2 = 3e-5; twice that on a sphere.
  constexpr double kSagitta = 7e-5;
  const Bounds box = bounds(std::vector<Shape>{shape()});
  const Bounds inner = bounds(tessellate(shape(), kSegments));
  EXPECT_GE((inner.lower - box.lower).minCoeff(), -1e-15);
  EXPECT_GE((box.upper - inner.upper).minCoeff(), -1e-15);
  EXPECT_LT((inner.lower - box.lower).maxCoeff(), kSagitta);
  EXPECT_LT((box.upper - inner.upper).maxCoeff(), kSagitta);
}

INSTANTIATE_TEST_SUITE_P(All, RoundSolid,
                         testing::Values(NamedShape{"cylinder", Cylinder{0.3, 0.5}},
                                         NamedShape{"tube", Tube{0.3, 0.2, 0.5}}, NamedShape{"sphere", Sphere{0.4}},
                                         NamedShape{"capsule", Capsule{0.2, 0.6}},
                                         NamedShape{"cone", Cone{0.4, 0.0, 0.7}},
                                         NamedShape{"cone_upside_down", Cone{0.0, 0.4, 0.7}},
                                         NamedShape{"cut_cone", Cone{0.2, 0.35, 0.5}}),
                         [](const auto& test) { return test.param.name; });

TEST(Tessellate, BoxIsExact) {
  const Shape shape{
      Box{{0.2, 0.5, 0.3}}, {Eigen::AngleAxisd(0.4, Vector3::UnitX()).toRotationMatrix(), {1, 2, 3}}, false};
  const TriangleMesh mesh = tessellate(shape, 8);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  EXPECT_TRUE(check_edges(mesh).is_closed());
  // About 30 rounded sums of products.
  EXPECT_LT(difference(mass_properties(mesh, kDensity), mass_properties(std::vector<Shape>{shape}, kDensity)), 1e-14);
}

TEST(Tessellate, TubeWithoutBoreIsACylinder) {
  const TriangleMesh mesh = tessellate({Tube{0.3, 0.0, 0.5}, {}, false}, 12);
  EXPECT_TRUE(check_edges(mesh).is_closed());
  EXPECT_NEAR(volume(mesh), volume(tessellate({Cylinder{0.3, 0.5}, {}, false}, 12)), 1e-15);
}

TEST(Tessellate, MeshIsScaledAndPlaced) {
  const auto cube = std::make_shared<const TriangleMesh>(tessellate({Box{{1, 1, 1}}, {}, false}, 3));
  const TriangleMesh mesh = tessellate({Mesh{cube, 0.5}, {Matrix3::Identity(), {1, 0, 0}}, false}, 3);
  EXPECT_NEAR(volume(mesh), 0.125, 1e-15);
  EXPECT_EQ(bounds(mesh).upper.x(), 1.25);
  EXPECT_TRUE(tessellate({Mesh{}, {}, false}, 3).triangles.empty());
}

}  // namespace
}  // namespace gelenk::geometry::tessellate_test
