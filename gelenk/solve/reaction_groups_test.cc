#include "gelenk/solve/reaction_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "gelenk/base/index.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/mechanisms_test_support.h"
#include "gelenk/solve/soft_rows_test_support.h"

namespace gelenk::solve::reaction_groups_test {
namespace {

using test::JointMachine;
using test::largest;
using test::largest_difference;
using Real = long double;

constexpr double kTau = 1e-6;

PoseBlocks blocks_of(const JointMachine& m) { return {m.masses, m.values, m.machine.bodies, m.machine.blocks}; }

std::vector<std::unique_ptr<MotionSolver>> factored_solvers(const JointMachine& m) {
  std::vector<std::unique_ptr<MotionSolver>> solvers;
  solvers.push_back(std::make_unique<ComponentSolver>(make_plan(m.layout, m.masses, m.values)));
  solvers.push_back(std::make_unique<FlatSolver>(m.masses.size(), m.machine.rows));
  for (const std::unique_ptr<MotionSolver>& solver : solvers) {
    PivotSet pivots;
    solver->factor(blocks_of(m), kTau, pivots);
  }
  return solvers;
}

// Two plane loops side by side on the ground, and a pendulum.
JointMachine two_loops() {
  JointMachine m;
  for (const double x : {0.0, 5.0}) {
    const test::Vector v{0.3, 0, 1};
    const std::int32_t left = m.add_bar({x, 0, 0}, {x + 0.3, 0, 1}, 1.0);
    const std::int32_t right = m.add_bar({x + 1, 0, 0}, {x + 1.3, 0, 1}, 2.0);
    const std::int32_t bar = m.add_bar(test::plus({x, 0, 0}, v), test::plus({x + 1, 0, 0}, v), 1.5);
    m.revolute(-1, left, {x, 0, 0}, test::kY);
    m.revolute(-1, right, {x + 1, 0, 0}, test::kY);
    m.revolute(left, bar, test::plus({x, 0, 0}, v), test::kY);
    m.revolute(right, bar, test::plus({x + 1, 0, 0}, v), test::kY);
  }
  m.revolute(-1, m.add_bar({10, 0, 0}, {11, 0, 0}, 1.0), {10, 0, 0}, test::kY);
  m.finish("two loops and a pendulum");
  return m;
}

// What a row does to the twelve velocities of its bodies, by body.
template <class Add>
void for_each_entry(const JointMachine& m, std::size_t row, Add&& add) {
  const auto put = [&](std::int32_t body, const std::array<double, 6>& block) {
    if (body < 0) return;
    for (std::size_t i = 0; i < 6; ++i) add(6 * at(body) + i, static_cast<Real>(block[i]));
  };
  put(m.machine.rows[row].a, m.machine.blocks[row].a);
  put(m.machine.rows[row].b, m.machine.blocks[row].b);
}

// Distance of a scaled row from the space of some others: Gram-Schmidt, twice, in 80 bits.
class RowSpace {
 public:
  RowSpace(const JointMachine& m, std::span<const double> scales) : m_(m), scales_(scales) {}

  // Whether the row adds a direction to what is there; adds it.
  bool add(std::size_t row) {
    std::vector<Real> v(6 * m_.masses.size(), 0);
    for_each_entry(m_, row,
                   [&](std::size_t i, Real value) { v[i] += static_cast<Real>(scales_[row]) * value * root(i); });
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<Real>& q : basis_) {
        Real overlap = 0;
        for (std::size_t i = 0; i < v.size(); ++i) overlap += q[i] * v[i];
        for (std::size_t i = 0; i < v.size(); ++i) v[i] -= overlap * q[i];
      }
    }
    Real square = 0;
    for (const Real x : v) square += x * x;
    if (square < Real{kTau} * Real{kTau}) return false;
    for (Real& x : v) x /= std::sqrt(square);
    basis_.push_back(v);
    return true;
  }

 private:
  Real root(std::size_t i) const {
    const BodyMass& mass = m_.masses[i / 6];
    return std::sqrt(static_cast<Real>(i % 6 < 3 ? 1.0 / mass.mass : mass.mean_inverse_inertia));
  }
  const JointMachine& m_;
  std::span<const double> scales_;
  std::vector<std::vector<Real>> basis_;
};

std::size_t rank_without(const JointMachine& m, std::span<const double> scales, const std::set<std::size_t>& left_out) {
  RowSpace space(m, scales);
  std::size_t rank = 0;
  for (std::size_t j = 0; j < m.machine.rows.size(); ++j) rank += left_out.contains(j) || !space.add(j) ? 0u : 1u;
  return rank;
}

