#include "gelenk/solve/flat_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gelenk/solve/machine_test_support.h"

namespace gelenk::solve::flat_solver_test {
namespace {

using test::largest;
using test::largest_difference;
using test::Link;
using test::Machine;

constexpr double kTau = 1e-6;
// Accelerations relative to the largest one: rounding times a condition of up to 100, after correction.
constexpr double kSame = 1e-13;

class FlatSolverTest : public testing::TestWithParam<Storage> {
 protected:
  static void expect_reference(Machine machine, double tolerance) {
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    const std::vector<double> u = machine.rates(machine.numbers(r.size()));
    FlatSolver solver = test::make_solver(machine, GetParam());
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, kTau, pivots);
    const test::Solution ours = test::sweep(solver, r, u);
    const test::Reference reference = test::solve_by_orthogonal_rows(machine, r, u, kTau);
    EXPECT_EQ(solver.rank(), reference.rank);
    EXPECT_LT(largest_difference(ours.a, reference.a), tolerance * largest(reference.a));
    // a = r + M⁻¹Gᵀλ is what the multipliers are for.
    const std::vector<double> wrench = machine.wrenches(ours.lambda);
    for (std::size_t k = 0; k < machine.bodies.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double from_wrench = r[6 * k + i] + machine.bodies[k].inverse_mass * wrench[6 * k + i];
        EXPECT_NEAR(ours.a[6 * k + i], from_wrench, tolerance * largest(reference.a));
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Storages, FlatSolverTest, testing::Values(Storage::dense, Storage::sparse),
                         [](const auto& storage) { return storage.param == Storage::dense ? "dense" : "sparse"; });

TEST_P(FlatSolverTest, SolvesChains) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    expect_reference(test::chain(std::size_t{3} * seed, Link::spherical, 1.0, seed), kSame);
    expect_reference(test::chain(std::size_t{2} * seed, Link::revolute, 1.0, seed), kSame);
  }
}

TEST_P(FlatSolverTest, SolvesLoopsHubsAndRedundantRows) {
  expect_reference(test::ladder(1), kSame);
  expect_reference(test::ladder(6), kSame);
  expect_reference(test::star(12, Link::revolute), kSame);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_reference(test::tangle(4 + seed, seed), 1e-11);  // axes at random: conditions of up to 1e4
  }
}

// Parallelogram at an angle from its flat pose: the condition of G M^(-1/2) is about 1/angle, and the error of a motion
// that the data define to rounding is as much larger. Cholesky of N alone would lose twice as many digits.
TEST_P(FlatSolverTest, LosesOnlyTheDigitsOfTheConditionNearASingularPose) {
  for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(angle);
    expect_reference(test::ladder(1, angle), std::max(1e-14 / angle, 1e-13));
    expect_reference(test::ladder(4, angle), std::max(2e-14 / angle, 1e-13));
  }
}

// S0-20: redundant rows are dropped; the pivots of the others are far from zero, so that the solution stays bounded.
TEST_P(FlatSolverTest, DropsTheRowsOfASingularPose) {
  for (const double angle : {0.0, 1e-8}) {
    const Machine machine = test::ladder(3, angle);
    FlatSolver solver = test::make_solver(machine, GetParam());
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, kTau, pivots);
    EXPECT_EQ(solver.rank(), 50u - 9u - 3u);  // three redundant rows in each cell, and one more in each flat cell
    EXPECT_GT(solver.smallest_pivot(), 1e-3);
  }
}

// Light bodies between heavy ones. Forces of the heavy bodies pass through the light ones and cancel there, so what can
// be had is rounding of the largest force over the smallest mass.
TEST_P(FlatSolverTest, BearsMassRatios) {
  for (const double ratio : {1e4, 1e6, 1e8}) {
    SCOPED_TRACE(ratio);
    Machine machine = test::chain(32, Link::spherical, ratio);
    std::vector<double> r(6 * machine.bodies.size(), 0.0);
    for (std::size_t k = 0; k < machine.bodies.size(); ++k) r[6 * k + 1] = -9.81;
    const std::vector<double> u = machine.rates(machine.numbers(r.size()));
    FlatSolver solver = test::make_solver(machine, GetParam());
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, kTau, pivots);
    const test::Solution ours = test::sweep(solver, r, u);
    const test::Reference reference = test::solve_by_orthogonal_rows(machine, r, u, kTau);
    EXPECT_EQ(solver.rank(), reference.rank);
    EXPECT_LE(ours.report.corrections, 2);
    constexpr double kSmallestInertia = 0.02 * 0.7;  // of the bodies of mass one
    EXPECT_LT(largest_difference(ours.a, reference.a), 1e-16 * largest(ours.lambda) / kSmallestInertia);
  }
}

