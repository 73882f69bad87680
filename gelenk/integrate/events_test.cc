#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/vector_problem_test_support.h"

namespace gelenk::integrate::events_test {
namespace {

constexpr double kOrderTolerance = 0.3;
constexpr double kLocation = 1e-10;  // s, what the integrator promises

using State = VectorProblem::State;
using Values = VectorProblem::Values;

class EachMethodWithEvents : public testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(All, EachMethodWithEvents,
                         testing::Values(Method::rk4, Method::dopri5, Method::adams, Method::bdf, Method::cvode),
                         method_name);

class FixedOrderWithEvents : public testing::TestWithParam<Method> {
 protected:
  static int order() { return GetParam() == Method::rk4 ? 4 : 5; }
};

INSTANTIATE_TEST_SUITE_P(All, FixedOrderWithEvents, testing::Values(Method::rk4, Method::dopri5), method_name);

class AdaptiveMethodWithEvents : public testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(All, AdaptiveMethodWithEvents,
                         testing::Values(Method::dopri5, Method::adams, Method::bdf, Method::cvode), method_name);

std::vector<Event> events_until(Integrator& integrator, double end) {
  std::vector<Event> all;
  while (integrator.time() < end) {
    const Outcome outcome = integrator.advance(end);
    if (outcome == Outcome::failed) break;
    EXPECT_EQ(outcome == Outcome::event, !integrator.events().empty());
    for (const Event& event : integrator.events()) {
      EXPECT_EQ(event.time, integrator.time());
      all.push_back(event);
    }
  }
  return all;
}

// x'' = -x + F, F = 0 before and 1 after t = kForceStep: x = cos t, then plus 1 - cos(t - kForceStep).
constexpr double kForceStep = 0.377;

VectorProblem forced_oscillator(bool announced) {
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  if (announced) problem.jumps = {kForceStep};
  problem.rate = [announced](const State& s, Values& rate) {
    const bool on = announced ? s.passed > 0 : s.time >= kForceStep;
    rate[0] = s.x[1];
    rate[1] = -s.x[0] + (on ? 1.0 : 0.0);
    return true;
  };
  return problem;
}

double forced_oscillator_error(Method method, double step, bool announced) {
  VectorProblem problem = forced_oscillator(announced);
  Integrator integrator(problem, fixed_steps(method, step), 0.0);
  EXPECT_EQ(run(integrator, 2.0), Outcome::ok);
  EXPECT_EQ(problem.current().passed, announced ? 1 : 0);
  return std::abs(problem.current().x[0] - (std::cos(2.0) + 1.0 - std::cos(2.0 - kForceStep)));
}

TEST_P(FixedOrderWithEvents, OrderIsKeptAcrossAForceStep) {
  const double coarse = forced_oscillator_error(GetParam(), 1.0 / 16, true);
  const double fine = forced_oscillator_error(GetParam(), 1.0 / 32, true);
  EXPECT_NEAR(observed_order(coarse, fine), order(), kOrderTolerance);
  // The same step that nobody announces costs the order: it is what the test above is able to see.
  EXPECT_GT(forced_oscillator_error(GetParam(), 1.0 / 32, false), 1e3 * fine);
}

TEST_P(EachMethodWithEvents, DiscontinuityIsLoggedAndStoodOn) {
  VectorProblem problem = forced_oscillator(true);
  Integrator integrator(problem, fixed_steps(GetParam(), 0.1), 0.0);
  const std::vector<Event> events = events_until(integrator, 1.0);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].time, kForceStep);
  EXPECT_EQ(events[0].which, Event::kDiscontinuity);
}

// A mass between two springs: x'' = -ω² x with ω = 3 for x > 0 and ω = 7 for x < 0, from x = 0 with v = 1. Half
// periods of π/3 and π/7 follow each other.
constexpr double kSoft = 3.0;
constexpr double kHard = 7.0;

