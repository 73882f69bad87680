#include "gelenk/math/rotation.h"

#include <gtest/gtest.h>

#include <array>

#include "gelenk/math/vector.h"

namespace gelenk::rotation_test {
namespace {

// Rotation vectors around the borders between series and closed forms, and near half a turn.
const std::array kTurns{Vector3(0.0, 0.0, 0.0),   Vector3(1e-13, 0.0, -2e-13), Vector3(1e-5, 2e-5, -1e-5),
                        Vector3(1e-4, 2e-4, 0.0), Vector3(0.05, -0.08, 0.03),  Vector3(0.3, 0.4, -1.2),
                        Vector3(1.8, -1.6, 1.9),  Vector3(0.0, 3.1415, 0.0)};
constexpr double kRounding = 4e-15;

TEST(Rotation, ExponentialIsTheTurnAboutTheAxis) {
  for (const Vector3& theta : kTurns) {
    const double angle = theta.norm();
    const Matrix3 expected =
        angle == 0.0 ? Matrix3::Identity() : Matrix3(Eigen::AngleAxisd(angle, theta / angle).toRotationMatrix());
    EXPECT_LT((rotation_exp(theta).toRotationMatrix() - expected).norm(), kRounding) << theta.transpose();
  }
}

TEST(Rotation, LogarithmUndoesTheExponential) {
  for (const Vector3& theta : kTurns) {
    const Quaternion q = rotation_exp(theta);
    EXPECT_LT((rotation_log(q) - theta).norm(), kRounding * (1.0 + theta.norm())) << theta.transpose();
    // q and -q are the same rotation.
    EXPECT_LT((rotation_log(Quaternion(-q.coeffs())) - theta).norm(), kRounding * (1.0 + theta.norm()));
  }
}

// S1-14: the condition of Euler parameters.
TEST(Rotation, TurnedStaysOfUnitLength) {
  Quaternion q = rotation_exp(Vector3(0.3, -0.2, 0.9));
  for (int i = 0; i < 10'000; ++i) q = turned(q, Vector3(0.1, 0.2, -0.3));
  EXPECT_NEAR(q.norm(), 1.0, kRounding);
}

// exp(θ + θ̇ dt) = exp(w dt) exp(θ) to first order, by central differences.
TEST(Rotation, RateOfTheRotationVectorTurnsWithTheAngularVelocity) {
  constexpr double kStep = 1e-5;
  constexpr double kDifference = 1e-9;  // kStep² and rounding over kStep
  const Vector3 w(0.7, -1.1, 0.4);
  for (const Vector3& theta : kTurns) {
    if (theta.norm() > 3.0) continue;  // the logarithm of the neighbors wraps
    const Vector3 ahead = rotation_log(rotation_exp(w * kStep) * rotation_exp(theta));
    const Vector3 behind = rotation_log(rotation_exp(-w * kStep) * rotation_exp(theta));
    const Vector3 expected = (ahead - behind) / (2.0 * kStep);
    EXPECT_LT((rotation_vector_rate(theta, w) - expected).norm(), kDifference) << theta.transpose();
  }
}

TEST(Skew, IsTheCrossProduct) {
  const Vector3 a(1.0, -2.0, 3.0);
  const Vector3 b(0.5, 4.0, -1.0);
  EXPECT_EQ(skew<double>(a) * b, a.cross(b));
}

}  // namespace
}  // namespace gelenk::rotation_test