// A bar on a hinge: angular acceleration m g l / (J + m l²).
TEST_P(FlatSolverTest, PhysicalPendulum) {
  constexpr double kMass = 2.0;
  constexpr double kInertia = 0.3;
  constexpr double kLength = 0.5;
  constexpr double kGravity = 9.81;
  Machine machine;
  machine.add_body({kLength, 0, 0}, kMass, {kInertia, kInertia, kInertia});
  machine.add_revolute(-1, 0, {0, 0, 0}, {0, 0, 1});
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  EXPECT_EQ(solver.factor(machine.bodies, machine.blocks, kTau, pivots), PivotChange::chosen_again);
  const test::Solution solution = test::sweep(solver, {0, -kGravity, 0, 0, 0, 0}, std::vector<double>(5, 0.0));
  const double turn = -kMass * kGravity * kLength / (kInertia + kMass * kLength * kLength);
  EXPECT_NEAR(solution.a[5], turn, 1e-14);
  EXPECT_NEAR(solution.a[1], turn * kLength, 1e-14);
  // The row is the point of the ground minus that of the body: λ is minus the force on the body.
  EXPECT_NEAR(solution.lambda[1], -kMass * (turn * kLength + kGravity), 1e-13);
}

TEST_P(FlatSolverTest, ProjectionMayOverwriteItsInput) {
  Machine machine = test::ladder(3);
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u(machine.rows.size(), 0.0);
  const test::Solution apart = test::sweep(solver, r, u);
  std::vector<double> both = r;
  std::vector<double> lambda(u.size());
  solver.sweep(both, u, both, lambda);
  EXPECT_EQ(both, apart.a);
  EXPECT_EQ(lambda, apart.lambda);
}

TEST_P(FlatSolverTest, TellsWhichDroppedRowIsViolated) {
  Machine machine = test::chain(3, Link::revolute);
  machine.rows.push_back(machine.rows[7]);
  machine.blocks.push_back(machine.blocks[7]);
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  ASSERT_EQ(pivots.dropped.size(), 1u);
  const std::int32_t dropped = pivots.dropped[0];
  EXPECT_TRUE(dropped == 7 || dropped == 15);
  std::vector<double> u(machine.rows.size(), 0.0);
  u[static_cast<std::size_t>(dropped)] = 0.25;
  const test::Solution solution = test::sweep(solver, std::vector<double>(18, 0.0), u);
  EXPECT_EQ(solution.report.worst_dropped, dropped);
  EXPECT_NEAR(solution.report.dropped_residual, 0.25 * solver.row_scales()[static_cast<std::size_t>(dropped)], 1e-15);
  EXPECT_EQ(largest(solution.a), 0.0);
}

// Iterations with factors of a pose nearby reach the solution with the new blocks.
TEST_P(FlatSolverTest, KeptFactorsSolveForNewBlocks) {
  constexpr double kMoved = 1e-4;
  const Machine before = test::ladder(3, 1.0);
  Machine after = test::ladder(3, 1.0 + kMoved);
  FlatSolver solver = test::make_solver(before, GetParam());
  PivotSet pivots;
  solver.factor(before.bodies, before.blocks, kTau, pivots);
  solver.set_blocks(after.bodies, after.blocks);
  const std::vector<double> r = after.numbers(6 * after.bodies.size());
  const std::vector<double> u = after.rates(after.numbers(r.size()));
  const test::Solution ours = test::sweep(solver, r, u);
  EXPECT_GE(ours.report.corrections, 2);
  const test::Reference reference = test::solve_by_orthogonal_rows(after, r, u, kTau);
  EXPECT_LT(largest_difference(ours.a, reference.a), 1e-12 * largest(reference.a));
}

TEST(FlatSolver, SparseEqualsDense) {
  for (const Machine& original : {test::ladder(16), test::chain(40, Link::revolute), test::star(20, Link::spherical),
                                  test::tangle(40, 1), test::tangle(60, 2)}) {
    Machine machine = original;
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    const std::vector<double> u = machine.rates(machine.numbers(r.size()));
    FlatSolver dense = test::make_solver(machine, Storage::dense);
    FlatSolver sparse = test::make_solver(machine, Storage::sparse);
    PivotSet pivots;
    PivotSet sparse_pivots;
    dense.factor(machine.bodies, machine.blocks, kTau, pivots);
    sparse.factor(machine.bodies, machine.blocks, kTau, sparse_pivots);
    EXPECT_EQ(dense.rank(), sparse.rank());
    const test::Solution by_dense = test::sweep(dense, r, u);
    EXPECT_LT(largest_difference(by_dense.a, test::sweep(sparse, r, u).a), 1e-10 * largest(by_dense.a));
    // Pivots of one are good for the other.
    EXPECT_EQ(sparse.factor(machine.bodies, machine.blocks, kTau, pivots), PivotChange::none);
    EXPECT_LT(largest_difference(by_dense.lambda, test::sweep(sparse, r, u).lambda), 1e-9 * largest(by_dense.lambda));
  }
}

