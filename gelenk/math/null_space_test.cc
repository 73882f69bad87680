#include "gelenk/math/null_space.h"

#include <gtest/gtest.h>

namespace gelenk::null_space_test {
namespace {

constexpr double kRankTolerance = 1e-9;
constexpr double kRounding = 1e-13;

TEST(NullSpace, RowsWithOneRepetition) {
  MatrixX G(3, 4);
  G << 1, 0, 0, 2, 0, 1, 0, -1, 1, 1, 0, 1;  // third row = first + second
  const NullSpace space = null_space(G, kRankTolerance);
  EXPECT_EQ(space.rank, 2);
  ASSERT_EQ(space.basis.cols(), 2);
  EXPECT_LT((G * space.basis).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT((space.basis.transpose() * space.basis - MatrixX::Identity(2, 2)).cwiseAbs().maxCoeff(), kRounding);
}

TEST(NullSpace, NoRowsLeaveEverythingFree) {
  const NullSpace space = null_space(MatrixX(0, 6), kRankTolerance);
  EXPECT_EQ(space.rank, 0);
  EXPECT_EQ(space.basis.cols(), 6);
}

TEST(NullSpace, FullRankLeavesNothing) {
  const NullSpace space = null_space(MatrixX::Identity(5, 5), kRankTolerance);
  EXPECT_EQ(space.rank, 5);
  EXPECT_EQ(space.basis.cols(), 0);
}

}  // namespace
}  // namespace gelenk::null_space_test
