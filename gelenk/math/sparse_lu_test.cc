#include "gelenk/math/sparse_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

namespace gelenk::sparse_lu_test {
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

// Pivots are chosen by size: a row of another scale costs digits, unless the result is looked at again.
TEST(SparseLu, RefinesRowsOfAnyScale) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(0.5, 1.0);
  double plain_error = 0.0;
  for (int i = 0; i < 20; ++i) {
    // Whichever column comes first, the row with the large number has the larger one there.
    const std::int32_t first = i % 2;
    const std::vector<SparseLu::Entry> entries{{0, first}, {0, 1 - first}, {1, first}, {1, 1 - first}};
    const std::vector<double> values{2.0 * any(random), 1e10 * any(random), any(random), 2.0 + any(random)};
    const double x[2] = {any(random), any(random)};
    SparseLu lu;
    lu.set_pattern(2, entries);
    ASSERT_TRUE(lu.factor(values));
    std::vector<double> plain{values[0] * x[0] + values[1] * x[1], values[2] * x[0] + values[3] * x[1]};
    // The right side is rounded: what it is the right side of, to 80 bits.
    const long double determinant =
        static_cast<long double>(values[0]) * values[3] - static_cast<long double>(values[1]) * values[2];
    const long double exact[2] = {
        (static_cast<long double>(plain[0]) * values[3] - static_cast<long double>(plain[1]) * values[1]) / determinant,
        (static_cast<long double>(plain[1]) * values[0] - static_cast<long double>(plain[0]) * values[2]) /
            determinant};
    std::vector<double> refined = plain;
    lu.solve(plain);
    lu.solve_refined(refined);
    for (const std::int32_t k : {0, 1}) {
      const auto place = static_cast<std::size_t>(k == 0 ? first : 1 - first);
      plain_error = std::max(plain_error, std::abs(plain[place] - static_cast<double>(exact[k])));
      EXPECT_NEAR(refined[place], static_cast<double>(exact[k]), kRounding);
    }
  }
  EXPECT_GT(plain_error, 100.0 * kRounding);
}

TEST(SparseLu, MayBeEmpty) {
  SparseLu lu;
  lu.set_pattern(0, {});
  EXPECT_TRUE(lu.factor({}));
  lu.solve({});
  lu.solve_refined({});
}

TEST(SparseLu, RefusesWhatCannotBeFactored) {
  SparseLu lu;
  const std::vector<SparseLu::Entry> entries{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  lu.set_pattern(2, entries);
  EXPECT_FALSE(lu.factor(std::vector<double>{1.0, 2.0, 2.0, 4.0}));
  EXPECT_FALSE(lu.factor(std::vector<double>{1.0, std::nan(""), 2.0, 5.0}));
  EXPECT_TRUE(lu.factor(std::vector<double>{1.0, 2.0, 2.0, 5.0}));
}

// Large products are divided by them, which decides the order of sums.
TEST(SparseLu, CachesOfTheProcessorDoNotCount) {
  EXPECT_EQ(Eigen::l1CacheSize(), 48 << 10);
  EXPECT_EQ(Eigen::l2CacheSize(), 2 << 20);
  EXPECT_EQ(Eigen::l3CacheSize(), 260 << 20);
}

}  // namespace
}  // namespace gelenk::sparse_lu_test