VectorProblem two_springs() {
  VectorProblem problem(2);
  problem.start(0.0, {0.0, 1.0});
  problem.rate = [](const State& s, Values& rate) {
    const double omega = s.on[0] ? kHard : kSoft;
    rate[0] = s.x[1];
    rate[1] = -omega * omega * s.x[0];
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  return problem;
}

double contact_time(std::size_t n) {
  const std::size_t hard = n / 2;
  const std::size_t soft = n - hard;
  return std::numbers::pi / kSoft * static_cast<double>(soft) + std::numbers::pi / kHard * static_cast<double>(hard);
}

// S4-08: changes of a law are located exactly, and between them an ordinary method goes on.
TEST(Events, ChangesOfSpringAreLocated) {
  VectorProblem problem = two_springs();
  problem.tolerance = 1e-13;
  Integrator integrator(problem, adaptive_steps(1e-13), 0.0);
  const std::vector<Event> events = events_until(integrator, contact_time(10) + 0.1);
  ASSERT_EQ(events.size(), 10U);
  for (std::size_t n = 1; n <= 10; ++n) {
    EXPECT_NEAR(events[n - 1].time, contact_time(n), kLocation);
    EXPECT_EQ(events[n - 1].which, 0U);
  }
  const double last = integrator.time() - contact_time(10);
  EXPECT_NEAR(problem.current().x[0], std::sin(kSoft * last) / kSoft, 1e-10);
}

TEST_P(FixedOrderWithEvents, OrderIsKeptAcrossSwitches) {
  const auto error = [](double step) {
    VectorProblem problem = two_springs();
    Integrator integrator(problem, fixed_steps(GetParam(), step), 0.0);
    EXPECT_EQ(events_until(integrator, contact_time(6) + 0.3).size(), 6U);
    return std::abs(problem.current().x[0] - std::sin(kSoft * 0.3) / kSoft);
  };
  EXPECT_NEAR(observed_order(error(1.0 / 64), error(1.0 / 128)), order(), kOrderTolerance);
}

TEST_P(AdaptiveMethodWithEvents, ErrorFollowsTheToleranceAcrossSwitches) {
  // About 100 steps whose errors the tolerance bounds one by one; each switch makes later phases of an error at its
  // time.
  constexpr double kMostErrorPerTolerance = 300.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    VectorProblem problem = two_springs();
    problem.tolerance = tolerance;
    Options options = adaptive_steps(tolerance);
    options.method = GetParam();
    Integrator integrator(problem, options, 0.0);
    EXPECT_EQ(events_until(integrator, contact_time(6) + 0.3).size(), 6U);
    EXPECT_LT(std::abs(problem.current().x[0] - std::sin(kSoft * 0.3) / kSoft), kMostErrorPerTolerance * tolerance);
  }
}

// Also where steps are coarse, the state at the event is on the switching surface: not only the dense output is.
TEST_P(EachMethodWithEvents, StateAtTheEventIsOnTheSurface) {
  VectorProblem problem = two_springs();
  Integrator integrator(problem, good_steps(problem, GetParam(), 0.1), 0.0);
  int count = 0;
  while (integrator.time() < 5.0) {
    if (integrator.advance(5.0) != Outcome::event) continue;
    ++count;
    const Values& x = problem.current().x;
    EXPECT_LT(std::abs(x[0] / x[1]), kLocation);
  }
  EXPECT_EQ(count, 6);
}

// Height (t - 1)²/2 - depth over the ground, an exact parabola for both methods, in steps that are much longer than the
// time below ground.
VectorProblem grazing(double depth) {
  VectorProblem problem(2);
  problem.start(0.0, {0.5 - depth, -1.0});
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = s.x[1];
    rate[1] = 1.0;
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  return problem;
}

TEST_P(EachMethodWithEvents, ShortContactInsideAStepIsFound) {
  const double height_error = is_multistep(GetParam()) ? 1e-12 : 1e-16;
  for (const double depth : {1e-3, 1e-6, 1e-9}) {
    VectorProblem problem = grazing(depth);
    Integrator integrator(problem, good_steps(problem, GetParam(), 0.9), 0.0);
    const std::vector<Event> events = events_until(integrator, 3.0);
    ASSERT_EQ(events.size(), 2U) << depth;
    const double half = std::sqrt(2.0 * depth);
    // An error of the height costs error / half of the time.
    const double location = kLocation + height_error / half;
    EXPECT_NEAR(events[0].time, 1.0 - half, location);
    EXPECT_NEAR(events[1].time, 1.0 + half, location);
    EXPECT_FALSE(problem.current().on[0]);
  }
}

TEST_P(EachMethodWithEvents, NearMissIsNoEvent) {
  for (const double height : {1e-3, 1e-6, 1e-9}) {
    VectorProblem problem = grazing(-height);
    Integrator integrator(problem, good_steps(problem, GetParam(), 0.9), 0.0);
    EXPECT_TRUE(events_until(integrator, 3.0).empty()) << height;
  }
}

TEST_P(EachMethodWithEvents, TouchingWithinRoundingDoesNoHarm) {
  VectorProblem problem = grazing(0.0);
  Integrator integrator(problem, good_steps(problem, GetParam(), 0.9), 0.0);
  const std::vector<Event> events = events_until(integrator, 3.0);
  EXPECT_EQ(integrator.time(), 3.0);
  EXPECT_LE(events.size(), 4U);
  EXPECT_FALSE(problem.current().on[0]);
}

