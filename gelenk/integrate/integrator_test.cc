#include "gelenk/integrate/integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "gelenk/base/allocation_count_test_support.h"
#include "gelenk/integrate/vector_problem_test_support.h"

namespace gelenk::integrate::integrator_test {
namespace {

// Observed orders approach the true one as h -> 0. Dormand and Prince made the first term of the error so small that
// the next one still shows at steps whose errors are above rounding.
constexpr double kOrderTolerance = 0.4;

using State = VectorProblem::State;
using Values = VectorProblem::Values;

// x' = -2 t r² y, y' = 2 t r² x with r² = x² + y²: nonlinear and with explicit time; x = cos t², y = sin t².
VectorProblem spin_up() {
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  problem.rate = [](const State& s, Values& rate) {
    const double factor = 2.0 * s.time * (s.x[0] * s.x[0] + s.x[1] * s.x[1]);
    rate[0] = -factor * s.x[1];
    rate[1] = factor * s.x[0];
    return true;
  };
  return problem;
}
double spin_up_error(const State& s) {
  return std::hypot(s.x[0] - std::cos(s.time * s.time), s.x[1] - std::sin(s.time * s.time));
}

// x'' = -x, x = cos t.
VectorProblem oscillator() {
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = s.x[1];
    rate[1] = -s.x[0];
    return true;
  };
  return problem;
}

class EachMethod : public testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(All, EachMethod,
                         testing::Values(Method::rk4, Method::dopri5, Method::adams, Method::bdf, Method::cvode),
                         method_name);

class EachMethodOfFixedOrder : public testing::TestWithParam<Method> {
 protected:
  static int order() { return GetParam() == Method::rk4 ? 4 : 5; }
};

INSTANTIATE_TEST_SUITE_P(All, EachMethodOfFixedOrder, testing::Values(Method::rk4, Method::dopri5), method_name);

// S2-26: Runge-Kutta; Adams and BDF are in nordsieck_test.cc.
TEST_P(EachMethodOfFixedOrder, ConvergesWithItsOrder) {
  const auto error = [](double step) {
    VectorProblem problem = spin_up();
    Integrator integrator(problem, fixed_steps(GetParam(), step), 0.0);
    double worst = 0.0;
    while (integrator.time() < 2.0) {
      EXPECT_EQ(integrator.advance(2.0), Outcome::ok);
      worst = std::max(worst, spin_up_error(problem.current()));
    }
    EXPECT_EQ(integrator.counters().accepted, std::lround(2.0 / step));
    return worst;
  };
  EXPECT_NEAR(observed_order(error(1.0 / 64), error(1.0 / 128)), order(), kOrderTolerance);
}

// An error of one step is one order higher than the error of the motion, so that order - 1 inside is enough.
TEST_P(EachMethodOfFixedOrder, DenseOutputIsAsGoodAsTheMotion) {
  const auto error = [](double step) {
    VectorProblem problem = spin_up();
    Integrator integrator(problem, fixed_steps(GetParam(), step), 0.0);
    double worst = 0.0;
    while (integrator.time() < 2.0) {
      EXPECT_EQ(integrator.advance(2.0), Outcome::ok);
      for (const double share : {0.2, 0.5, 0.7}) {
        const double time = integrator.time() - share * integrator.last_step();
        EXPECT_TRUE(integrator.interpolate(time));
        EXPECT_EQ(problem.output().time, time);
        worst = std::max(worst, spin_up_error(problem.output()));
      }
    }
    return worst;
  };
  EXPECT_NEAR(observed_order(error(1.0 / 64), error(1.0 / 128)), order(), kOrderTolerance);
}

TEST_P(EachMethod, InterpolatesOnlyInsideTheLastStep) {
  VectorProblem problem = oscillator();
  Integrator integrator(problem, fixed_steps(GetParam(), 0.1), 0.0);
  EXPECT_TRUE(integrator.interpolate(0.0));
  EXPECT_EQ(problem.output(), problem.current());
  EXPECT_FALSE(integrator.interpolate(0.05));
  ASSERT_EQ(integrator.advance(1.0), Outcome::ok);
  ASSERT_EQ(integrator.advance(1.0), Outcome::ok);
  EXPECT_FALSE(integrator.interpolate(0.05));
  EXPECT_FALSE(integrator.interpolate(0.25));
  EXPECT_TRUE(integrator.interpolate(0.15));
  EXPECT_TRUE(integrator.interpolate(integrator.time()));
  EXPECT_EQ(problem.output(), problem.current());
}

TEST_P(EachMethod, EndsExactlyOnTheLimit) {
  VectorProblem problem = oscillator();
  problem.tolerance = 1e-8;
  Options options = adaptive_steps(1e-8);
  options.method = GetParam();
  options.step = 0.1;
  Integrator integrator(problem, options, 0.0);
  for (const double limit : {0.3, 0.7, 0.70000001, 2.0 / 3.0 + 1.0}) {
    ASSERT_EQ(run(integrator, limit), Outcome::ok);
    EXPECT_EQ(integrator.time(), limit);
    EXPECT_EQ(problem.current().time, limit);
  }
  EXPECT_EQ(integrator.advance(1.0), Outcome::ok);
  EXPECT_EQ(integrator.time(), 2.0 / 3.0 + 1.0);
}

TEST_P(EachMethod, AllocatesNothing) {
  VectorProblem problem = oscillator();
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  problem.jumps = {0.5, 1.0};
  problem.tolerance = 1e-6;
  Options options = adaptive_steps(1e-6);
  options.method = GetParam();
  Integrator integrator(problem, options, 0.0);
  ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
  const long before = test::allocation_count;
  const Outcome outcome = run(integrator, 10.0);
  const bool interpolated = integrator.interpolate(10.0 - 0.5 * integrator.last_step());
  const long after = test::allocation_count;
  EXPECT_EQ(after - before, 0);
  EXPECT_GT(before, 0);
  EXPECT_EQ(outcome, Outcome::ok);
  EXPECT_TRUE(interpolated);
  EXPECT_EQ(integrator.counters().events, 2 + 3);  // cos t has 3 zeros up to 10
}

// A second integrator with the memory and the state of the first goes on with the same bits, whatever outputs were
// asked for in the meantime.
TEST_P(EachMethod, RestartsBitForBit) {
  VectorProblem problem = oscillator();
  problem.slack = {[](const State& s) { return s.on[0] ? -s.x[0] : s.x[0]; }};
  problem.jumps = {0.5, 2.0, 3.0};
  problem.tolerance = 1e-7;
  Options options = adaptive_steps(1e-7);
  options.method = GetParam();
  options.step = 0.07;
  VectorProblem other = problem;
  Integrator integrator(problem, options, 0.0);
  for (int i = 0; i < 9; ++i) ASSERT_NE(integrator.advance(4.0), Outcome::failed);
  Integrator continued(other, options, 0.0);
  ByteWriter saved;
  integrator.save(saved);
  ByteReader reader(saved.bytes());
  continued.load(reader);
  EXPECT_TRUE(reader.is_complete());
  while (integrator.time() < 4.0) {
    ASSERT_NE(integrator.advance(4.0), Outcome::failed);
    EXPECT_TRUE(integrator.interpolate(integrator.time() - 0.3 * integrator.last_step()));
    ASSERT_NE(continued.advance(4.0), Outcome::failed);
    EXPECT_EQ(problem.current(), other.current());
    EXPECT_EQ(integrator.time(), continued.time());
  }
  EXPECT_EQ(integrator.counters().evaluations, continued.counters().evaluations);
}

TEST(FixedStep, TimeIsNeverAccumulated) {
  VectorProblem problem(1);
  problem.start(0.25, {0.0});
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 1.0;
    return true;
  };
  const double step = 1e-3;
  Integrator integrator(problem, fixed_steps(Method::rk4, step), 0.25);
  double accumulated = 0.25;
  for (int n = 1; n <= 1'000'000; ++n) {
    ASSERT_EQ(integrator.advance(2000.0), Outcome::ok);
    ASSERT_EQ(integrator.time(), 0.25 + n * step);
    accumulated += step;
  }
  EXPECT_NE(accumulated, integrator.time());
  EXPECT_EQ(integrator.counters().evaluations, 4'000'000);
}

