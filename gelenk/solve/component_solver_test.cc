#include "gelenk/solve/component_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "gelenk/solve/component_tree.h"
#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::component_solver_test {
namespace {

using test::JointMachine;
using test::random_partition;

constexpr double kTau = 1e-6;
// Of the largest acceleration, after corrections (issue of the component method: 1e-12 up to mass ratios of 1e8).
constexpr double kCorrected = 1e-12;
// One sweep through the squares at borders, whose roots have half the digits, without any correction.
constexpr double kOneSweep = 1e-8;
// Roots and inertias keep all digits; what is lost is lost in one program, too.
constexpr double kOneAnchoredSweep = 1e-11;
// Rounding of the smallest pivot δ: the data themselves do not say more than ε/δ.
constexpr double kRoundingOfData = 1e-14;

// M a = f + Gᵀλ: rounding of accelerations that differ by the ratios of masses.
constexpr double kForceBalance = 1e-10;
// With mobility fronts where roots would be better.
constexpr double kForced = 1e-11;

struct Case {
  std::vector<double> r, f, u;
};

Case make_case(JointMachine& m) {
  Case result;
  const std::size_t n = 6 * m.masses.size();
  result.u = m.machine.rates(m.machine.numbers(n));
  result.r = m.machine.numbers(n);
  result.f.resize(n);
  for (std::size_t b = 0; b < m.masses.size(); ++b) {
    for (std::size_t i = 0; i < 3; ++i) result.f[6 * b + i] = m.masses[b].mass * result.r[6 * b + i];
    multiply_symmetric3(m.masses[b].inertia.data(), &result.r[6 * b + 3], &result.f[6 * b + 3]);
  }
  return result;
}

PoseBlocks blocks_of(const JointMachine& m) { return {m.masses, m.values, m.machine.bodies, m.machine.blocks}; }

struct Solved {
  std::vector<double> a, lambda;
  SweepReport report;
};

Solved solve(MotionSolver& solver, const Case& problem) {
  Solved result{std::vector<double>(problem.f.size()), std::vector<double>(problem.u.size()), {}};
  result.report = solver.solve(problem.f, problem.u, result.a, result.lambda);
  return result;
}

double error_of(const std::vector<double>& a, const test::Reference& reference, const Case& problem) {
  return test::largest_difference(a, reference.a) / std::max(test::largest(reference.a), test::largest(problem.r));
}

// M a = f + Gᵀλ, in units of the largest force.
double force_residual(JointMachine& m, const Case& problem, const Solved& result) {
  const std::vector<double> wrench = m.machine.wrenches(result.lambda);
  double residual = 0.0, force = 0.0;
  for (std::size_t b = 0; b < m.masses.size(); ++b) {
    double inertial[6];
    for (std::size_t i = 0; i < 3; ++i) inertial[i] = m.masses[b].mass * result.a[6 * b + i];
    multiply_symmetric3(m.masses[b].inertia.data(), &result.a[6 * b + 3], inertial + 3);
    for (std::size_t i = 0; i < 6; ++i) {
      residual = std::max(residual, std::abs(problem.f[6 * b + i] + wrench[6 * b + i] - inertial[i]));
      force = std::max({force, std::abs(problem.f[6 * b + i]), std::abs(wrench[6 * b + i])});
    }
  }
  return residual / force;
}

void expect_exact(JointMachine m, double tolerance, Partition partition = {}, FrontForm form = FrontForm::cheapest,
                  BorderForm borders = BorderForm::anchored) {
  SCOPED_TRACE(m.name);
  const Case problem = make_case(m);
  PlanRequest request;
  request.partition = std::move(partition);
  request.form = form;
  request.borders = borders;
  ComponentSolver solver(make_plan(m.layout, m.masses, m.values, std::move(request)));
  PivotSet pivots;
  solver.factor(blocks_of(m), kTau, pivots);
  const test::Reference reference = test::reference_of(m, problem.f, problem.u, 1e-9);
  EXPECT_EQ(solver.rank(), reference.rank);
  EXPECT_EQ(static_cast<std::size_t>(pivots.rank), reference.rank);
  const Solved result = solve(solver, problem);
  EXPECT_LT(error_of(result.a, reference, problem), tolerance);
  // The same as rounding allows without corrections and multipliers.
  std::vector<double> a(problem.f.size());
  solver.solve(problem.f, problem.u, a, {});
  EXPECT_EQ(a, result.a);
  EXPECT_LT(force_residual(m, problem, result), kForceBalance);
  std::vector<double> u = m.machine.rates(result.a);
  for (const std::int32_t row : solver.dropped_rows())
    u[static_cast<std::size_t>(row)] = problem.u[static_cast<std::size_t>(row)];
  for (std::size_t j = 0; j < u.size(); ++j) {
    EXPECT_NEAR(u[j] * solver.row_scales()[j], problem.u[j] * solver.row_scales()[j], 1e-11 * test::largest(problem.u));
  }
}

// A right side that is known when a pose is factored changes no bit, and is used for nothing but itself.
void expect_the_same_ahead(JointMachine m, Partition partition = {}) {
  SCOPED_TRACE(m.name);
  const Case problem = make_case(m);
  Case other = make_case(m);
  const std::shared_ptr<const Plan> plan = make_plan(m.layout, m.masses, m.values, {1e-6, std::move(partition), {}});
  ComponentSolver solver(plan);
  PivotSet pivots;
  solver.factor(blocks_of(m), kTau, pivots);
  const Solved all = solve(solver, problem);
  const std::vector<double>& expected = all.a;
  const std::vector<double> expected_of_other = solve(solver, other).a;
  ASSERT_NE(expected, expected_of_other);
  const auto factor_ahead = [&](const Case& next) { solver.factor_ahead(blocks_of(m), kTau, pivots, next.f, next.u); };
  std::vector<double> a(problem.f.size());
  std::vector<double> lambda(problem.u.size());
  const auto solve_ahead = [&] { solver.solve_ahead(a, lambda); };
  factor_ahead(problem);
  for (int time = 0; time < 2; ++time) {
    solve_ahead();
    EXPECT_EQ(a, expected);
    EXPECT_EQ(lambda, all.lambda);
  }
  factor_ahead(problem);
  EXPECT_EQ(solve(solver, other).a, expected_of_other);
  solve_ahead();
  EXPECT_EQ(a, expected);
  // A caller that wanted no multipliers last time is expected to want none: less is kept, and found again when it is
  // wanted.
  const auto solve_lean = [&](const Case& next) { solver.solve(next.f, next.u, a, {}); };
  ComponentSolver fresh(plan);  // where nothing of an earlier pose can help
  PivotSet own_pivots;
  fresh.factor_ahead(blocks_of(m), kTau, own_pivots, problem.f, problem.u);
  fresh.solve(other.f, other.u, a, {});
  EXPECT_EQ(a, expected_of_other);
  for (const bool has_other_first : {false, true}) {
    solve_lean(problem);
    factor_ahead(problem);
    if (has_other_first) {
      solve_lean(other);
      EXPECT_EQ(a, expected_of_other);
    }
    solver.solve_ahead(a, {});
    EXPECT_EQ(a, expected);
    solve_lean(other);
    EXPECT_EQ(a, expected_of_other);
    factor_ahead(problem);
    solve_ahead();
    EXPECT_EQ(a, expected);
    EXPECT_EQ(lambda, all.lambda);
  }
  // Arrays with other numbers in the same place are another right side.
  factor_ahead(other);
  std::copy(problem.f.begin(), problem.f.end(), other.f.begin());
  std::copy(problem.u.begin(), problem.u.end(), other.u.begin());
  EXPECT_EQ(solve(solver, other).a, expected);
}

TEST(ComponentSolver, FactorsWithTheRightSideToCome) {
  for (const JointMachine& m : test::mechanisms()) expect_the_same_ahead(m);
  expect_the_same_ahead(test::link_chain(1000));  // several pieces
  expect_the_same_ahead(test::link_chain(9), random_partition(9, 3));
}

// Components go up with their owners: loads are handed in, on seats and other bodies.
TEST(ComponentSolver, ComponentsAreFactoredWithTheRightSideToCome) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const JointMachine m = test::random_machine(seed);
    expect_the_same_ahead(m, random_partition(m.masses.size(), seed));
  }
}