// Two events inside one step, of different switches, one after the other, and a third that is later.
TEST_P(EachMethodWithEvents, EventsOfOneStepComeInOrder) {
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 1.0;
    return true;
  };
  for (const double edge : {0.62, 0.61, 1.7}) {
    problem.slack.push_back(
        [edge, i = problem.slack.size()](const State& s) { return s.on[i] ? s.x[0] - edge : edge - s.x[0]; });
  }
  Integrator integrator(problem, fixed_steps(GetParam(), 1.0), 0.0);
  const std::vector<Event> events = events_until(integrator, 2.0);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].which, 1U);
  EXPECT_EQ(events[1].which, 0U);
  EXPECT_EQ(events[2].which, 2U);
  EXPECT_NEAR(events[0].time, 0.61, kLocation);
  EXPECT_NEAR(events[1].time, 0.62, kLocation);
  EXPECT_NEAR(events[2].time, 1.7, kLocation);
  EXPECT_NEAR(problem.current().x[0], 2.0, 1e-14);
}

TEST_P(EachMethodWithEvents, SimultaneousSwitchesFlipTogether) {
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 1.0;
    return true;
  };
  const double sum = 0.1 + 0.2;  // 0.3 but for rounding
  for (const double edge : {0.3, sum, 0.3 + 8e-11, 0.3 + 1e-8}) {
    problem.slack.push_back(
        [edge, i = problem.slack.size()](const State& s) { return s.on[i] ? s.x[0] - edge : edge - s.x[0]; });
  }
  Integrator integrator(problem, fixed_steps(GetParam(), 1.0), 0.0);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  EXPECT_EQ(integrator.events().size(), 3U);
  EXPECT_NEAR(integrator.time(), 0.3, kLocation);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  EXPECT_EQ(integrator.events().size(), 1U);
  EXPECT_NEAR(integrator.time(), 0.3 + 1e-8, kLocation);
  EXPECT_EQ(integrator.advance(1.0), Outcome::ok);
  EXPECT_EQ(integrator.time(), 1.0);
}

// After its flip at 0.5 the slack of switch 0 is negative and rises to zero at 0.9 only. It is not a new event, and the
// event of switch 1 at 0.6 does not take it along; falling through 0.9 later, x = 2t - t², it counts again.
TEST_P(EachMethodWithEvents, SlackCountsOnlyAfterItWasPositive) {
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = 2.0 - 2.0 * s.time;
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? s.x[0] - 0.9 : 0.5 - s.x[0]; },
                   [](const State& s) { return s.on[1] ? 1.0 : 0.6 - s.x[0]; }};
  Integrator integrator(problem, good_steps(problem, GetParam(), 1.0), 0.0);
  const std::vector<Event> events = events_until(integrator, 1.4);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].which, 0U);
  EXPECT_NEAR(events[0].time, 1.0 - std::sqrt(0.5), kLocation);
  EXPECT_EQ(events[1].which, 1U);
  EXPECT_NEAR(events[1].time, 1.0 - std::sqrt(0.4), kLocation);
  EXPECT_EQ(events[2].which, 0U);
  EXPECT_NEAR(events[2].time, 1.0 + std::sqrt(0.1), kLocation);
}

// A start on the wrong side of a switch, x = -0.1 - t with the side x > 0 in force.
TEST_P(EachMethodWithEvents, SideThatDoesNotHoldFlipsBeforeTheStep) {
  VectorProblem problem(1);
  problem.start(0.0, {-0.1});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = -1.0;
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  Integrator integrator(problem, fixed_steps(GetParam(), 0.5), 0.0);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  EXPECT_EQ(integrator.time(), 0.0);
  EXPECT_EQ(problem.current().x[0], -0.1);
  EXPECT_TRUE(problem.current().on[0]);
  EXPECT_TRUE(events_until(integrator, 1.0).empty());
  EXPECT_EQ(integrator.counters().accepted, 2);
}

// A constraint that changes with the side: y = 0 before, y = 1 after x = 0.5.
TEST_P(EachMethodWithEvents, StateIsProjectedToTheNewSide) {
  VectorProblem problem(2);
  problem.start(0.0, {0.0, 0.0});
  problem.rate = [](const State&, Values& rate) {
    rate = {1.0, 0.0};
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? s.x[0] - 0.5 : 0.5 - s.x[0]; }};
  problem.projection = [](State& s) {
    s.x[1] = s.on[0] ? 1.0 : 0.0;
    return true;
  };
  Integrator integrator(problem, fixed_steps(GetParam(), 1.0), 0.0);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  EXPECT_EQ(problem.current().x[1], 1.0);
  ASSERT_TRUE(integrator.interpolate(0.25));
  EXPECT_EQ(problem.output().x[1], 0.0);
}