TEST(FixedStep, ReturnsToTheGridAfterLimitsAndJumps) {
  VectorProblem problem = oscillator();
  problem.jumps = {0.3, 0.55};  // 0.3 is 3 · 0.1 but for rounding
  Integrator integrator(problem, fixed_steps(Method::rk4, 0.1), 0.0);
  std::vector<double> times;
  for (const double limit : {0.42, 0.7}) {
    while (integrator.time() < limit) {
      ASSERT_NE(integrator.advance(limit), Outcome::failed);
      times.push_back(integrator.time());
    }
  }
  EXPECT_EQ(times, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.42, 0.5, 0.55, 6 * 0.1, 0.7}));
}

TEST(FixedStep, StepLostInRoundingFails) {
  VectorProblem problem = oscillator();
  for (const double step : {1e-20, 0.0, -1.0, std::nan("")}) {
    Integrator integrator(problem, fixed_steps(Method::rk4, step), 1.0);
    EXPECT_EQ(integrator.advance(2.0), Outcome::failed) << step;
    EXPECT_EQ(integrator.failure(), Failure::step_too_small) << step;
  }
}

TEST(AdaptiveStep, ErrorFollowsTheTolerance) {
  // The error of the motion is the sum of about 100 step errors that the tolerance bounds one by one.
  constexpr double kMostErrorPerTolerance = 100.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    VectorProblem problem = oscillator();
    problem.tolerance = tolerance;
    Integrator integrator(problem, adaptive_steps(tolerance), 0.0);
    ASSERT_EQ(run(integrator, 20.0), Outcome::ok);
    EXPECT_LT(std::abs(problem.current().x[0] - std::cos(20.0)), kMostErrorPerTolerance * tolerance);
    EXPECT_LT(integrator.counters().accepted, 20.0 * std::pow(tolerance, -0.2));
  }
}

