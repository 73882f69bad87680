#include "gelenk/geometry/primitives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace gelenk::geometry::primitives_test {
namespace {

constexpr double kPi = std::numbers::pi;
// A few rounded operations.
constexpr double kRounding = 1e-14;
constexpr double kDensity = 7850.0;

void expect_body(const MassProperties& body, double mass, double z, double xx, double yy, double zz) {
  EXPECT_NEAR(body.mass, mass, kRounding * mass);
  EXPECT_LT((body.center - Vector3(0, 0, z)).norm(), kRounding * (1.0 + std::abs(z)));
  const Matrix3 expected = Vector3(xx, yy, zz).asDiagonal();
  EXPECT_LT((body.inertia - expected).norm(), kRounding * expected.norm());
}

TEST(Primitives, Box) {
  // J_xx = m (b² + c²) / 12
  const double m = kDensity * 24e-6;
  expect_body(mass_properties(Box{{0.02, 0.03, 0.04}}, kDensity), m, 0, m / 12 * 25e-4, m / 12 * 20e-4, m / 12 * 13e-4);
}

TEST(Primitives, Cylinder) {
  const double m = kDensity * kPi * 0.01 * 0.5;
  const double xx = m * (0.01 / 4 + 0.25 / 12);
  expect_body(mass_properties(Cylinder{0.1, 0.5}, kDensity), m, 0.25, xx, xx, m * 0.005);
}

TEST(Primitives, TubeIsTheDifferenceOfTwoCylinders) {
  const MassProperties outer = mass_properties(Cylinder{0.1, 0.5}, kDensity);
  const MassProperties inner = mass_properties(Cylinder{0.06, 0.5}, kDensity);
  expect_body(mass_properties(Tube{0.1, 0.06, 0.5}, kDensity), outer.mass - inner.mass, 0.25,
              outer.inertia(0, 0) - inner.inertia(0, 0), outer.inertia(1, 1) - inner.inertia(1, 1),
              outer.inertia(2, 2) - inner.inertia(2, 2));
}

TEST(Primitives, ThinTubeKeepsItsDigits) {
  // Wall t: V = π (2 R - t) t l
  const double wall = std::ldexp(1.0, -40);
  EXPECT_NEAR(volume(Tube{1.0, 1.0 - wall, 2.0}) / (kPi * (2.0 - wall) * wall * 2.0), 1.0, kRounding);
}

TEST(Primitives, Sphere) {
  const double m = kDensity * 4.0 / 3.0 * kPi * 0.008;
  expect_body(mass_properties(Sphere{0.2}, kDensity), m, 0, 0.016 * m, 0.016 * m, 0.016 * m);
}

// Half spheres put on the ends of a cylinder by the parallel-axis rule.
TEST(Primitives, CapsuleIsACylinderWithTwoHalfSpheres) {
  const double r = 0.2;
  const double l = 0.7;
  MassProperties half;
  half.mass = kDensity * 2.0 / 3.0 * kPi * r * r * r;
  const double across = (0.4 - 9.0 / 64.0) * half.mass * r * r;
  half.inertia = Vector3(across, across, 0.4 * half.mass * r * r).asDiagonal();
  MassProperties lower = half;
  lower.center.z() = -0.375 * r;
  MassProperties upper = half;
  upper.center.z() = l + 0.375 * r;
  const MassProperties sum = combined(combined(lower, mass_properties(Cylinder{r, l}, kDensity)), upper);
  expect_body(mass_properties(Capsule{r, l}, kDensity), sum.mass, 0.5 * l, sum.inertia(0, 0), sum.inertia(1, 1),
              sum.inertia(2, 2));
}

TEST(Primitives, WholeConeOnEitherEnd) {
  // z_C = l/4 from the base, J_zz = 3/10 m r², J_xx = 3/80 m (4 r² + l²)
  const double m = kDensity * kPi / 3.0 * 0.09 * 0.8;
  const double xx = 3.0 / 80.0 * m * (4 * 0.09 + 0.64);
  expect_body(mass_properties(Cone{0.3, 0.0, 0.8}, kDensity), m, 0.2, xx, xx, 0.3 * m * 0.09);
  expect_body(mass_properties(Cone{0.0, 0.3, 0.8}, kDensity), m, 0.6, xx, xx, 0.3 * m * 0.09);
}

TEST(Primitives, CutConeIsTheDifferenceOfTwoCones) {
  // From radius 0.4 at z = 0 to 0.1 at z = 0.9; the tip would be at z = 1.2.
  const MassProperties whole = mass_properties(Cone{0.4, 0.0, 1.2}, kDensity);
  MassProperties tip = mass_properties(Cone{0.1, 0.0, 0.3}, kDensity);
  tip.center.z() += 0.9;
  const MassProperties rest = combined(whole, scaled(tip, -1.0));
  expect_body(mass_properties(Cone{0.4, 0.1, 0.9}, kDensity), rest.mass, rest.center.z(), rest.inertia(0, 0),
              rest.inertia(1, 1), rest.inertia(2, 2));
}

TEST(Primitives, ConeWithEqualRadiiIsACylinder) {
  const MassProperties c = mass_properties(Cylinder{0.1, 0.5}, kDensity);
  expect_body(mass_properties(Cone{0.1, 0.1, 0.5}, kDensity), c.mass, c.center.z(), c.inertia(0, 0), c.inertia(1, 1),
              c.inertia(2, 2));
}

void expect_bounds(const Bounds& box, const Vector3& lower, const Vector3& upper) {
  EXPECT_LT((box.lower - lower).norm(), kRounding) << box.lower.transpose();
  EXPECT_LT((box.upper - upper).norm(), kRounding) << box.upper.transpose();
}

TEST(Primitives, BoundsInTheShapeFrame) {
  expect_bounds(bounds(Box{{1, 2, 3}}), {-0.5, -1, -1.5}, {0.5, 1, 1.5});
  expect_bounds(bounds(Cylinder{1, 4}), {-1, -1, 0}, {1, 1, 4});
  expect_bounds(bounds(Tube{1, 0.5, 4}), {-1, -1, 0}, {1, 1, 4});
  expect_bounds(bounds(Sphere{2}), {-2, -2, -2}, {2, 2, 2});
  expect_bounds(bounds(Capsule{1, 4}), {-1, -1, -1}, {1, 1, 5});
  expect_bounds(bounds(Cone{1, 3, 4}), {-3, -3, 0}, {3, 3, 4});
}

TEST(Primitives, BoundsOfATiltedCylinder) {
  // 45° about y: the axis goes to (l/√2, 0, l/√2), a rim reaches r/√2 farther along x and z.
  const Pose X{Eigen::AngleAxisd(kPi / 4, Vector3::UnitY()).toRotationMatrix(), Vector3(1, 2, 3)};
  const double h = std::sqrt(0.5);
  expect_bounds(bounds(Cylinder{1, 4}, X), Vector3(1 - h, 1, 3 - h), Vector3(1 + 5 * h, 3, 3 + 5 * h));
}

TEST(Primitives, ProblemsNameTheSizeAndItsValue) {
  EXPECT_EQ(problem(Cylinder{-0.003, 1}), "radius must be positive, but is -0.003 m");
  EXPECT_EQ(problem(Cylinder{1, 0}), "length must be positive, but is 0 m");
  EXPECT_EQ(problem(Box{{1, -2, 1}}), "size along y must be positive, but is -2 m");
  EXPECT_EQ(problem(Sphere{std::numeric_limits<double>::quiet_NaN()}), "radius must be a finite number, but is nan");
  EXPECT_EQ(problem(Capsule{0.1, -1}), "length must be positive, but is -1 m");
  EXPECT_EQ(problem(Tube{0.1, 0.2, 1}), "inner_radius must be less than radius (0.1 m), but is 0.2 m");
  EXPECT_EQ(problem(Tube{0.1, -0.2, 1}), "inner_radius must not be negative, but is -0.2 m");
  EXPECT_EQ(problem(Cone{0, 0, 1}), "radius or end_radius must be positive, but both are 0 m");
  EXPECT_EQ(problem(Cone{1, std::numeric_limits<double>::infinity(), 1}),
            "end_radius must be a finite number, but is inf");
}

TEST(Primitives, ProperSizesHaveNoProblem) {
  EXPECT_EQ(problem(Box{{1, 2, 3}}), "");
  EXPECT_EQ(problem(Cylinder{1, 2}), "");
  EXPECT_EQ(problem(Tube{1, 0, 2}), "");
  EXPECT_EQ(problem(Sphere{1}), "");
  EXPECT_EQ(problem(Capsule{1, 2}), "");
  EXPECT_EQ(problem(Cone{1, 0, 2}), "");
}

}  // namespace
}  // namespace gelenk::geometry::primitives_test
