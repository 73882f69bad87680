#include "gelenk/solve/coupled_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/solve/coupling_factor.h"
#include "gelenk/solve/coupling_islands.h"
#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/machine_test_support.h"

namespace gelenk::solve::coupled_solver_test {
namespace {

using test::largest;
using test::largest_difference;
using test::Machine;

constexpr double kTau = 1e-6;

struct Solution {
  std::vector<double> a, lambda;
  std::size_t rank = 0;
};

// The last rows of the machine as couplings on top of the others.
Solution solve_with_couplings(const Machine& machine, std::size_t couplings, const std::vector<double>& r,
                              const std::vector<double>& u, PivotSet& pivots) {
  const std::size_t joints = machine.rows.size() - couplings;
  const std::vector<RowBodies> rows(machine.rows.begin(), machine.rows.begin() + static_cast<std::ptrdiff_t>(joints));
  const std::vector<RowBlock> blocks(machine.blocks.begin(),
                                     machine.blocks.begin() + static_cast<std::ptrdiff_t>(joints));
  std::vector<CouplingBlock> on_top;
  for (std::size_t k = 0; k < couplings; ++k) {
    const RowBodies& ends = machine.rows[joints + k];
    if (ends.a >= 0) on_top.push_back({static_cast<std::int32_t>(k), ends.a, machine.blocks[joints + k].a});
    if (ends.b >= 0) on_top.push_back({static_cast<std::int32_t>(k), ends.b, machine.blocks[joints + k].b});
  }
  CoupledSolver solver(std::make_unique<FlatSolver>(machine.bodies.size(), rows), machine.bodies.size(), rows,
                       couplings);
  solver.factor({{}, {}, machine.bodies, blocks, {}, on_top}, kTau, pivots);
  Solution result{std::vector<double>(r.size()), std::vector<double>(machine.rows.size()), solver.rank()};
  solver.project(r, u, result.a, result.lambda);
  return result;
}

// Rows of joints may be taken as couplings: the motion is that of all rows at once, redundant ones among them.
TEST(CoupledSolver, IsTheSolverOfAllRows) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Machine machine = seed % 2 == 0 ? test::ladder(3) : test::star(8, test::Link::revolute);
    machine.generator.seed(seed);
    const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
    const std::vector<double> u = machine.rates(machine.numbers(r.size()));
    const test::Reference reference = test::solve_by_orthogonal_rows(machine, r, u, kTau);
    for (const std::size_t couplings : {1U, 2U, 5U}) {
      PivotSet pivots;
      const Solution ours = solve_with_couplings(machine, couplings, r, u, pivots);
      EXPECT_EQ(ours.rank, reference.rank);
      EXPECT_EQ(pivots.rank, static_cast<std::int32_t>(reference.rank));
      EXPECT_LT(largest_difference(ours.a, reference.a), 1e-11 * largest(reference.a));
      // a - r = M⁻¹ (Gᵀλ + Jᵀμ)
      const std::vector<double> wrench = machine.wrenches(ours.lambda);
      for (std::size_t k = 0; k < machine.bodies.size(); ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
          const double from_wrench = r[6 * k + i] + machine.bodies[k].inverse_mass * wrench[6 * k + i];
          EXPECT_NEAR(ours.a[6 * k + i], from_wrench, 1e-11 * largest(reference.a));
        }
      }
    }
  }
}

// The same pivots give the same bits, from a set that was saved as well.
TEST(CoupledSolver, KeepsItsPivots) {
  Machine machine = test::ladder(3);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u = machine.rates(machine.numbers(r.size()));
  PivotSet pivots;
  const Solution first = solve_with_couplings(machine, 4, r, u, pivots);
  PivotSet saved(pivots);  // a copy has no stamp
  const Solution again = solve_with_couplings(machine, 4, r, u, saved);
  EXPECT_EQ(first.a, again.a);
  EXPECT_EQ(first.lambda, again.lambda);
  EXPECT_EQ(static_cast<const PivotNumbers&>(pivots), static_cast<const PivotNumbers&>(saved));
}

// Shares of redundant rows keep the forces on the bodies, and are the least of all that do.
TEST(CoupledSolver, SharesLoadsOfRedundantRows) {
  Machine machine = test::ladder(3);
  machine.rows.push_back(machine.rows.back());  // twice the same coupling
  machine.blocks.push_back(machine.blocks.back());
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u = machine.rates(machine.numbers(r.size()));
  const std::size_t joints = machine.rows.size() - 2;
  std::vector<CouplingBlock> on_top;
  for (std::int32_t k = 0; k < 2; ++k) {
    const RowBodies& ends = machine.rows[joints];
    if (ends.a >= 0) on_top.push_back({k, ends.a, machine.blocks[joints].a});
    if (ends.b >= 0) on_top.push_back({k, ends.b, machine.blocks[joints].b});
  }
  const std::vector<RowBodies> rows(machine.rows.begin(), machine.rows.begin() + static_cast<std::ptrdiff_t>(joints));
  const std::vector<RowBlock> blocks(machine.blocks.begin(),
                                     machine.blocks.begin() + static_cast<std::ptrdiff_t>(joints));
  CoupledSolver solver(std::make_unique<FlatSolver>(machine.bodies.size(), rows), machine.bodies.size(), rows, 2);
  PivotSet pivots;
  solver.factor({{}, {}, machine.bodies, blocks, {}, on_top}, kTau, pivots);
  std::vector<double> a(r.size()), lambda(machine.rows.size());
  solver.project(r, u, a, lambda);
  const std::vector<double> before = machine.wrenches(lambda);
  solver.share(lambda);
  EXPECT_LT(largest_difference(machine.wrenches(lambda), before), 1e-10 * largest(before));
  EXPECT_NEAR(lambda[joints], lambda[joints + 1], 1e-9 * largest(lambda));
  std::vector<char> is_determinate;
  solver.determinate_rows(is_determinate);
  EXPECT_EQ(is_determinate[joints], 0);
  EXPECT_EQ(is_determinate[joints + 1], 0);
}

