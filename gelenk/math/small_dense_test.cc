#include "gelenk/math/small_dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace gelenk::small_dense_test {
namespace {

TEST(InvertDense, GivesTheInverse) {
  const std::vector<double> A{2.0, 1.0, 0.0, 0.0, 3.0, 1.0, 1.0, 0.0, 1.0};
  std::vector<double> inverse(9);
  ASSERT_TRUE(invert_dense(A, 3, inverse));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k) sum += A[3 * i + k] * inverse[3 * k + j];
      EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-15);
    }
  }
}

TEST(InvertDense, SaysWhereThereIsNone) {
  std::vector<double> inverse(4);
  EXPECT_FALSE(invert_dense(std::vector<double>{0.0, 0.0, 0.0, 0.0}, 2, inverse));
  EXPECT_FALSE(invert_dense(std::vector<double>{std::nan(""), 0.0, 0.0, 1.0}, 2, inverse));
}

TEST(FastestModeTest, FindsTheLargestEigenvalueAndItsCoordinate) {
  // A slow decay, and an oscillation with ±7i.
  const std::vector<double> A{-1.0, 0.0, 0.0, 0.0, 0.0, 49.0, 0.0, -1.0, 0.0};
  const FastestMode mode = fastest_mode(A, 3);
  EXPECT_NEAR(mode.size, 7.0, 1e-12);
  EXPECT_EQ(mode.coordinate, 1U);
  EXPECT_EQ(fastest_mode(std::vector<double>(4, 0.0), 2).size, 0.0);
  EXPECT_EQ(fastest_mode(std::vector<double>{std::numeric_limits<double>::infinity()}, 1).size, 0.0);
}

}  // namespace
}  // namespace gelenk::small_dense_test
