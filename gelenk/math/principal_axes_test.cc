#include "gelenk/math/principal_axes.h"

#include <gtest/gtest.h>

namespace gelenk::principal_axes_test {
namespace {

TEST(PrincipalAxes, OfATurnedDiagonal) {
  const Matrix3 R = *rotation_from_axis_angle({1.0, 2.0, -1.0}, 0.7);
  const Matrix3 S = R * Vector3(5.0, 0.0, 2.0).asDiagonal() * R.transpose();
  const PrincipalAxes found = principal_axes(S);
  EXPECT_LT((found.values - Vector3(0.0, 2.0, 5.0)).norm(), 1e-14);
  EXPECT_LT((found.axes.transpose() * found.axes - Matrix3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(std::abs(found.axes.col(0).dot(R.col(1))), 1.0, 1e-14);
  EXPECT_NEAR(std::abs(found.axes.col(2).dot(R.col(0))), 1.0, 1e-14);
}

}  // namespace
}  // namespace gelenk::principal_axes_test