TEST(FlatSolver, SmallMachinesAreDense) {
  EXPECT_FALSE(FlatSolver(4, test::chain(4, Link::revolute).rows).is_sparse());
  EXPECT_TRUE(FlatSolver(40, test::chain(40, Link::revolute).rows).is_sparse());
}

TEST(FlatSolver, SizeOfTheFactorGrowsWithChainsAndWithTheSquareOfHubs) {
  const auto size = [](const Machine& machine) {
    const FlatSolver solver = test::make_solver(machine, Storage::sparse);
    const double least = FlatSolver::least_factor_size(machine.bodies.size(), machine.rows);
    EXPECT_GE(static_cast<double>(solver.factor_size()), least);
    return static_cast<double>(solver.factor_size());
  };
  EXPECT_NEAR(size(test::chain(400, Link::revolute)) / size(test::chain(100, Link::revolute)), 4.0, 0.1);
  EXPECT_GT(size(test::star(400, Link::spherical)) / size(test::star(100, Link::spherical)), 10.0);
}

TEST_P(FlatSolverTest, NothingToSolve) {
  FlatSolver none(0, {}, {GetParam(), 0});
  PivotSet pivots;
  none.factor({}, {}, kTau, pivots);
  EXPECT_EQ(none.rank(), 0u);
  EXPECT_EQ(none.sweep({}, {}, {}, {}).residual, 0.0);

  Machine free;
  free.add_random_body({0, 0, 0}, 1.0);
  FlatSolver solver = test::make_solver(free, GetParam());
  PivotSet free_pivots;
  solver.factor(free.bodies, {}, kTau, free_pivots);
  const std::vector<double> r = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(test::sweep(solver, r, {}).a, r);
}

// Rows that move nothing: ground to ground, zero blocks, both ends on one body.
TEST_P(FlatSolverTest, EmptyRowsAreDropped) {
  Machine machine = test::chain(2, Link::spherical);
  machine.add_point_row(-1, -1, {1, 2, 3}, {1, 0, 0});
  machine.rows.push_back({0, 1});
  machine.blocks.push_back({});
  machine.add_point_row(1, 1, {1, 2, 3}, {0, 1, 0});
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  EXPECT_EQ(pivots.dropped, (std::vector<std::int32_t>{6, 7, 8}));
  const std::vector<double> r = machine.numbers(12);
  const test::Solution solution = test::sweep(solver, r, std::vector<double>(9, 0.0));
  const test::Solution without = [&] {
    const Machine plain = test::chain(2, Link::spherical);
    FlatSolver plain_solver = test::make_solver(plain, GetParam());
    PivotSet plain_pivots;
    plain_solver.factor(plain.bodies, plain.blocks, kTau, plain_pivots);
    return test::sweep(plain_solver, r, std::vector<double>(6, 0.0));
  }();
  EXPECT_LT(largest_difference(solution.a, without.a), kSame);
}

TEST_P(FlatSolverTest, NumbersThatAreNoneEndInNoAnswerNotInAHang) {
  Machine machine = test::ladder(2);
  machine.blocks[3].b[1] = std::numeric_limits<double>::quiet_NaN();
  FlatSolver solver = test::make_solver(machine, GetParam());
  PivotSet pivots;
  solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  EXPECT_LT(solver.rank(), machine.rows.size());

  const Machine good = test::ladder(2);
  // Not with good pivots either: they are given up, not used with what is no number.
  PivotSet good_pivots;
  test::make_solver(good, GetParam()).factor(good.bodies, good.blocks, kTau, good_pivots);
  EXPECT_NE(solver.factor(machine.bodies, machine.blocks, kTau, good_pivots), PivotChange::none);
  solver.factor(good.bodies, good.blocks, kTau, pivots);
  EXPECT_EQ(solver.rank(), 35u - 6u);
  std::vector<double> r(6 * good.bodies.size(), std::numeric_limits<double>::infinity());
  const test::Solution solution = test::sweep(solver, r, std::vector<double>(35, 0.0));
  EXPECT_FALSE(std::isfinite(solution.report.residual));
}

}  // namespace
}  // namespace gelenk::solve::flat_solver_test