// By definition: a reaction is unique when the machine gains a free motion without its row.
TEST(ReactionGroups, UniqueRowsAreThoseThatNobodyReplaces) {
  for (const JointMachine& m : {two_loops(), test::four_bars(2), test::bricard(), test::planar_robot(false),
                                test::rung_ladder(3), test::wishbone(), test::random_machine(3)}) {
    SCOPED_TRACE(m.name);
    for (const std::unique_ptr<MotionSolver>& solver : factored_solvers(m)) {
      const ReactionGroups groups = reaction_groups(*solver);
      const std::size_t whole = rank_without(m, solver->row_scales(), {});
      ASSERT_EQ(whole, solver->rank());
      std::vector<char> is_unique;
      solver->determinate_rows(is_unique);
      for (std::size_t j = 0; j < m.machine.rows.size(); ++j) {
        const bool is_needed = rank_without(m, solver->row_scales(), {j}) < whole;
        EXPECT_EQ(groups.is_unique(j), is_needed) << j;
        EXPECT_EQ(is_unique[j] != 0, is_needed) << j;
      }
    }
  }
}

// Groups do not depend on the solver, which drops other rows, and each group is as redundant by itself as it is in the
// whole: redundancies add up.
TEST(ReactionGroups, AreTheSameForAllPivotsAndStandAlone) {
  for (const JointMachine& m : {two_loops(), test::four_bars(3), test::bricard(), test::planar_robot(false),
                                test::rung_ladder(4), test::wishbone_car()}) {
    SCOPED_TRACE(m.name);
    const auto solvers = factored_solvers(m);
    const ReactionGroups groups = reaction_groups(*solvers[0]);
    EXPECT_EQ(groups.of_row, reaction_groups(*solvers[1]).of_row);
    std::size_t redundancy = 0;
    for (std::int32_t g = 0; g < groups.count; ++g) {
      const std::vector<std::int32_t> rows = groups.rows_of(g);
      RowSpace space(m, solvers[0]->row_scales());
      std::size_t rank = 0;
      for (const std::int32_t row : rows) rank += space.add(at(row)) ? 1u : 0u;
      EXPECT_LT(rank, rows.size());
      redundancy += rows.size() - rank;
    }
    EXPECT_EQ(redundancy, solvers[0]->dropped_rows().size());
  }
}

TEST(ReactionGroups, LoopsThatDoNotTouchDoNotShare) {
  const JointMachine m = two_loops();
  for (const std::unique_ptr<MotionSolver>& solver : factored_solvers(m)) {
    const ReactionGroups groups = reaction_groups(*solver);
    ASSERT_EQ(groups.count, 2);
    for (std::size_t j = 0; j < 45; ++j) {
      // Point rows are x, y, z; the loops lie in the plane y = 0. The last five rows are the pendulum's.
      const bool is_in_plane = j % 5 == 0 || j % 5 == 2;
      const std::int32_t expected =
          is_in_plane || j >= 40 ? ReactionGroups::kUnique : static_cast<std::int32_t>(j / 20);
      EXPECT_EQ(groups.of_row[j], expected) << j;
    }
  }
}

// The same machine with joints that give way a little.
test::SoftRows soft_rows(const JointMachine& m, const std::vector<double>& f, const std::vector<double>& u) {
  const std::size_t rows = u.size();
  std::vector<std::vector<Real>> moved(rows, std::vector<Real>(f.size(), 0));  // M⁻¹ Gᵀ
  std::vector<Real> N(rows * rows, 0);
  std::vector<Real> b(u.begin(), u.end());
  for (std::size_t j = 0; j < rows; ++j) {
    for_each_entry(m, j, [&](std::size_t i, Real value) {
      const BodyInverseMass& body = m.machine.bodies[i / 6];
      if (i % 6 < 3) {
        moved[j][i] += static_cast<Real>(body.inverse_mass) * value;
        return;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        moved[j][6 * (i / 6) + 3 + k] += static_cast<Real>(body.inverse_inertia[3 * k + i % 6 - 3]) * value;
      }
    });
    for (std::size_t i = 0; i < f.size(); ++i) b[j] -= moved[j][i] * static_cast<Real>(f[i]);
  }
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t k = 0; k < rows; ++k) {
      for_each_entry(m, j, [&](std::size_t i, Real value) { N[rows * j + k] += value * moved[k][i]; });
    }
  }
  return {std::move(N), std::move(b)};
}