TEST(ComponentSolver, AllMechanisms) {
  for (JointMachine& m : test::mechanisms()) expect_exact(std::move(m), kCorrected);
}

class MassRatio : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(ComponentSolver, MassRatio, testing::Values(1e2, 1e4, 1e6, 1e8));
TEST_P(MassRatio, AllMechanisms) {
  for (JointMachine& m : test::mechanisms(GetParam())) expect_exact(std::move(m), kCorrected);
}

// S3-02: joints between any parts, in loops or not.
TEST(ComponentSolver, RandomGraphs) {
  for (unsigned seed = 1; seed <= 1000; ++seed) expect_exact(test::random_machine(seed), 1e-11);
}

TEST(ComponentSolver, RandomGraphsInRandomComponents) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    JointMachine m = test::random_machine(seed);
    const Partition partition = random_partition(m.masses.size(), seed);
    const FrontForm form = FrontForm::cheapest;
    expect_exact(m, 1e-11, partition, form, BorderForm::anchored);
    if (seed % 4 == 0) expect_exact(std::move(m), 1e-11, partition, form, BorderForm::mobility);
  }
}

double error_of_one_sweep(JointMachine& m, const Partition& partition, BorderForm borders) {
  const Case problem = make_case(m);
  PlanRequest request;
  request.partition = partition;
  request.borders = borders;
  ComponentTree tree(make_plan(m.layout, m.masses, m.values, std::move(request)));
  tree.load(m.masses, m.values.data());
  tree.factor(kTau);
  std::vector<double> u(problem.u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = problem.u[static_cast<std::size_t>(m.layout.row_numbers[i])];
  std::vector<double> a(problem.f.size());
  tree.sweep({problem.f, u}, a, {});
  return error_of(a, test::reference_of(m, problem.f, problem.u, 1e-9), problem);
}

// Corrections repair much, even a wrench that never reaches its component: hence the first sweep by itself.
// S0-01, S1-21: any joints and loops, redundant ones among them, in any division: one sweep up and down, no iteration.
TEST(ComponentTree, OneSweepIsRightInRandomComponents) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    JointMachine m = test::random_machine(seed);
    const Partition partition = random_partition(m.masses.size(), seed);
    EXPECT_LT(error_of_one_sweep(m, partition, BorderForm::mobility), kOneSweep);
    EXPECT_LT(error_of_one_sweep(m, partition, BorderForm::anchored), kOneAnchoredSweep);
  }
}