// At the end the steps of y' = -λ (y - cos t) are bounded by stability, |λ| h ≤ 3.3, not by the error: the controller
// must settle there instead of running into rejections.
TEST(AdaptiveStep, StabilityBoundWithFewRejections) {
  constexpr double kRateConstant = 1000.0;
  constexpr double kStabilityBound = 3.31;  // real axis, Dormand-Prince
  VectorProblem problem(1);
  problem.start(0.0, {0.0});
  problem.tolerance = 1e-5;
  problem.rate = [](const State& s, Values& rate) {
    rate[0] = -kRateConstant * (s.x[0] - std::cos(s.time));
    return true;
  };
  Integrator integrator(problem, adaptive_steps(1e-5), 0.0);
  ASSERT_EQ(run(integrator, 2.0), Outcome::ok);
  const Counters& counters = integrator.counters();
  EXPECT_NEAR(problem.current().x[0], std::cos(2.0), 2e-3);  // y lags behind by sin t / λ
  EXPECT_GT(counters.accepted, 2.0 * kRateConstant / kStabilityBound);
  EXPECT_LT(counters.accepted, 1.2 * 2.0 * kRateConstant / kStabilityBound);
  EXPECT_LT(counters.rejected, counters.accepted / 20);
  // One at each start, which rejected steps share, six for each try, one to choose the first step.
  EXPECT_EQ(counters.evaluations, counters.accepted + 6 * (counters.accepted + counters.rejected) + 1);
  EXPECT_EQ(counters.projections, counters.accepted);
}

TEST(AdaptiveStep, LeavesNoSliversAndKeepsTheMaximum) {
  VectorProblem problem = oscillator();
  problem.tolerance = 1e-3;
  Options options = adaptive_steps(1e-3);
  options.first_step = options.max_step = 0.1;
  Integrator integrator(problem, options, 0.0);
  while (integrator.time() < 1.01) {
    ASSERT_EQ(integrator.advance(1.01), Outcome::ok);
    EXPECT_LE(integrator.last_step(), 0.1 * (1.0 + 1e-8));
    EXPECT_GE(integrator.last_step(), 0.05);
  }
  EXPECT_EQ(integrator.counters().accepted, 11);
}

