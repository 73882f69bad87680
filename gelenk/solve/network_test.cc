// Blocks that are solved by mobility fronts: which ones are, and that large ones are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::network_test {
namespace {

using test::JointMachine;

constexpr double kTau = 1e-6;
// Rounding of some thousand numbers, relative to the largest.
constexpr double kResidual = 1e-11;

PoseBlocks blocks_of(const JointMachine& m) { return {m.masses, m.values, m.machine.bodies, m.machine.blocks}; }

std::size_t count_ops(const Program& program, OpKind kind) {
  return static_cast<std::size_t>(
      std::count_if(program.ops.begin(), program.ops.end(), [kind](const Op& op) { return op.kind == kind; }));
}

Program plan(const JointMachine& m, FrontForm form = FrontForm::cheapest) {
  PlanOptions options;
  options.form = form;
  return plan_elimination(m.layout, m.masses, m.values, options);
}

// elimination.md (1.1) has one solution a: what fulfills it is right, however it was found.
void expect_solved(JointMachine m, FrontForm form = FrontForm::cheapest) {
  SCOPED_TRACE(m.name);
  const std::size_t n = 6 * m.masses.size();
  const std::vector<double> u = m.machine.rates(m.machine.numbers(n));
  std::vector<double> f = m.machine.numbers(n);
  ComponentSolver solver(make_plan(m.layout, m.masses, m.values, {kTau, {}, {}, form}));
  PivotSet pivots;
  solver.factor(blocks_of(m), kTau, pivots);
  std::vector<double> a(n);
  std::vector<double> lambda(u.size());
  solver.solve(f, u, a, lambda);
  const std::vector<double> reached = m.machine.rates(a);
  for (std::size_t j = 0; j < u.size(); ++j) {
    // Dropped rows too: u is what some motion does.
    EXPECT_NEAR(reached[j], u[j], kResidual * test::largest(a));
  }
  const std::vector<double> wrench = m.machine.wrenches(lambda);
  const double size = test::largest(wrench);
  for (std::size_t b = 0; b < m.masses.size(); ++b) {
    double inertial[6];
    for (std::size_t i = 0; i < 3; ++i) inertial[i] = m.masses[b].mass * a[6 * b + i];
    multiply_symmetric3(m.masses[b].inertia.data(), &a[6 * b + 3], inertial + 3);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(inertial[i], f[6 * b + i] + wrench[6 * b + i], kResidual * size);
  }
}

TEST(Network, ChosenForRodsAndNotForHinges) {
  for (const std::size_t n : {4u, 8u}) {
    const Program net = plan(test::rod_grid(n));
    EXPECT_EQ(count_ops(net, OpKind::attach), 0u);
    EXPECT_GE(count_ops(net, OpKind::join), n * n - 1);  // all but the one that the others hang on
  }
  EXPECT_EQ(count_ops(plan(test::four_bars(10)), OpKind::join), 0u);
  EXPECT_EQ(count_ops(plan(test::rung_ladder(16)), OpKind::join), 0u);
  EXPECT_EQ(count_ops(plan(test::rod_grid(4), FrontForm::root), OpKind::join), 0u);
  const Program both = plan(test::net_on_a_coupler(5));
  EXPECT_EQ(count_ops(both, OpKind::join), 25u);
  EXPECT_GE(count_ops(both, OpKind::attach), 2u);
}

// A body on rods is seen by what is still asked of it: the front of a sheet of n x n is n + 1 wide, not 6 n.
TEST(Network, FrontsOfASheetAreNarrow) {
  const std::size_t n = 20;
  const Program program = plan(test::rod_grid(n));
  const ProgramCost cost = cost_of(program);
  const double bodies = static_cast<double>(n * n);
  EXPECT_LT(cost.factor / bodies, 4.0 * 21.0 * 21.0);  // about two rows of each body, whose square is n²
}

TEST(Network, LargeNetsAreSolved) {
  expect_solved(test::rod_grid(30));
  expect_solved(test::hinge_net(8));
  expect_solved(test::net_on_a_coupler(12));
  expect_solved(test::ring(200, true, true));
}

TEST(Network, UnfitMachinesAreSolvedToo) {
  expect_solved(test::four_bars(60), FrontForm::mobility);
  expect_solved(test::rung_ladder(40), FrontForm::mobility);
  expect_solved(test::net_on_a_coupler(4), FrontForm::mobility);
}

TEST(Network, RestartGivesTheSameBits) {
  for (JointMachine& m : test::mechanisms()) {
    SCOPED_TRACE(m.name);
    const std::vector<double> f = m.machine.numbers(6 * m.masses.size());
    const std::vector<double> u = m.machine.rates(f);
    const auto made = make_plan(m.layout, m.masses, m.values, {kTau, {}, {}, FrontForm::mobility});
    ComponentSolver solver(made);
    ComponentSolver other(made);
    PivotSet pivots;
    std::vector<double> a(f.size()), again(f.size());
    std::vector<double> lambda(u.size()), lambda_again(u.size());
    solver.factor(blocks_of(m), kTau, pivots);
    solver.solve(f, u, a, lambda);
    PivotSet saved = pivots;
    EXPECT_EQ(other.factor(blocks_of(m), kTau, saved), PivotChange::none);
    EXPECT_EQ(saved, pivots);
    other.solve(f, u, again, lambda_again);
    EXPECT_EQ(a, again);
    EXPECT_EQ(lambda, lambda_again);
  }
}

// All loops of a row fold at once: each leaves one more motion to the next one.
TEST(Network, ManyLoopsLoseARowAtOnce) {
  JointMachine open = test::four_bars(40, 0.5);
  JointMachine flat = test::four_bars(40, 0.0);
  for (const FrontForm form : {FrontForm::root, FrontForm::mobility}) {
    ComponentSolver solver(make_plan(open.layout, open.masses, open.values, {kTau, {}, {}, form}));
    PivotSet pivots;
    solver.factor(blocks_of(open), kTau, pivots);
    EXPECT_EQ(solver.rank(), 17u + 39u * 12u);  // a further loop has two bodies and no motion of its own
    solver.factor(blocks_of(flat), kTau, pivots);
    EXPECT_EQ(solver.rank(), 16u + 39u * 11u);
  }
}

}  // namespace
}  // namespace gelenk::solve::network_test
