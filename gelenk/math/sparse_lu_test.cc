#include "gelenk/math/sparse_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace gelenk {
namespace {

constexpr double kRounding = 1e-12;  // of a solution of a well-conditioned system of a dozen unknowns

// A saddle point: a zero block on the diagonal, so that rows must be exchanged; not symmetric.
struct Case {
  static constexpr std::int32_t kSize = 12, kRows = 4;
  std::vector<SparseLu::Entry> entries;
  std::vector<double> values;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(kSize, kSize);

  explicit Case(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    const auto add = [&](std::int32_t row, std::int32_t column, double value) {
      entries.push_back({row, column});
      values.push_back(value);
      dense(row, column) += value;
    };
    for (std::int32_t i = 0; i < kSize - kRows; ++i) {
      add(i, i, 3.0 + any(random));
      add(i, (i + 1) % (kSize - kRows), any(random));
      add(i, i, any(random));  // twice the same place
    }
    for (std::int32_t r = 0; r < kRows; ++r) {
      for (const std::int32_t column : {2 * r, 2 * r + 1}) {
        const double value = any(random) + 2.0;
        add(kSize - kRows + r, column, value);
        add(column, kSize - kRows + r, value);
      }
    }
  }
};

TEST(SparseLu, SolvesAsADenseMatrix) {
  SparseLu lu;
  const Case first(1);
  lu.set_pattern(Case::kSize, first.entries);
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Case one(seed);
    ASSERT_TRUE(lu.factor(one.values));
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(Case::kSize, -1.0, 2.0);
    const Eigen::VectorXd expected = one.dense.fullPivLu().solve(x);
    lu.solve({x.data(), static_cast<std::size_t>(x.size())});
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), kRounding) << seed;
  }
}

TEST(SparseLu, RefusesWhatCannotBeFactored) {
  SparseLu lu;
  const std::vector<SparseLu::Entry> entries{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  lu.set_pattern(2, entries);
  EXPECT_FALSE(lu.factor(std::vector<double>{1.0, 2.0, 2.0, 4.0}));
  EXPECT_FALSE(lu.factor(std::vector<double>{1.0, std::nan(""), 2.0, 5.0}));
  EXPECT_TRUE(lu.factor(std::vector<double>{1.0, 2.0, 2.0, 5.0}));
}

}  // namespace
}  // namespace gelenk