// The third evaluation fails once; the error of the shorter step is so small that it would allow ten times its length.
TEST(AdaptiveStep, DoesNotGrowRightAfterARejection) {
  VectorProblem problem = oscillator();
  problem.tolerance = 1e-6;
  problem.rate = [rate = problem.rate, calls = 0](const State& s, Values& r) mutable {
    return ++calls != 3 && rate(s, r);
  };
  Options options = adaptive_steps(1e-6);
  options.first_step = 0.01;
  Integrator integrator(problem, options, 0.0);
  ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
  EXPECT_EQ(integrator.counters().rejected, 1);
  EXPECT_LE(integrator.next_step(), integrator.last_step());
  ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
  EXPECT_GT(integrator.next_step(), 5.0 * integrator.last_step());
}

TEST(AdaptiveStep, ShortStepToALimitIsForgotten) {
  VectorProblem problem = oscillator();
  problem.tolerance = 1e-6;
  Integrator integrator(problem, adaptive_steps(1e-6), 0.0);
  ASSERT_EQ(run(integrator, 5.0), Outcome::ok);
  ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
  const double usual = integrator.last_step();
  ASSERT_EQ(run(integrator, integrator.time() + 1e-6), Outcome::ok);
  ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
  EXPECT_GT(integrator.last_step(), 0.5 * usual);
}

TEST(AdaptiveStep, SingularSolutionEndsInAClearFailure) {
  VectorProblem problem(1);
  problem.start(0.0, {1.0});
  problem.tolerance = 1e-8;
  problem.rate = [](const State& s, Values& rate) {  // y = 1 / (1 - t)
    rate[0] = s.x[0] * s.x[0];
    return true;
  };
  Integrator integrator(problem, adaptive_steps(1e-8), 0.0);
  EXPECT_EQ(run(integrator, 2.0), Outcome::failed);
  EXPECT_EQ(integrator.failure(), Failure::step_too_small);
  EXPECT_NEAR(integrator.time(), 1.0, 1e-3);
  EXPECT_EQ(problem.current().time, integrator.time());
  EXPECT_TRUE(std::isfinite(problem.current().x[0]));
  EXPECT_FALSE(integrator.interpolate(integrator.time() - 1e-12));
}

TEST_P(EachMethod, FailureOfTheProblemKeepsTheLastGoodState) {
  // x = 1 - t; evaluation or projection refuse x < 0.3.
  const auto refuse = [](bool in_projection) {
    VectorProblem problem(1);
    problem.start(0.0, {1.0});
    problem.tolerance = 1e-6;
    problem.rate = [in_projection](const State& s, Values& rate) {
      rate[0] = -1.0;
      return in_projection || s.x[0] >= 0.3;
    };
    problem.projection = [in_projection](const State& s) { return !in_projection || s.x[0] >= 0.3; };
    Options options = adaptive_steps(1e-6);
    options.method = GetParam();
    options.step = 0.02;
    Integrator integrator(problem, options, 0.0);
    EXPECT_EQ(run(integrator, 2.0), Outcome::failed);
    EXPECT_NEAR(integrator.time(), 0.7, options.step);
    EXPECT_EQ(problem.current().time, integrator.time());
    EXPECT_NEAR(problem.current().x[0], 1.0 - integrator.time(), 1e-12);
    return integrator.failure();
  };
  EXPECT_EQ(refuse(false), Failure::evaluation_failed);
  EXPECT_EQ(refuse(true), Failure::projection_failed);
}

TEST(AdaptiveStep, AtRestTheStepGrowsToTheMaximum) {
  VectorProblem problem(1);
  problem.start(0.0, {1.0});
  problem.tolerance = 1e-6;
  problem.rate = [](const State&, Values& rate) {
    rate[0] = 0.0;
    return true;
  };
  Options options = adaptive_steps(1e-6);
  options.max_step = 1.0;
  Integrator integrator(problem, options, 0.0);
  ASSERT_EQ(run(integrator, 100.0), Outcome::ok);
  EXPECT_LT(integrator.counters().accepted, 115);
}

}  // namespace
}  // namespace gelenk::integrate::integrator_test
