#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gelenk/integrate/multistep_problems_test_support.h"
#include "gelenk/integrate/nordsieck.h"
#include "gelenk/integrate/vector_problem_test_support.h"

namespace gelenk::integrate::nordsieck_transform_test {
namespace {

// Steps follow from norms that differ by rounding between the two coordinates, over 20 s.
constexpr double kRounding = 1e-12;

using State = VectorProblem::State;
using Values = VectorProblem::Values;

// Positions and velocities (x, y, x', y') in axes that are turned by the angle (rad).
Values turned(const Values& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v[0] - s * v[1], s * v[0] + c * v[1], c * v[2] - s * v[3], s * v[2] + c * v[3]};
}

// x'' = -x (1 + y²/2), y'' = -4y - x² y/2: two oscillations in the potential x²/2 + 2y² + x²y²/4, seen in turned axes.
bool coupled_oscillation(const State& state, Values& rate, double angle) {
  const auto [x, y, vx, vy, unused_1, unused_2] = turned(state.x, -angle);
  rate = turned({vx, vy, -x * (1.0 + 0.5 * y * y), -y * (4.0 + 0.5 * x * x)}, angle);
  return true;
}

VectorProblem oscillations() {
  VectorProblem problem(4);
  problem.start(0.0, {1.0, -0.5, 0.0, 2.0});
  problem.rate = [](const State& s, Values& rate) { return coupled_oscillation(s, rate, 0.0); };
  return problem;
}

class Transform : public testing::TestWithParam<Multistep> {};

INSTANTIATE_TEST_SUITE_P(All, Transform, testing::Values(Multistep::adams, Multistep::bdf),
                         [](const auto& test) { return test.param == Multistep::adams ? "adams" : "bdf"; });

// S2-34: the history follows a linear change of coordinates in mid-run, and it cannot be seen afterwards.
TEST_P(Transform, TurnedAxesInMidRunChangeNothing) {
  constexpr double kAngle = 0.7;
  VectorProblem problem = oscillations();
  VectorProblem other = oscillations();
  Steps steps(problem, GetParam(), 1e-7);
  Steps turning(other, GetParam(), 1e-7);
  bool is_turned = false;
  int orders = 0;
  while (steps.time() < 20.0) {
    steps.advance();
    turning.advance();
    const Values back = is_turned ? turned(other.current().x, -kAngle) : other.current().x;
    for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(back[i], problem.current().x[i], kRounding) << steps.time();
    ASSERT_NEAR(turning.time(), steps.time(), kRounding);
    ASSERT_EQ(turning.stepper().order(), steps.stepper().order());
    if (!is_turned && steps.time() > 7.0) {
      const auto turn_state = [&](int slot) { other.state(slot).x = turned(other.state(slot).x, kAngle); };
      other.rate = [](const State& s, Values& rate) { return coupled_oscillation(s, rate, kAngle); };
      turn_state(Stepper::kCurrentState);
      turning.stepper().transform(turn_state,
                                  [&](int slot) { other.rate_values(slot) = turned(other.rate_values(slot), kAngle); });
      is_turned = true;
    }
    if (is_turned) orders = std::max(orders, turning.stepper().order());
  }
  EXPECT_TRUE(is_turned);
  EXPECT_GE(orders, 5);
  EXPECT_EQ(turning.count(), steps.count());
}

// The same without the history: it is what the test above is able to see.
TEST_P(Transform, HistoryInOldAxesIsSeen) {
  VectorProblem problem = oscillations();
  Steps steps(problem, GetParam(), 1e-7);
  while (steps.time() < 7.0) steps.advance();
  const Nordsieck::Effort before = steps.stepper().take_effort();
  EXPECT_GT(before.evaluations, 0);
  problem.current().x = turned(problem.current().x, 0.7);
  problem.rate = [](const State& s, Values& rate) { return coupled_oscillation(s, rate, 0.7); };
  const int order = steps.stepper().order();
  steps.advance();
  steps.advance();
  EXPECT_LT(steps.stepper().order(), order);
}

}  // namespace
}  // namespace gelenk::integrate::nordsieck_transform_test