struct Load {
  std::vector<double> f, u;
};

Load some_load(JointMachine& m) {
  Load load{m.machine.numbers(6 * m.masses.size()), {}};
  load.u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
  return load;
}

std::vector<double> shared(MotionSolver& solver, const Load& load, std::span<const double> compliance) {
  std::vector<double> a(load.f.size());
  std::vector<double> lambda(load.u.size());
  solver.solve(load.f, load.u, a, lambda);
  solver.share(lambda, compliance);
  return lambda;
}

// The split is where joints end up that give way a little, the less the stiffer they are: the difference falls with the
// stiffness, ten times for ten times.
TEST(ReactionSplit, IsTheLimitOfStiffBushings) {
  for (JointMachine m : {two_loops(), test::four_bars(1), test::four_bars(3), test::bricard(),
                         test::planar_robot(false), test::rung_ladder(2)}) {
    SCOPED_TRACE(m.name);
    const Load load = some_load(m);
    const test::SoftRows springs = soft_rows(m, load.f, load.u);
    for (const std::unique_ptr<MotionSolver>& solver : factored_solvers(m)) {
      for (const bool is_default : {true, false}) {
        std::vector<double> compliance(load.u.size());
        for (std::size_t j = 0; j < compliance.size(); ++j) {
          const double scale = solver->row_scales()[j];
          compliance[j] = is_default ? 1.0 / (scale * scale) : 0.3 + static_cast<double>(j % 7);
        }
        const std::vector<double> split = is_default ? shared(*solver, load, {}) : shared(*solver, load, compliance);
        double before = 0.0;
        for (const Real softness : {1e-4L, 1e-5L, 1e-6L, 1e-7L}) {
          const double now = largest_difference(springs.reactions(softness, compliance), split) / largest(split);
          if (before > 0.0) {
            EXPECT_NEAR(now / before, 0.1, 0.01) << static_cast<double>(softness);
          }
          before = now;
        }
        EXPECT_LT(before, 1e-4);
      }
    }
  }
}

// Weights decide about what is shared, and about nothing else.
TEST(ReactionSplit, WeightsChangeWhatIsSharedAndNothingElse) {
  for (JointMachine m : {two_loops(), test::four_bars(3), test::planar_robot(false), test::rung_ladder(3)}) {
    SCOPED_TRACE(m.name);
    const Load load = some_load(m);
    for (const std::unique_ptr<MotionSolver>& solver : factored_solvers(m)) {
      const ReactionGroups groups = reaction_groups(*solver);
      std::vector<double> compliance(load.u.size());
      for (double& c : compliance) c = m.machine.number(0.1, 10.0);
      const std::vector<double> one = shared(*solver, load, {});
      const std::vector<double> other = shared(*solver, load, compliance);
      constexpr double kSame = 1e-12;      // of the largest reaction: rounding of a solve
      constexpr double kDifferent = 1e-6;  // far above rounding; weights differ by up to a hundred
      for (std::size_t j = 0; j < one.size(); ++j) {
        const double change = std::abs(one[j] - other[j]) / largest(one);
        if (groups.is_unique(j)) {
          EXPECT_LT(change, kSame) << j;
        } else {
          EXPECT_GT(change, kDifferent) << j;
        }
      }
    }
  }
}

// With weights over twelve decades the minimum is still found: a soft joint leaves its part to stiff ones.
TEST(ReactionSplit, ASoftJointCarriesNothingThatOthersCan) {
  JointMachine m;
  const std::int32_t bar = m.add_bar({0, 0, 0}, {2, 0, 0}, 1.0);
  for (const double x : {0.0, 1.0, 2.0}) m.revolute(-1, bar, {x, 0, 0}, {1, 0, 0});
  m.finish("shaft in three bearings");
  const Load load{{0, -30, 0, 0, 0, 0}, std::vector<double>(15, 0.0)};
  std::vector<double> compliance(15, 1.0);
  for (std::size_t i = 0; i < 5; ++i) compliance[5 + i] = 1e12;
  for (const std::unique_ptr<MotionSolver>& solver : factored_solvers(m)) {
    const std::vector<double> lambda = shared(*solver, load, compliance);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(lambda[5 + i], 0.0, 1e-9) << i;
    EXPECT_NEAR(lambda[1], 15.0, 1e-9);
    EXPECT_NEAR(lambda[11], 15.0, 1e-9);
  }
}

}  // namespace
}  // namespace gelenk::solve::reaction_groups_test