// An assembly of nothing but assemblies has no rows of its own and hands on what its owner does to its parts.
TEST(ComponentTree, AssemblyWithoutPartsOrJoints) {
  JointMachine m = test::four_bars(2);
  Partition partition;
  partition.owner = {kNone, 0, 1};
  partition.component_of_body.assign(m.masses.size(), 0);
  partition.component_of_body[1] = 2;
  for (const BorderForm borders : {BorderForm::mobility, BorderForm::anchored}) {
    EXPECT_LT(error_of_one_sweep(m, partition, borders), kCorrected);
  }
}

// S0-21, S0-22: mobilities of borders may be singular, and rows redundant, at every level and at the top.
TEST(ComponentSolver, MechanismsInRandomComponents) {
  unsigned seed = 0;
  for (JointMachine& m : test::mechanisms()) {
    if (m.masses.size() > 24) continue;  // borders of all bodies would be dense matrices
    const Partition partition = random_partition(m.masses.size(), ++seed);
    expect_exact(std::move(m), kCorrected, partition);
  }
}

// Every block with mobility fronts, however unfit for them: hinges, drivers, redundant rows, bodies that others hang
// on.
TEST(ComponentSolver, MobilityFrontsSolveAllMechanisms) {
  std::vector<JointMachine> all = test::mechanisms();
  all.push_back(test::rod_grid(8));
  for (JointMachine& m : all) expect_exact(std::move(m), kForced, {}, FrontForm::mobility);
}