// Wheels on the ground turn as fast as the next: islands of their own, whose couplings share sweeps. Two more couplings
// say again what others say together.
TEST(CoupledSolver, SweepsIslandsTogether) {
  constexpr std::int32_t kWheels = 12;
  Machine machine;
  std::vector<test::Vector> axes;
  for (std::int32_t k = 0; k < kWheels; ++k) {
    const test::Vector at{2.0 * k, 0, 0};
    axes.push_back(machine.direction());
    machine.add_revolute(-1, machine.add_random_body(at, 1.0), at, axes.back());
  }
  const std::size_t joints = machine.rows.size();
  const auto couple = [&](std::int32_t a, std::int32_t b) {
    RowBlock block;
    for (std::size_t i = 0; i < 3; ++i) {
      block.a[3 + i] = axes[at(a)][i];
      block.b[3 + i] = -axes[at(b)][i];
    }
    machine.rows.push_back({a, b});
    machine.blocks.push_back(block);
  };
  for (std::int32_t k = 0; k + 1 < kWheels; ++k) couple(k, k + 1);
  couple(0, kWheels - 1);
  couple(1, 4);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u = machine.rates(machine.numbers(r.size()));
  const test::Reference reference = test::solve_by_orthogonal_rows(machine, r, u, kTau);
  PivotSet pivots;
  const Solution ours = solve_with_couplings(machine, machine.rows.size() - joints, r, u, pivots);
  EXPECT_EQ(ours.rank, reference.rank);
  EXPECT_EQ(ours.rank, machine.rows.size() - 2);
  EXPECT_LT(largest_difference(ours.a, reference.a), 1e-11 * largest(reference.a));
}

CouplingIslands row_of_wheels(std::size_t count) {
  std::vector<RowBodies> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back({-1, static_cast<std::int32_t>(k)});
  CouplingIslands islands(count, rows, count - 1, false);
  std::vector<CouplingBlock> blocks;
  for (std::int32_t k = 0; at(k) + 1 < count; ++k) {
    blocks.push_back({k, k, {}});
    blocks.push_back({k, k + 1, {}});
  }
  islands.put_couplings(blocks);
  return islands;
}

TEST(CouplingIslands, ARowOfWheelsHasTwoGroups) {
  const CouplingIslands islands = row_of_wheels(1000);
  EXPECT_EQ(islands.group_count, 2U);
  EXPECT_EQ(islands.bodies.size(), 1000U);
  EXPECT_EQ(islands.neighbors[500].size(), 3U);
}

TEST(CouplingIslands, EverythingIsOneBesideComponentsFromElsewhere) {
  const std::vector<RowBodies> rows{{-1, 0}, {-1, 1}};
  CouplingIslands islands(2, rows, 3, true);
  islands.put_couplings(std::vector<CouplingBlock>{{0, 0, {}}, {1, 1, {}}});  // the third touches shafts alone
  EXPECT_EQ(islands.group_count, 3U);
}

// The rows of the factor stay short where the matrix is a band: its pivots are taken far from each other.
TEST(CouplingFactor, ARowOfWheelsFillsLittle) {
  constexpr std::size_t kCount = 1000;
  const CouplingIslands islands = row_of_wheels(kCount + 1);
  CouplingFactor factor(kCount);
  factor.put_pattern(islands.neighbors);
  for (std::size_t k = 0; k < kCount; ++k) {
    factor.add(k, k, 2.5);
    if (k == 0) continue;
    factor.add(k, k - 1, -1.0);
    factor.add(k - 1, k, -1.0);
  }
  factor.choose(1e-6, kCount);
  EXPECT_EQ(factor.rank(), kCount);
  ASSERT_TRUE(factor.factor_with(kTheseRows, 0.0));
  EXPECT_LT(factor.value_count(), 10 * kCount);
  // N x = b with x = 1: 2.5 - 2 inside, 2.5 - 1 at the ends.
  std::vector<double> x(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t k = at(factor.order()[i]);
    x[i] = k == 0 || k + 1 == kCount ? 1.5 : 0.5;
  }
  factor.solve(x);
  for (const double one : x) EXPECT_NEAR(one, 1.0, 1e-13);
}

}  // namespace
}  // namespace gelenk::solve::coupled_solver_test