// Switch 1 watches switch 0 and a jump in time: it flips at the same instant, without a step in between.
TEST_P(EachMethodWithEvents, ConsequencesOfAnEventFollowAtOnce) {
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 1.0;
    return true;
  };
  problem.jumps = {0.75};
  problem.slack = {[](const State& s) { return s.on[0] ? 1.0 : 0.4 - s.x[0]; },
                   [](const State& s) { return s.on[1] || !s.on[0] ? 1.0 : -1.0; },
                   [](const State& s) { return s.on[2] || s.passed == 0 ? 1.0 : -1.0; }};
  Integrator integrator(problem, fixed_steps(GetParam(), 1.0), 0.0);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  ASSERT_EQ(integrator.events().size(), 2U);
  EXPECT_EQ(integrator.events()[0].which, 0U);
  EXPECT_EQ(integrator.events()[1].which, 1U);
  ASSERT_EQ(integrator.advance(1.0), Outcome::event);
  ASSERT_EQ(integrator.events().size(), 2U);
  EXPECT_EQ(integrator.events()[0].which, Event::kDiscontinuity);
  EXPECT_EQ(integrator.events()[1].which, 2U);
  EXPECT_EQ(integrator.time(), 0.75);
}

// x' = -1 on the side x > 0 and +1 on the side x < 0: both lead back to x = 0, no side holds.
TEST_P(EachMethodWithEvents, ChatteringEndsInAClearFailure) {
  VectorProblem problem(1);
  problem.start(0.0, {0.5});
  problem.tolerance = 1e-6;
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = s.on[0] ? 1.0 : -1.0;
    return true;
  };
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  Options options = adaptive_steps(1e-6);
  options.method = GetParam();
  Integrator integrator(problem, options, 0.0);
  EXPECT_EQ(run(integrator, 1.0), Outcome::failed);
  EXPECT_EQ(integrator.failure(), Failure::chattering);
  EXPECT_NEAR(integrator.time(), 0.5, options.chatter_window);
  EXPECT_NEAR(problem.current().x[0], 0.0, options.chatter_window);
  EXPECT_LE(integrator.counters().events, options.chatter_events + 1);
}

// The same with a dead band of 1e-3: a relay, which switches every 2 ms, is a motion like others.
TEST_P(EachMethodWithEvents, RelayWithHysteresisIsNoChattering) {
  constexpr double kBand = 1e-3;
  VectorProblem problem(1);
  problem.start(0.0, {0.5});
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = s.on[0] ? 1.0 : -1.0;
    return true;
  };
  problem.slack = {[](const State& s) { return (s.on[0] ? -s.x[0] : s.x[0]) + kBand; }};
  Integrator integrator(problem, fixed_steps(GetParam(), 0.01), 0.0);
  const std::vector<Event> events = events_until(integrator, 0.9);
  // At x = -band after 0.501 s, then every 2 · band: 200 times up to 0.9 s. Each may be late by what is promised, and
  // the next ones with it.
  ASSERT_EQ(events.size(), 200U);
  EXPECT_NEAR(events[0].time, 0.501, kLocation);
  for (std::size_t n = 1; n < events.size(); ++n) {
    EXPECT_NEAR(events[n].time - events[n - 1].time, 2.0 * kBand, kLocation);
  }
}

// A slack that is zero within rounding all the time, as of a part that rests on its stop.
TEST_P(EachMethodWithEvents, RestOnASwitchNeedsOnlyARoundingBand) {
  constexpr double kRoundingBand = 1e-14;
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 1.0;
    return true;
  };
  bool noise_seen = false;
  problem.slack = {[&noise_seen](const State& s) {
    const double rounding = (s.time * 0.1 + 0.3) - s.time * 0.1 - 0.3;
    if (rounding < 0.0) noise_seen = true;
    return (s.on[0] ? -rounding : rounding) + kRoundingBand;
  }};
  Integrator integrator(problem, fixed_steps(GetParam(), 0.1), 0.0);
  EXPECT_TRUE(events_until(integrator, 5.0).empty());
  EXPECT_EQ(integrator.time(), 5.0);
  EXPECT_TRUE(noise_seen);
}

}  // namespace
}  // namespace gelenk::integrate::events_test