TEST(ComponentSolver, MobilityFrontsSolveRandomGraphs) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    expect_exact(test::random_machine(seed), kForced, {}, FrontForm::mobility);
  }
}

TEST(ComponentSolver, MobilityFrontsSolveRandomComponents) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    JointMachine m = test::random_machine(seed);
    const Partition partition = random_partition(m.masses.size(), seed);
    expect_exact(std::move(m), kForced, partition, FrontForm::mobility);
  }
  unsigned seed = 0;
  for (JointMachine& m : test::mechanisms()) {
    if (m.masses.size() > 24) continue;  // borders of all bodies would be dense matrices
    const Partition partition = random_partition(m.masses.size(), ++seed);
    expect_exact(std::move(m), kForced, partition, FrontForm::mobility);
  }
}

// A parallelogram close to its flat pose: the closure loses its rank there.
class NearSingular : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(ComponentSolver, NearSingular, testing::Values(1e-1, 1e-2, 1e-3, 1e-4, 1e-5));
TEST_P(NearSingular, Parallelogram) {
  JointMachine m = test::four_bars(3, GetParam());
  const Case problem = make_case(m);
  ComponentSolver solver(make_plan(m.layout, m.masses, m.values));
  PivotSet pivots;
  solver.factor(blocks_of(m), 1e-8, pivots);
  const test::Reference reference = test::reference_of(m, problem.f, problem.u, 1e-9);
  EXPECT_EQ(solver.rank(), reference.rank);
  EXPECT_LT(error_of(solve(solver, problem).a, reference, problem), kRoundingOfData / GetParam() + kCorrected);
}

TEST(ComponentSolver, FlatPoseHasOneRowLess) {
  JointMachine open = test::four_bars(1, 0.5);
  JointMachine flat = test::four_bars(1, 0.0);
  for (const FrontForm form : {FrontForm::root, FrontForm::mobility}) {
    ComponentSolver solver(make_plan(open.layout, open.masses, open.values, {1e-6, {}, {}, form}));
    PivotSet pivots;
    EXPECT_EQ(solver.factor(blocks_of(open), kTau, pivots), PivotChange::chosen_again);
    EXPECT_EQ(solver.rank(), 17u);
    EXPECT_EQ(solver.factor(blocks_of(open), kTau, pivots), PivotChange::none);
    EXPECT_EQ(solver.factor(blocks_of(flat), kTau, pivots), PivotChange::rank_changed);
    EXPECT_EQ(solver.rank(), 16u);
    EXPECT_EQ(solver.factor(blocks_of(open), kTau, pivots), PivotChange::rank_changed);
    EXPECT_EQ(solver.rank(), 17u);
  }
}

TEST(ComponentSolver, RestartGivesTheSameBits) {
  for (JointMachine& m : test::mechanisms()) {
    SCOPED_TRACE(m.name);
    const Case problem = make_case(m);
    const auto plan = make_plan(m.layout, m.masses, m.values);
    ComponentSolver solver(plan);
    PivotSet pivots;
    solver.factor(blocks_of(m), kTau, pivots);
    const Solved first = solve(solver, problem);
    ComponentSolver other(make_plan(m.layout, m.masses, m.values));
    PivotSet saved = pivots;
    EXPECT_EQ(other.factor(blocks_of(m), kTau, saved), PivotChange::none);
    EXPECT_EQ(saved, pivots);
    const Solved second = solve(other, problem);
    EXPECT_EQ(first.a, second.a);
    EXPECT_EQ(first.lambda, second.lambda);
  }
}

