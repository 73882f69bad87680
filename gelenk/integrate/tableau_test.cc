#include "gelenk/integrate/tableau.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gelenk::integrate::tableau_test {
namespace {

// A few roundings of coefficients up to 11 in size.
constexpr double kRounding = 1e-14;

using Row = Tableau::Row;

double dot(const Row& u, const Row& v) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
  return sum;
}

Row product(const Row& u, const Row& v) {
  Row w{};
  for (std::size_t i = 0; i < u.size(); ++i) w[i] = u[i] * v[i];
  return w;
}

Row a_times(const Tableau& t, const Row& v) {
  Row w{};
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = dot(t.a[i], v);
  return w;
}

Row dense_weights(const Tableau& t, double theta) {
  Row weights{};
  for (int i = 0; i < t.stages; ++i) weights[static_cast<std::size_t>(i)] = t.dense_weight(i, theta);
  return weights;
}

// The conditions on all rooted trees up to `order` (≤ 5) for weights that lead to the time θ h.
void expect_order(const Tableau& t, const Row& weights, double theta, int order) {
  Row ones{};
  for (int i = 0; i < t.stages; ++i) ones[static_cast<std::size_t>(i)] = 1.0;
  const Row& c = t.c;
  const Row c2 = product(c, c);
  const Row ac = a_times(t, c);
  const Row ac2 = a_times(t, c2);
  const Row aac = a_times(t, ac);
  const auto expect = [&](int tree_order, const Row& tree, double density) {
    if (tree_order > order) return;
    EXPECT_NEAR(dot(weights, tree), std::pow(theta, tree_order) / density, kRounding)
        << "tree of order " << tree_order << " and density " << density << " at θ = " << theta;
  };
  expect(1, ones, 1);
  expect(2, c, 2);
  expect(3, c2, 3);
  expect(3, ac, 6);
  expect(4, product(c2, c), 4);
  expect(4, product(c, ac), 8);
  expect(4, ac2, 12);
  expect(4, aac, 24);
  expect(5, product(c2, c2), 5);
  expect(5, product(c2, ac), 10);
  expect(5, product(c, ac2), 15);
  expect(5, product(c, aac), 30);
  expect(5, product(ac, ac), 20);
  expect(5, a_times(t, product(c2, c)), 20);
  expect(5, a_times(t, product(c, ac)), 40);
  expect(5, a_times(t, ac2), 60);
  expect(5, a_times(t, aac), 120);
}

class TableauTest : public testing::TestWithParam<const Tableau*> {};

TEST_P(TableauTest, StagesStandAtTheirTimes) {
  const Tableau& t = *GetParam();
  for (std::size_t i = 0; i < t.a.size(); ++i) {
    double sum = 0.0;
    for (const double a : t.a[i]) sum += a;
    EXPECT_NEAR(sum, t.c[i], kRounding) << "stage " << i;
    for (std::size_t j = i; j < t.a.size(); ++j) EXPECT_EQ(t.a[i][j], 0.0) << "not explicit";
  }
}

TEST_P(TableauTest, StepAndEmbeddedStepHaveTheirOrder) {
  const Tableau& t = *GetParam();
  expect_order(t, t.b, 1.0, t.order);
  if (t.error_order == 0) return;
  Row embedded = t.b;
  for (std::size_t i = 0; i < embedded.size(); ++i) embedded[i] -= t.error[i];
  expect_order(t, embedded, 1.0, t.error_order);
}

TEST_P(TableauTest, DenseOutputIsOneOrderLowerInsideAndTheStepAtItsEnd) {
  const Tableau& t = *GetParam();
  for (const double theta : {0.0, 0.1, 0.37, 0.5, 0.81, 1.0}) {
    expect_order(t, dense_weights(t, theta), theta, t.order - 1);
  }
  const Row end = dense_weights(t, 1.0);
  for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(end[i], t.b[i], kRounding) << "stage " << i;
}

INSTANTIATE_TEST_SUITE_P(All, TableauTest, testing::Values(&rk4(), &dopri5()));

}  // namespace
}  // namespace gelenk::integrate::tableau_test
