#include "gelenk/math/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace gelenk::mass_properties_test {
namespace {

// Sums of some tens of products of numbers near 1.
constexpr double kRounding = 1e-13;

struct PointMass {
  double mass;
  Vector3 position;
};

std::vector<PointMass> cloud(unsigned seed, int count) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<PointMass> points;
  for (int i = 0; i < count; ++i) {
    const double x = uniform(generator);
    const double y = uniform(generator);
    const double z = uniform(generator);
    points.push_back({1.5 + uniform(generator), {x, y, z}});
  }
  return points;
}

// The definition, without any parallel-axis rule: sums over the points about their center.
MassProperties from_points(const std::vector<PointMass>& points) {
  MassProperties body;
  for (const PointMass& p : points) {
    body.mass += p.mass;
    body.center += p.mass * p.position;
  }
  body.center /= body.mass;
  for (const PointMass& p : points) {
    const Vector3 r = p.position - body.center;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) body.inertia(i, j) += p.mass * ((i == j ? r.dot(r) : 0.0) - r[i] * r[j]);
    }
  }
  return body;
}

void expect_near(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, kRounding * std::abs(b.mass));
  EXPECT_LT((a.center - b.center).norm(), kRounding);
  EXPECT_LT((a.inertia - b.inertia).norm(), kRounding * (1.0 + b.inertia.norm()));
}

const Pose kPose{Eigen::AngleAxisd(0.8, Vector3(1, 2, -2) / 3.0).toRotationMatrix(), Vector3(0.4, -1.5, 2.0)};

TEST(MassProperties, InFrameIsTheCloudMoved) {
  std::vector<PointMass> points = cloud(1, 20);
  const MassProperties body = from_points(points);
  for (PointMass& p : points) p.position = kPose * p.position;
  expect_near(body.in_frame(kPose), from_points(points));
}

TEST(MassProperties, MirroredIsTheCloudMirrored) {
  const Vector3 n = Vector3(2, -1, 2) / 3.0;
  const Matrix3 S = Matrix3::Identity() - 2.0 * n * n.transpose();
  std::vector<PointMass> points = cloud(2, 20);
  const MassProperties body = from_points(points);
  for (PointMass& p : points) p.position = S * p.position;
  expect_near(body.mirrored(S), from_points(points));
}

TEST(MassProperties, CombinedIsTheUnionAndAHoleTakesItAway) {
  const std::vector<PointMass> a = cloud(3, 15);
  std::vector<PointMass> b = cloud(4, 9);
  for (PointMass& p : b) p.position += Vector3(3, 0, -1);
  std::vector<PointMass> both = a;
  both.insert(both.end(), b.begin(), b.end());
  const MassProperties whole = combined(from_points(a), from_points(b));
  expect_near(whole, from_points(both));
  expect_near(combined(whole, scaled(from_points(b), -1.0)), from_points(a));
}

// 1 km from the origin: terms m |p|² would be 1e6 times the inertia and leave 10 digits; they never occur.
TEST(MassProperties, CombinedFarFromTheOriginKeepsItsDigits) {
  MassProperties a = from_points(cloud(5, 10));
  MassProperties b = from_points(cloud(6, 10));
  const Matrix3 near = combined(a, b).inertia;
  a.center += Vector3(1024, 0, 0);
  b.center += Vector3(1024, 0, 0);
  EXPECT_LT((combined(a, b).inertia - near).norm(), kRounding * 10 * near.norm());
}

TEST(MassProperties, NothingIsNeutralAndBodiesThatCancelAreEmpty) {
  const MassProperties a = from_points(cloud(7, 5));
  expect_near(combined({}, a), a);
  expect_near(combined(a, {}), a);
  const MassProperties nothing = combined(a, scaled(a, -1.0));
  EXPECT_EQ(nothing.mass, 0.0);
  EXPECT_EQ(nothing.inertia, Matrix3::Zero());
}

TEST(MassProperties, PointInertiaHasNegativeProducts) {
  EXPECT_EQ(point_inertia(2.0, {1, 3, 0})(0, 1), -6.0);
  EXPECT_EQ(point_inertia(2.0, {1, 3, 0})(2, 2), 20.0);
}

TEST(InertiaCheck, FindsPrincipalMomentsInAnyAxes) {
  const Matrix3 R = kPose.rotation;
  const Matrix3 inertia = R * Vector3(3, 1, 2.5).asDiagonal() * R.transpose();
  const InertiaCheck check = check_inertia(inertia);
  EXPECT_LT((check.principal_moments - Vector3(1, 2.5, 3)).norm(), kRounding);
  EXPECT_TRUE(check.is_physical());
}

TEST(InertiaCheck, TriangleInequality) {
  const auto triangle = [](double x, double y, double z) {
    return check_inertia(Vector3(x, y, z).asDiagonal()).triangle_inequality;
  };
  EXPECT_TRUE(triangle(1, 1, 2));
  EXPECT_TRUE(triangle(1.234, 2.345, 3.579 + 0.001));  // a thin plate, rounded to four digits
  EXPECT_FALSE(triangle(1, 1, 2.01));
  EXPECT_FALSE(triangle(2.01, 1, 1));
}

TEST(InertiaCheck, PositiveDefinite) {
  const auto definite = [](const Matrix3& inertia) { return check_inertia(inertia).positive_definite; };
  EXPECT_TRUE(definite(1e-12 * Matrix3::Identity()));
  EXPECT_FALSE(definite(Matrix3::Zero()));
  EXPECT_FALSE(definite(Vector3(0, 1, 1).asDiagonal()));
  EXPECT_FALSE(definite(Vector3(-1, 2, 2).asDiagonal()));
  // Positive diagonal, but the product of inertia is too large.
  Matrix3 inertia = Matrix3::Identity();
  inertia(0, 1) = inertia(1, 0) = 1.5;
  EXPECT_FALSE(definite(inertia));
  inertia(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check_inertia(inertia).is_physical());
}

}  // namespace
}  // namespace gelenk::mass_properties_test
