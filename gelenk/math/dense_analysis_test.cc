#include "gelenk/math/dense_analysis.h"

#include <gtest/gtest.h>

namespace gelenk::dense_analysis_test {
namespace {

constexpr double kRounding = 1e-14;

TEST(DenseAnalysis, EigenvaluesOfAnOscillator) {
  Eigen::MatrixXd A(2, 2);
  A << 0.0, 1.0, -25.0, -6.0;  // λ = -3 ± 4i
  const Eigensystem found = eigensystem(A);
  ASSERT_EQ(found.values.size(), 2);
  EXPECT_NEAR(found.values[0].real(), -3.0, 10 * kRounding);
  EXPECT_NEAR(std::abs(found.values[0].imag()), 4.0, 10 * kRounding);
  EXPECT_LT((A * found.vectors.col(1) - found.values[1] * found.vectors.col(1)).norm(), 1e-13);
  EXPECT_LT((eigenvalues(A) - found.values).norm(), 10 * kRounding);
}

TEST(DenseAnalysis, SymmetricPart) {
  Eigen::MatrixXd A(2, 2);
  A << 2.0, 3.0, -1.0, 2.0;  // symmetric part: 2 1 1 2
  const SymmetricEigensystem found = symmetric_eigensystem(A);
  EXPECT_NEAR(found.values[0], 1.0, kRounding);
  EXPECT_NEAR(found.values[1], 3.0, kRounding);
}

TEST(DenseAnalysis, ShortestSolutionAndRowSpaceOfASingularMatrix) {
  Eigen::MatrixXd A(2, 3);
  A << 1.0, 1.0, 0.0, 2.0, 2.0, 0.0;
  const Eigen::VectorXd x = shortest_solution(A, Eigen::Vector2d(1.0, 2.0), 1e-12);
  EXPECT_LT((x - Eigen::Vector3d(0.5, 0.5, 0.0)).norm(), kRounding);
  const Eigen::MatrixXd rows = row_space(A, 1e-12);
  ASSERT_EQ(rows.cols(), 1);
  EXPECT_NEAR(std::abs(rows(0, 0)), std::sqrt(0.5), kRounding);
  EXPECT_NEAR(rows(2, 0), 0.0, kRounding);
}

TEST(DenseAnalysis, NothingIsFine) {
  const Eigen::MatrixXd none(0, 3);
  EXPECT_EQ(shortest_solution(none, Eigen::VectorXd(0), 1e-12).size(), 3);
  EXPECT_EQ(row_space(none, 1e-12).cols(), 0);
  EXPECT_EQ(eigenvalues(Eigen::MatrixXd(0, 0)).size(), 0);
}

}  // namespace
}  // namespace gelenk::dense_analysis_test
