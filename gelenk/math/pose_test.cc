#include "gelenk/math/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace gelenk::pose_test {
namespace {

// A handful of products of numbers near 1, each rounded to 1.1e-16.
constexpr double kRounding = 2e-15;
constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance_from_rotation(const Matrix3& R) {
  return std::max((R.transpose() * R - Matrix3::Identity()).cwiseAbs().maxCoeff(), std::abs(R.determinant() - 1.0));
}

// Directions all around, poles and near-poles included.
std::vector<Vector3> directions() {
  std::vector<Vector3> all = {{0, 0, 1},        {0, 0, -1},        {1, 0, 0},       {0, -1, 0},
                              {1e-9, 2e-9, -1}, {-3e-17, 0.0, -1}, {1e-200, 0, -1}, {0, 1e-300, 1}};
  for (int i = 0; i < 40; ++i) {
    const double c = -0.975 + 0.05 * i;
    const double s = std::sqrt(1.0 - c * c);
    all.emplace_back(s * std::cos(2.4 * i), s * std::sin(2.4 * i), c);
  }
  for (Vector3& v : all) v.normalize();
  return all;
}

std::vector<Matrix3> rotations() {
  std::vector<Matrix3> all;
  for (const Vector3& axis : directions()) {
    for (const double angle : {0.0, 1e-9, 0.3, 1.7, 3.0, kPi - 1e-9, kPi}) {
      all.push_back(Eigen::AngleAxisd(angle, axis).toRotationMatrix());
    }
  }
  return all;
}

TEST(Pose, ProductMapsPointsInTurnAndInverseUndoesIt) {
  const Pose X_AB{rotations()[17], Vector3(1, -2, 3)};
  const Pose X_BC{rotations()[93], Vector3(-0.5, 0.25, 4)};
  const Vector3 p_C(0.3, 0.7, -1.1);
  EXPECT_LT(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 10 * kRounding);
  EXPECT_LT((X_AB.inverse() * (X_AB * p_C) - p_C).norm(), 10 * kRounding);
  EXPECT_LT(((X_AB * X_BC).inverse() * ((X_AB * X_BC) * p_C) - p_C).norm(), 10 * kRounding);
}

TEST(Pose, RotationWithZIsProperWithThatAxis) {
  for (const Vector3& z : directions()) {
    const Matrix3 R = rotation_with_z(z);
    EXPECT_LT(distance_from_rotation(R), kRounding) << z.transpose();
    EXPECT_EQ(R.col(2), z);
  }
}

// Between neighbors 1e-6 apart the axes turn by no more than a few 1e-6, away from the pole at -z.
TEST(Pose, RotationWithZIsSmoothAwayFromThePole) {
  for (const Vector3& z : directions()) {
    if (z.z() < -0.98) continue;
    const Vector3 neighbor = (z + 1e-6 * Vector3(0.6, -0.3, 0.7)).normalized();
    EXPECT_LT((rotation_with_z(z) - rotation_with_z(neighbor)).norm(), 2e-5) << z.transpose();
  }
  EXPECT_LT((rotation_with_z({0, 0, 1}) - Matrix3::Identity()).norm(), kRounding);
}

TEST(Pose, RotationWithZXHasXInThePlaneOfBoth) {
  const Vector3 x(0.4, 1.3, -0.2);
  for (const Vector3& z : directions()) {
    const Matrix3 R = rotation_with_z_x(z, x);
    EXPECT_LT(distance_from_rotation(R), 10 * kRounding);
    EXPECT_GT(R.col(0).dot(x), 0.0);
    EXPECT_LT(std::abs(R.col(1).dot(x)), kRounding);
  }
}

TEST(Pose, MirroredPoseMapsMirroredPoints) {
  const Matrix3 S = Vector3(1, -1, 1).asDiagonal();
  const Pose X{rotations()[40], Vector3(1, 2, 3)};
  const Vector3 p(0.2, -0.4, 0.9);
  EXPECT_LT((mirrored(X, S) * (S * p) - S * (X * p)).norm(), 10 * kRounding);
  EXPECT_LT(distance_from_rotation(mirrored(X, S).rotation), 10 * kRounding);
}

TEST(Pose, UnitVectorSurvivesExtremeLengths) {
  for (const double length : {1e-320, 1e-200, 1.0, 1e200, 1e308}) {
    const auto unit = unit_vector(length * Vector3(0.6, 0.0, -0.8));
    ASSERT_TRUE(unit.has_value()) << length;
    // A denormal of 1e-320 has only 11 bits left.
    EXPECT_LT((*unit - Vector3(0.6, 0.0, -0.8)).norm(), length < 1e-300 ? 1e-3 : kRounding) << length;
  }
  EXPECT_FALSE(unit_vector(Vector3::Zero()));
  EXPECT_FALSE(unit_vector({kInfinity, 0, 0}));
  EXPECT_FALSE(unit_vector({0, std::nan(""), 1}));
}

TEST(Pose, QuaternionOfAnyLengthGivesTheRotation) {
  // Half the angle in the scalar: 60° about z.
  const auto R = rotation_from_quaternion(Quaternion(5 * std::cos(kPi / 6), 0, 0, 5 * std::sin(kPi / 6)));
  ASSERT_TRUE(R);
  EXPECT_LT((*R * Vector3::UnitX() - Vector3(0.5, std::sqrt(0.75), 0)).norm(), kRounding);
  EXPECT_TRUE(rotation_from_quaternion(Quaternion(1e-300, 1e-300, 0, 0)));
  EXPECT_FALSE(rotation_from_quaternion(Quaternion(0, 0, 0, 0)));
  EXPECT_FALSE(rotation_from_quaternion(Quaternion(kInfinity, 0, 0, 0)));
}

TEST(Pose, QuaternionAndRotationAreInverse) {
  for (const Matrix3& R : rotations()) {
    const Quaternion q = quaternion_from_rotation(R);
    EXPECT_GE(q.w(), 0.0);
    EXPECT_LT(std::abs(q.norm() - 1.0), kRounding);
    // Half turns lose nothing: w is small there, but the matrix comes back to rounding.
    EXPECT_LT((q.toRotationMatrix() - R).norm(), 4 * kRounding);
  }
}

TEST(Pose, HalfTurnHasOneQuaternion) {
  const Matrix3 R = Vector3(-1, -1, 1).asDiagonal();
  EXPECT_EQ(quaternion_from_rotation(R).coeffs(), Quaternion(0, 0, 0, 1).coeffs());
}

TEST(Pose, AxisAngleIsRightHanded) {
  const auto R = rotation_from_axis_angle({0, 0, 7}, kPi / 2);
  ASSERT_TRUE(R);
  EXPECT_LT((*R * Vector3::UnitX() - Vector3::UnitY()).norm(), kRounding);
  EXPECT_FALSE(rotation_from_axis_angle(Vector3::Zero(), 1.0));
  EXPECT_FALSE(rotation_from_axis_angle(Vector3::UnitX(), kInfinity));
}

Matrix3 turn_about(char axis, double a) {
  const double c = std::cos(a);
  const double s = std::sin(a);
  Matrix3 R;
  if (axis == 'x') R << 1, 0, 0, 0, c, -s, 0, s, c;
  if (axis == 'y') R << c, 0, s, 0, 1, 0, -s, 0, c;
  if (axis == 'z') R << c, -s, 0, s, c, 0, 0, 0, 1;
  return R;
}

TEST(Pose, AllTwelveSequencesAreIntrinsicAndTheOthersAreRefused) {
  const Vector3 angles(0.3, -1.1, 2.0);
  const std::string letters = "xyz";
  int accepted = 0;
  for (const char a : letters) {
    for (const char b : letters) {
      for (const char c : letters) {
        const auto R = rotation_from_angles(angles, std::string{a, b, c});
        EXPECT_EQ(R.has_value(), a != b && b != c);
        if (!R) continue;
        ++accepted;
        const Matrix3 expected = turn_about(a, angles[0]) * turn_about(b, angles[1]) * turn_about(c, angles[2]);
        EXPECT_LT((*R - expected).norm(), kRounding);
      }
    }
  }
  EXPECT_EQ(accepted, 12);
  for (const char* bad : {"", "z", "zy", "zyxz", "zz y", "abc", "ZYX", "z x", "xy\xff"}) {
    EXPECT_FALSE(rotation_from_angles(angles, bad)) << bad;
  }
  EXPECT_FALSE(rotation_from_angles({0, kInfinity, 0}, "zyx"));
}

TEST(Pose, TwoDirectionsFixTheRotation) {
  const Vector3 u(1, 2, 3);
  const Vector3 v(-2, 0.5, 1);
  for (const Axis first : {Axis::x, Axis::y, Axis::z}) {
    for (const Axis second : {Axis::x, Axis::y, Axis::z}) {
      const auto R = rotation_from_directions(first, u, second, v);
      EXPECT_EQ(R.has_value(), first != second);
      if (!R) continue;
      EXPECT_LT(distance_from_rotation(*R), kRounding);
      EXPECT_LT((R->col(static_cast<int>(first)) - u.normalized()).norm(), kRounding);
      EXPECT_GT(R->col(static_cast<int>(second)).dot(v), 0.0);
      const int third = 3 - static_cast<int>(first) - static_cast<int>(second);
      EXPECT_LT(std::abs(R->col(third).dot(v)), kRounding);
    }
  }
  EXPECT_FALSE(rotation_from_directions(Axis::x, u, Axis::y, -2 * u));
  EXPECT_FALSE(rotation_from_directions(Axis::x, Vector3::Zero(), Axis::y, v));
  EXPECT_FALSE(rotation_from_directions(Axis::x, u, Axis::y, Vector3::Zero()));
}

}  // namespace
}  // namespace gelenk::pose_test
