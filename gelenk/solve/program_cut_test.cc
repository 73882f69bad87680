#include "gelenk/solve/program_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gelenk/base/parallel.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_planner.h"
#include "gelenk/solve/mechanisms_test_support.h"

namespace gelenk::solve::program_cut_test {
namespace {

using test::JointMachine;

constexpr double kTau = 1e-6;
// Of the largest acceleration: the cut squares the mobility of the tip and takes its root, six numbers of a long chain.
constexpr double kCut = 1e-11;

struct Solution {
  std::vector<double> a, lambda;
};

Solution solve(const Program& program, const JointMachine& m, const std::vector<double>& f,
               const std::vector<double>& u) {
  Elimination elimination(program);
  elimination.load(m.masses, m.values.data());
  EXPECT_EQ(elimination.factor(kTau).outcome, OpOutcome::good);
  Solution result{std::vector<double>(f.size()), std::vector<double>(u.size())};
  elimination.sweep_up(f, u);
  elimination.sweep_down(result.a, result.lambda);
  // Without multipliers, and a second time: nothing is left over from the first.
  std::vector<double> again(f.size());
  elimination.sweep_up(f, u);
  elimination.sweep_down(again, {});
  EXPECT_EQ(again, result.a);
  // Both ways at once, to the last bit.
  Elimination at_once(program);
  at_once.load(m.masses, m.values.data());
  EXPECT_EQ(at_once.factor_and_sweep_up(kTau, f, u).outcome, OpOutcome::good);
  at_once.sweep_down(again, {});
  EXPECT_EQ(again, result.a);
  // And without keeping what is condensed on the bodies: it is found again for a further right side, and for
  // multipliers.
  Elimination lean(program);
  std::vector<double> lambda(u.size());
  for (const bool is_swept_again : {true, false}) {
    lean.load(m.masses, m.values.data());
    EXPECT_EQ(lean.factor_and_sweep_up(kTau, f, u, true).outcome, OpOutcome::good);
    if (is_swept_again) {
      lean.sweep_down(again, {});
      EXPECT_EQ(again, result.a);
      lean.sweep_up(f, u);
    }
    lean.sweep_down(again, lambda);
    EXPECT_EQ(again, result.a);
    EXPECT_EQ(lambda, result.lambda);
    std::fill(lambda.begin(), lambda.end(), 0.0);
  }
  return result;
}

void expect_cut_like_whole(JointMachine m) {
  SCOPED_TRACE(m.name);
  const std::vector<double> u = m.machine.rates(m.machine.numbers(6 * m.masses.size()));
  const std::vector<double> f = m.machine.numbers(6 * m.masses.size());
  const Program whole = plan_elimination(m.layout, m.masses, m.values);
  ASSERT_FALSE(whole.cut.is_set());
  Program cut = whole;
  cut_long_chain(cut, 8);
  ASSERT_TRUE(cut.cut.is_set());
  const Solution expected = solve(whole, m, f, u);
  const Solution result = solve(cut, m, f, u);
  EXPECT_LT(test::largest_difference(result.a, expected.a), kCut * test::largest(expected.a));
  EXPECT_LT(test::largest_difference(result.lambda, expected.lambda), kCut * test::largest(expected.lambda));
  set_thread_count(2);
  const Solution by_two = solve(cut, m, f, u);
  set_thread_count(1);
  EXPECT_EQ(by_two.a, result.a);
  EXPECT_EQ(by_two.lambda, result.lambda);
}

TEST(ProgramCut, ChainOfHinges) { expect_cut_like_whole(test::link_chain(64)); }

// Other joints than hinges on the path, and branches beside it.
TEST(ProgramCut, TreeOfTenJointTypes) { expect_cut_like_whole(test::mixed_tree(40)); }

TEST(ProgramCut, LoopsAreNotCut) {
  const JointMachine m = test::four_bars(10);
  Program program = plan_elimination(m.layout, m.masses, m.values);
  cut_long_chain(program, 8);
  EXPECT_FALSE(program.cut.is_set());
}

TEST(ProgramCut, ShortChainsAreNotCut) {
  const JointMachine m = test::link_chain(64);
  Program program = plan_elimination(m.layout, m.masses, m.values);
  cut_long_chain(program, 65);
  EXPECT_FALSE(program.cut.is_set());
}

}  // namespace
}  // namespace gelenk::solve::program_cut_test
