#include "gelenk/solve/pivot_set.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/solve/flat_solver.h"
#include "gelenk/solve/machine_test_support.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve::pivot_set_test {
namespace {

using test::Link;
using test::Machine;

constexpr double kTau = 1e-6;

class PivotSetTest : public testing::TestWithParam<Storage> {};

INSTANTIATE_TEST_SUITE_P(Storages, PivotSetTest, testing::Values(Storage::dense, Storage::sparse),
                         [](const auto& storage) { return storage.param == Storage::dense ? "dense" : "sparse"; });

// The same solver chooses, another one starts from a saved copy: equal to the last bit, at the next pose, too.
TEST_P(PivotSetTest, RestartGivesTheSameBits) {
  Machine machine = test::ladder(5);
  Machine next = test::ladder(5, 1.01);
  const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
  const std::vector<double> u = machine.rates(r);
  FlatSolver first = test::make_solver(machine, GetParam());
  PivotSet pivots;
  EXPECT_EQ(first.factor(machine.bodies, machine.blocks, kTau, pivots), PivotChange::chosen_again);
  const test::Solution chosen = test::sweep(first, r, u);

  FlatSolver second = test::make_solver(machine, GetParam());
  PivotSet saved = pivots;
  EXPECT_EQ(second.factor(machine.bodies, machine.blocks, kTau, saved), PivotChange::none);
  EXPECT_EQ(saved, pivots);
  const test::Solution restarted = test::sweep(second, r, u);
  EXPECT_EQ(restarted.a, chosen.a);
  EXPECT_EQ(restarted.lambda, chosen.lambda);

  EXPECT_EQ(first.factor(next.bodies, next.blocks, kTau, pivots), PivotChange::none);
  EXPECT_EQ(second.factor(next.bodies, next.blocks, kTau, saved), PivotChange::none);
  EXPECT_EQ(test::sweep(first, r, u).a, test::sweep(second, r, u).a);
}

// Drops below tau, comes back above √10 tau only, and the other way round.
TEST_P(PivotSetTest, RankFollowsThePoseWithHysteresis) {
  const auto flat_by = [](double angle) { return test::ladder(1, angle); };
  FlatSolver solver = test::make_solver(flat_by(1.0), GetParam());
  PivotSet pivots;
  const auto factor = [&](double angle) {
    const Machine machine = flat_by(angle);
    return solver.factor(machine.bodies, machine.blocks, kTau, pivots);
  };
  EXPECT_EQ(factor(0.5), PivotChange::chosen_again);
  EXPECT_EQ(solver.rank(), 17u);
  // Far from where the pivots were chosen, but still good: kept. Much smaller: chosen again, same rank.
  EXPECT_EQ(factor(0.4), PivotChange::none);
  EXPECT_EQ(factor(1e-3), PivotChange::chosen_again);
  EXPECT_EQ(solver.rank(), 17u);
  EXPECT_EQ(factor(1e-7), PivotChange::rank_changed);
  EXPECT_EQ(solver.rank(), 16u);
  EXPECT_EQ(factor(0.0), PivotChange::none);
  EXPECT_EQ(factor(2e-6), PivotChange::none);  // a pivot of about 4e-12: between tau² and 10 tau²
  EXPECT_EQ(solver.rank(), 16u);
  EXPECT_EQ(factor(1e-5), PivotChange::rank_changed);
  EXPECT_EQ(solver.rank(), 17u);
  EXPECT_EQ(factor(2e-6), PivotChange::chosen_again);  // a pivot of about 4e-12: above tau²
  EXPECT_EQ(solver.rank(), 17u);
  EXPECT_EQ(factor(-0.5), PivotChange::none);
}

// A pose beside the constraints keeps the rows that were chosen on them.
TEST_P(PivotSetTest, OtherPosesDoNotDecide) {
  constexpr RankRule kStage{kTau, false};
  const Machine closed = test::ladder(1);
  Machine open = test::ladder(1);
  open.blocks[3].b[5] += 1e-3;  // rows that depend on each other no longer do
  FlatSolver solver = test::make_solver(closed, GetParam());
  PivotSet pivots;
  solver.factor(closed.bodies, closed.blocks, kTau, pivots);
  const PivotSet chosen = pivots;
  ASSERT_EQ(solver.rank(), 17u);
  EXPECT_EQ(solver.factor(open.bodies, open.blocks, kStage, pivots), PivotChange::none);
  EXPECT_EQ(pivots, chosen);
  EXPECT_EQ(solver.factor(open.bodies, open.blocks, kTau, pivots), PivotChange::rank_changed);
  EXPECT_EQ(solver.rank(), 18u);
  // Rows that degraded are kept, those that are lost are not, and no others come instead.
  pivots = chosen;
  const Machine folded = test::ladder(1, 1e-3);
  EXPECT_EQ(solver.factor(folded.bodies, folded.blocks, kStage, pivots), PivotChange::none);
  const Machine flat = test::ladder(1, 1e-9);
  EXPECT_EQ(solver.factor(flat.bodies, flat.blocks, kStage, pivots), PivotChange::rank_changed);
  EXPECT_EQ(solver.rank(), 16u);
  EXPECT_EQ(solver.factor(open.bodies, open.blocks, kStage, pivots), PivotChange::none);
  EXPECT_EQ(solver.rank(), 16u);
  // Where nothing was chosen yet, something has to be.
  PivotSet none;
  EXPECT_EQ(solver.factor(closed.bodies, closed.blocks, kStage, none), PivotChange::chosen_again);
  EXPECT_EQ(none.rank, 17);
}

TEST_P(PivotSetTest, ToleranceDecides) {
  // The second hinge axis of a four-bar tilted by 1e-4: a row that is nearly redundant.
  Machine machine = test::ladder(1);
  constexpr double kTilt = 1e-4;
  machine.blocks[3].b[5] += kTilt;
  const auto rank = [&](double tau) {
    FlatSolver solver = test::make_solver(machine, GetParam());
    PivotSet pivots;
    solver.factor(machine.bodies, machine.blocks, tau, pivots);
    return solver.rank();
  };
  EXPECT_EQ(rank(1e-6), 18u);
  EXPECT_EQ(rank(1e-3), 17u);
  // Nothing below the floor: rounding of redundant rows is not rank.
  EXPECT_EQ(rank(0.0), 18u);
}

TEST_P(PivotSetTest, StrangeSetsAreChosenAgain) {
  const Machine machine = test::ladder(1);
  PivotSet good;
  test::make_solver(machine, GetParam()).factor(machine.bodies, machine.blocks, kTau, good);
  PivotSet repeated = good;
  repeated.accepted[1] = repeated.accepted[0];
  PivotSet outside = good;
  outside.accepted[0] = 20;
  PivotSet negative = good;
  negative.dropped[0] = -1;
  PivotSet shorter = good;
  shorter.accepted.pop_back();
  PivotSet all;
  for (std::int32_t row = 0; row < 20; ++row) all.accepted.push_back(row);
  PivotSet none;
  for (std::int32_t row = 0; row < 20; ++row) none.dropped.push_back(row);
  for (PivotSet strange : {repeated, outside, negative, shorter, all, none}) {
    FlatSolver solver = test::make_solver(machine, GetParam());
    EXPECT_NE(solver.factor(machine.bodies, machine.blocks, kTau, strange), PivotChange::none);
    EXPECT_EQ(strange, good);
  }
}

// A row that comes early in the elimination and depends on later ones is redundant all the same.
TEST(PivotSet, SparseFactorTakesAnyCompleteSet) {
  Machine machine = test::ladder(4);
  FlatSolver dense = test::make_solver(machine, Storage::dense);
  PivotSet pivots;
  dense.factor(machine.bodies, machine.blocks, kTau, pivots);
  // Exchange: the dropped rows become accepted wherever the set stays complete.
  for (std::int32_t& dropped : pivots.dropped) {
    for (std::int32_t& accepted : pivots.accepted) {
      std::swap(dropped, accepted);
      PivotSet trial = pivots;
      trial.smallest = 0.0;
      FlatSolver sparse = test::make_solver(machine, Storage::sparse);
      const bool holds = sparse.factor(machine.bodies, machine.blocks, kTau, trial) == PivotChange::none;
      EXPECT_EQ(sparse.rank(), dense.rank());
      if (holds) {
        const std::vector<double> r = machine.numbers(6 * machine.bodies.size());
        const std::vector<double> u(machine.rows.size(), 0.0);
        EXPECT_LT(test::largest_difference(test::sweep(sparse, r, u).a, test::sweep(dense, r, u).a), 1e-12);
        break;
      }
      std::swap(dropped, accepted);
    }
  }
}

// What was given out is known by its stamp; a copy that may be changed is not.
TEST(PivotStamp, TellsWhatIsTheSame) {
  PivotSet given;
  given.accepted = {2, 0, 1};
  given.put_new_stamp();
  PivotSet assigned;
  assigned.accepted = {7};
  assigned = given;
  EXPECT_TRUE(assigned.has_stamp_of(given));
  EXPECT_EQ(assigned.accepted, given.accepted);
  PivotSet changed = given;
  EXPECT_EQ(changed, given);
  EXPECT_FALSE(changed.has_stamp_of(given));
  changed.accepted[0] = 3;
  EXPECT_FALSE(changed == given);
  assigned = changed;
  EXPECT_EQ(assigned.accepted, changed.accepted);
  EXPECT_FALSE(assigned.has_stamp_of(given));
  PivotSet next = given;
  next.put_new_stamp();
  EXPECT_FALSE(next.has_stamp_of(given));
  const PivotSet nobody;
  EXPECT_FALSE(nobody.has_stamp_of(PivotSet()));
}

}  // namespace
}  // namespace gelenk::solve::pivot_set_test
