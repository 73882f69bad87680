#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/machine_test_support.h"

namespace gelenk::solve::reaction_share_test {
namespace {

using test::largest;
using test::largest_difference;
using test::Machine;

constexpr double kTau = 1e-6;

// μ = S⁻¹λ of least length with the same Gᵀλ: its projection on the space of the columns of S G. Gram-Schmidt in 80
// bits.
std::vector<double> shared_directly(const Machine& machine, std::span<const double> scales,
                                    const std::vector<double>& lambda) {
  using Real = long double;
  const std::size_t m = machine.rows.size();
  std::vector<std::vector<Real>> columns(6 * machine.bodies.size(), std::vector<Real>(m, 0));
  std::vector<Real> mu(m);
  for (std::size_t j = 0; j < m; ++j) {
    mu[j] = static_cast<Real>(lambda[j]) / static_cast<Real>(scales[j]);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto add = [&](std::int32_t body, double value) {
        if (body >= 0) columns[6 * static_cast<std::size_t>(body) + i][j] += static_cast<Real>(scales[j] * value);
      };
      add(machine.rows[j].a, machine.blocks[j].a[i]);
      add(machine.rows[j].b, machine.blocks[j].b[i]);
    }
  }
  const auto dot = [m](const std::vector<Real>& x, const std::vector<Real>& y) {
    Real sum = 0;
    for (std::size_t j = 0; j < m; ++j) sum += x[j] * y[j];
    return sum;
  };
  std::vector<std::vector<Real>> basis;
  for (std::vector<Real>& column : columns) {
    const Real before = dot(column, column);
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<Real>& q : basis) {
        const Real overlap = dot(q, column);
        for (std::size_t j = 0; j < m; ++j) column[j] -= overlap * q[j];
      }
    }
    const Real rest = dot(column, column);
    if (!(rest > 1e-16L * before)) continue;  // a free motion: rounding of 1e-38, or none
    for (Real& value : column) value /= std::sqrt(rest);
    basis.push_back(column);
  }
  std::vector<double> result(m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    Real sum = 0;
    for (const std::vector<Real>& q : basis) sum += q[j] * dot(q, mu);
    result[j] = static_cast<double>(sum * static_cast<Real>(scales[j]));
  }
  return result;
}

class ReactionShareTest : public testing::TestWithParam<Storage> {};

INSTANTIATE_TEST_SUITE_P(Storages, ReactionShareTest, testing::Values(Storage::dense, Storage::sparse),
                         [](const auto& storage) { return storage.param == Storage::dense ? "dense" : "sparse"; });

// S1-15: with dependent rows the multipliers are those of a pseudo-inverse, in the scales of the rows.
TEST_P(ReactionShareTest, EqualsTheDirectWeightedMinimum) {
  for (const Machine& original : {test::ladder(1), test::ladder(6), test::ladder(2, 1e-3), test::ladder(3, 0.0),
                                  test::tangle(16, 1), test::tangle(16, 2)}) {
    Machine machine = original;
    SCOPED_TRACE(machine.rows.size());
    FlatSolver solver = test::make_solver(machine, GetParam());
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, kTau, pivots);
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    test::Solution solution = test::sweep(solver, r, std::vector<double>(machine.rows.size(), 0.0));
    const std::vector<double> basic = solution.lambda;
    solver.share(solution.lambda);

    const std::vector<double> direct = shared_directly(machine, solver.row_scales(), basic);
    constexpr double kShare = 1e-10;  // coefficients of redundancies times rounding of the solves
    EXPECT_LT(largest_difference(solution.lambda, direct), kShare * largest(basic));
    EXPECT_GT(largest_difference(basic, direct), 1e-2);  // r is of order one
    // What the bodies feel stays.
    EXPECT_LT(largest_difference(machine.wrenches(solution.lambda), machine.wrenches(basic)), 1e-12 * largest(basic));
  }
}

// The share does not depend on which rows were dropped.
TEST(ReactionShare, IsTheSameForAllPivots) {
  Machine machine = test::ladder(5);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u(machine.rows.size(), 0.0);
  std::vector<std::vector<double>> shares;
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    FlatSolver solver = test::make_solver(machine, storage);
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, kTau, pivots);
    shares.push_back(test::sweep(solver, r, u).lambda);
    solver.share(shares.back());
  }
  EXPECT_LT(largest_difference(shares[0], shares[1]), 1e-12 * largest(shares[0]));
}

// A hinge that is there twice: each of the two takes half.
TEST_P(ReactionShareTest, TwinsShareEqually) {
  Machine machine;
  machine.add_body({0.5, 0, 0}, 2.0, {0.3, 0.3, 0.3});
  machine.add_revolute(-1, 0, {0, 0, 0}, {0, 0, 1});
  machine.add_revolute(-1, 0, {0, 0, 0}, {0, 0, 1});
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  ASSERT_EQ(solver.rank(), 5u);
  test::Solution solution = test::sweep(solver, {0, -9.81, 0, 0, 0, 0}, std::vector<double>(10, 0.0));
  const double whole = solution.lambda[1] + solution.lambda[6];
  EXPECT_GT(std::abs(whole), 1.0);
  solver.share(solution.lambda);
  EXPECT_NEAR(solution.lambda[1], 0.5 * whole, 1e-14 * std::abs(whole));
  EXPECT_NEAR(solution.lambda[6], 0.5 * whole, 1e-14 * std::abs(whole));
}

TEST_P(ReactionShareTest, NothingToShare) {
  Machine machine = test::chain(4, test::Link::revolute);
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  test::Solution solution =
      test::sweep(solver, machine.numbers(6 * machine.bodies.size()), std::vector<double>(machine.rows.size(), 0.0));
  const std::vector<double> before = solution.lambda;
  solver.share(solution.lambda);
  EXPECT_EQ(solution.lambda, before);
  std::vector<char> is_determinate;
  solver.determinate_rows(is_determinate);
  EXPECT_EQ(std::count(is_determinate.begin(), is_determinate.end(), 1), 20);
}

// Plane four-bar: the in-plane forces of its four hinges are unique, everything out of the plane is shared.
// S2-22: a plane mechanism in space needs no modified joints, and what is undetermined is known.
TEST_P(ReactionShareTest, InPlaneForcesOfAFourBarAreDeterminate) {
  const Machine machine = test::ladder(1);
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  std::vector<char> is_determinate;
  solver.determinate_rows(is_determinate);
  std::vector<char> expected(20, 0);  // five rows for each of four hinges, the first two in the plane
  for (std::size_t joint = 0; joint < 4; ++joint) expected[5 * joint] = expected[5 * joint + 1] = 1;
  EXPECT_EQ(is_determinate, expected);
}

}  // namespace
}  // namespace gelenk::solve::reaction_share_test
