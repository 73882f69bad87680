#include "gelenk/contact/interval_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "gelenk/contact/problem.h"

namespace gelenk::contact::interval_law_test {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;  // of numbers of size one, through matrices of condition up to a thousand

struct Rows {
  std::size_t n = 0;
  std::vector<double> D, q, low, high;

  double velocity(std::size_t i, const std::vector<double>& r) const {
    double u = q[i];
    for (std::size_t j = 0; j < n; ++j) u += D[i * n + j] * r[j];
    return u;
  }
};

// D = A Aᵀ + a little; friction, stops and one row that can do nothing.
Rows random_rows(std::size_t n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Rows rows{n, std::vector<double>(n * n, 0.0), {}, {}, {}};
  std::vector<double> A(n * n);
  for (double& a : A) a = normal(random);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) rows.D[i * n + j] += A[i * n + k] * A[j * n + k];
    }
    rows.D[i * n + i] += 0.05;
    rows.q.push_back(2.0 * normal(random));
    const bool is_stop = (random() & 1) != 0;
    const double limit = (random() & 7) == 0 ? 0.0 : std::abs(normal(random));
    rows.low.push_back(is_stop ? 0.0 : -limit);
    rows.high.push_back(is_stop ? kEndless : limit);
  }
  return rows;
}

void expect_law(const Rows& rows, const std::vector<double>& r) {
  for (std::size_t i = 0; i < rows.n; ++i) {
    const double u = rows.velocity(i, r);
    EXPECT_GE(r[i], rows.low[i]);
    EXPECT_LE(r[i], rows.high[i]);
    EXPECT_TRUE(r[i] <= rows.low[i] || u <= kRounding) << "it would rather push less";
    EXPECT_TRUE(r[i] >= rows.high[i] || u >= -kRounding) << "it would rather push more";
    EXPECT_LE(interval_map(u, r[i], rows.low[i], rows.high[i], rows.D[i * rows.n + i]), kRounding);
  }
}

// S4-06: the law as a fixed point of a projection, whatever the rows are and however they are coupled.
TEST(IntervalLaw, IsExactForManyRowsAtOnce) {
  std::mt19937 random(3);
  int at_ends = 0, inside = 0;
  for (int i = 0; i < 400; ++i) {
    const Rows rows = random_rows(1 + static_cast<std::size_t>(i % 12), random);
    std::vector<double> r(rows.n, 0.0);
    ASSERT_TRUE(solve_intervals(rows.D, rows.q, rows.low, rows.high, r)) << i;
    expect_law(rows, r);
    for (std::size_t k = 0; k < rows.n; ++k) (r[k] > rows.low[k] && r[k] < rows.high[k] ? inside : at_ends) += 1;
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(at_ends, 500);
}

TEST(IntervalLaw, RowsThatHoldTheSameAreLeftToSweeps) {
  const Rows rows{2, {1.0, 1.0, 1.0, 1.0}, {-1.0, -1.0}, {-2.0, -2.0}, {2.0, 2.0}};
  std::vector<double> r{0.5, 0.25};
  EXPECT_FALSE(solve_intervals(rows.D, rows.q, rows.low, rows.high, r));
  EXPECT_EQ(r, (std::vector<double>{0.5, 0.25})) << "the guess stays";
}

// Two brakes on one wheel, and a stop on another: sweeps share what no law decides.
TEST(Problem, RowsOnTheSameWheel) {
  Problem problem;
  problem.begin(2);
  problem.velocities()[0] = {3.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  problem.velocities()[1] = {-1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  const auto add = [&](std::int32_t node, double low, double high) {
    const NodeTwist unit{node, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    const NodeTwist effect{node, {0.5, 0.0, 0.0, 0.0, 0.0, 0.0}};  // of mass 2
    problem.add_row({.low = low, .high = high}, std::span(&unit, 1), std::span(&effect, 1));
  };
  add(0, -2.0, 2.0);
  add(0, -5.0, 5.0);
  add(1, 0.0, kEndless);
  const SolveReport report = problem.solve({.tolerance = 1e-12});
  EXPECT_TRUE(report.has_converged);
  EXPECT_NEAR(problem.velocities()[0][0], 0.0, 1e-12) << "together they can do 7, and 6 are needed";
  EXPECT_NEAR(problem.rows()[0].impulse + problem.rows()[1].impulse, -6.0, 1e-12);
  EXPECT_NEAR(problem.velocities()[1][0], 0.0, 1e-15);
  EXPECT_NEAR(problem.rows()[2].impulse, 2.0, 1e-15);
}

// A ball falls on a hinged plate whose hinge has dry friction: points and rows in one island keep both laws.
TEST(Problem, PointsAndRowsTogether) {
  Problem problem;
  problem.begin(2);
  problem.velocities()[0] = {0.0, 0.0, -2.0, 0.0, 0.0, 0.0};  // ball, mass 1
  PointProblem point{.node_a = 1, .node_b = 0, .directions = directions_of(Vector3::UnitZ()), .friction = 0.3};
  point.arm_a = Vector3(0.5, 0.0, 0.0);
  problem.add_point(point);
  Effect ball{.node = 0};
  Effect plate{.node = 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 n = point.directions.col(static_cast<Eigen::Index>(k));
    for (std::size_t i = 0; i < 3; ++i) ball.twist[k][i] = n[static_cast<Eigen::Index>(i)];
    plate.twist[k][4] = -point.arm_a.cross(n).y() / 0.25;  // it turns about y alone
  }
  problem.add_effect(ball);
  problem.add_effect(plate);
  problem.end_point();
  const NodeTwist hinge{1, {0.0, 0.0, 0.0, 0.0, 1.0, 0.0}};
  const NodeTwist effect{1, {0.0, 0.0, 0.0, 0.0, 4.0, 0.0}};
  constexpr double kLimit = 0.1;
  problem.add_row({.low = -kLimit, .high = kLimit}, std::span(&hinge, 1), std::span(&effect, 1));
  EXPECT_TRUE(problem.solve({.tolerance = 1e-13, .most_sweeps = 1000}).has_converged);
  // Plastic: (ball) v = -2 + p; (plate) 0.25 w = 0.5 p - kLimit, v = -0.5 w.
  const double p = (2.0 + 0.5 * 4.0 * kLimit) / (1.0 + 0.25 * 4.0);
  EXPECT_NEAR(problem.points()[0].impulse[0], p, 1e-12);
  EXPECT_NEAR(problem.velocities()[0][2], -2.0 + p, 1e-12);
  EXPECT_NEAR(std::abs(problem.rows()[0].impulse), kLimit, 1e-15);
  EXPECT_LT(problem.residual(), 1e-12);
}

}  // namespace
}  // namespace gelenk::contact::interval_law_test