TEST(ComponentSolver, StrangePivotsAreChosenAgain) {
  JointMachine m = test::four_bars(2);
  ComponentSolver solver(make_plan(m.layout, m.masses, m.values));
  PivotSet good;
  solver.factor(blocks_of(m), kTau, good);
  PivotSet repeated = good;
  repeated.accepted[0] = repeated.accepted[1];
  PivotSet outside = good;
  outside.dropped[0] = 1000;
  PivotSet negative = good;
  negative.accepted[0] = -7;
  PivotSet shorter = good;
  shorter.dropped.pop_back();
  PivotSet uncounted = good;
  uncounted.counts.clear();
  PivotSet too_many = good;
  too_many.counts[0] = 99;
  for (PivotSet strange : {repeated, outside, negative, shorter, uncounted, too_many}) {
    solver.factor(blocks_of(m), kTau, strange);
    EXPECT_EQ(strange.dropped.size(), good.dropped.size());
    EXPECT_EQ(strange.rank, good.rank);
  }
}

// A universal joint whose two axes become parallel: the joint itself loses a row.
TEST(ComponentSolver, GimbalLockOfAUniversalJoint) {
  const auto machine = [](double sine) {
    JointMachine m;
    const std::int32_t first = m.add_bar({0, 0, 0}, {1, 0, 0}, 1.0);
    const std::int32_t second = m.add_bar({1, 0, 0}, {2, 0, 0}, 2.0);
    m.revolute(-1, first, {0, 0, 0}, {0, 1, 0});
    m.universal(first, second, {1, 0, 0}, {0, 0, sine});
    m.finish("universal");
    return m;
  };
  JointMachine open = machine(1.0);
  ComponentSolver solver(make_plan(open.layout, open.masses, open.values));
  PivotSet pivots;
  solver.factor(blocks_of(open), kTau, pivots);
  EXPECT_EQ(solver.rank(), 9u);
  EXPECT_TRUE(pivots.freed.empty());
  JointMachine locked = machine(0.0);
  solver.factor(blocks_of(locked), kTau, pivots);
  EXPECT_EQ(solver.rank(), 8u);
  EXPECT_EQ(pivots.freed, std::vector<std::int32_t>{1});
  for (const double sine : {1.0, 1e-3, 1e-5}) {
    JointMachine near = machine(sine);
    const Case problem = make_case(near);
    solver.factor(blocks_of(near), 1e-8, pivots);
    EXPECT_EQ(solver.rank(), 9u);
    const test::Reference reference = test::reference_of(near, problem.f, problem.u, 1e-9);
    EXPECT_LT(error_of(solve(solver, problem).a, reference, problem), kCorrected + kRoundingOfData / sine) << sine;
  }
  // A run that goes on from saved pivots has the same program.
  ComponentSolver other(make_plan(open.layout, open.masses, open.values));
  PivotSet saved = pivots;
  const Case problem = make_case(open);
  solver.factor(blocks_of(open), kTau, pivots);
  other.factor(blocks_of(open), kTau, saved);
  EXPECT_EQ(solve(solver, problem).lambda, solve(other, problem).lambda);
}

TEST(ComponentSolver, SharesForcesLikeTheFlatSolver) {
  for (JointMachine& m : test::mechanisms()) {
    SCOPED_TRACE(m.name);
    const Case problem = make_case(m);
    ComponentSolver solver(make_plan(m.layout, m.masses, m.values));
    FlatSolver flat(m.masses.size(), m.machine.rows);
    PivotSet pivots;
    PivotSet flat_pivots;
    solver.factor(blocks_of(m), kTau, pivots);
    flat.factor(blocks_of(m), kTau, flat_pivots);
    Solved ours = solve(solver, problem);
    Solved theirs = solve(flat, problem);
    solver.share(ours.lambda);
    flat.share(theirs.lambda);
    // Both minimize Σ(λ_j/s_j)² with scales that agree to rounding. 1e-7: half the digits, as least squares leave them.
    EXPECT_LT(test::largest_difference(ours.lambda, theirs.lambda), 1e-7 * test::largest(theirs.lambda));
    std::vector<char> is_unique;
    std::vector<char> is_unique_flat;
    solver.determinate_rows(is_unique);
    flat.determinate_rows(is_unique_flat);
    EXPECT_EQ(is_unique, is_unique_flat);
  }
}

}  // namespace
}  // namespace gelenk::solve::component_solver_test
