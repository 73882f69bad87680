#include "gelenk/integrate/nordsieck.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/integrate/multistep_problems_test_support.h"
#include "gelenk/integrate/vector_problem_test_support.h"

namespace gelenk::integrate::nordsieck_test {
namespace {

using State = VectorProblem::State;
using Values = VectorProblem::Values;

class EachMultistep : public testing::TestWithParam<Method> {
 protected:
  static Options options(double tolerance) {
    Options options = adaptive_steps(tolerance);
    options.method = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(All, EachMultistep, testing::Values(Method::adams, Method::bdf), method_name);

// Largest error, at ends of steps and between them, of equal steps with one order, after a start that is as good as
// rounding allows.
template <class Error>
double largest_error(VectorProblem& problem, Multistep method, int order, double step, const Error& error) {
  Steps steps(problem, method, 1e-14, order);
  // The order is reached after some steps; after as many again, nothing is left of lower ones.
  for (int at_order = 0; at_order <= 2 * order; at_order += steps.stepper().order() == order ? 1 : 0)
    steps.advance(0.05);
  problem.tolerance = kInfinity;
  double worst = 0.0;
  for (const double end = steps.time() + 4.0; steps.time() < end;) {
    steps.advance(step);
    steps.stepper().interpolate(steps.time() - 0.4 * step, Stepper::kOutputState);
    worst = std::max({worst, error(problem.current()), error(problem.output())});
  }
  return worst;
}

double circle_error(const State& s) { return std::hypot(s.x[0] - std::cos(s.time), s.x[1] - std::sin(s.time)); }

// Observed over one halving of steps that are long enough for errors above rounding.
constexpr double kOrderTolerance = 0.35;

double observed_order_on_circle(Multistep method, int order, double step, VectorProblem (*make)()) {
  const auto error = [&](double h) {
    VectorProblem problem = make();
    return largest_error(problem, method, order, h, circle_error);
  };
  return observed_order(error(step), error(0.5 * step));
}

// Steps whose errors are well above rounding.
double usual_step(int order) { return order <= 4 ? 1.0 / 64 : order <= 6 ? 1.0 / 16 : 1.0 / 12; }

// S2-26: Adams and BDF; Runge-Kutta is in integrator_test.cc.
TEST(Adams, ConvergesWithEachOrder) {
  for (int order = 1; order <= 8; ++order) {
    const double step = usual_step(order);
    EXPECT_NEAR(observed_order_on_circle(Multistep::adams, order, step, nonlinear_circle), order, kOrderTolerance)
        << order;
  }
}

TEST(Bdf, ConvergesWithEachOrder) {
  for (int order = 1; order <= 5; ++order) {
    EXPECT_NEAR(observed_order_on_circle(Multistep::bdf, order, 1.0 / 64, nonlinear_circle), order, kOrderTolerance)
        << order;
  }
}

// A point on the unit circle whose forces hold it there for accelerations only; projected at both levels.
// S2-26: as closed loops need it.
TEST(Adams, ProjectionKeepsTheOrder) {
  for (int order = 2; order <= 7; ++order) {
    const double step = usual_step(order);
    EXPECT_GT(observed_order_on_circle(Multistep::adams, order, step, projected_circle), order - kOrderTolerance)
        << order;
  }
}

TEST(Bdf, ProjectionKeepsTheOrder) {
  for (int order = 1; order <= 5; ++order) {
    EXPECT_GT(observed_order_on_circle(Multistep::bdf, order, 1.0 / 64, projected_circle), order - kOrderTolerance)
        << order;
  }
}

TEST_P(EachMultistep, ProjectionKeepsTheConstraints) {
  constexpr double kRounding = 1e-15;
  VectorProblem problem = projected_circle();
  problem.tolerance = 1e-8;
  Integrator integrator(problem, options(1e-8), 0.0);
  while (integrator.time() < 20.0) {
    ASSERT_EQ(integrator.advance(20.0), Outcome::ok);
    ASSERT_TRUE(integrator.interpolate(integrator.time() - 0.4 * integrator.last_step()));
    for (const State& s : {problem.current(), problem.output()}) {
      ASSERT_LT(std::abs(std::hypot(s.x[0], s.x[1]) - 1.0), kRounding);
      ASSERT_LT(std::abs(s.x[0] * s.x[2] + s.x[1] * s.x[3]), kRounding);
    }
  }
  // Errors of the speed add up to the angle over 20 s.
  EXPECT_LT(circle_error(problem.current()), 1000.0 * 1e-8);
}

// The error of the motion is the sum of the errors of 50 to 200 steps, of which each may be a twentieth of the
// tolerance.
TEST(Adams, ErrorFollowsTheTolerance) {
  constexpr double kMostErrorPerTolerance = 30.0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    VectorProblem problem = linear_circle();
    problem.tolerance = tolerance;
    Options options = adaptive_steps(tolerance);
    options.method = Method::adams;
    Integrator integrator(problem, options, 0.0);
    ASSERT_EQ(run(integrator, 10.0), Outcome::ok);
    EXPECT_LT(circle_error(problem.current()), kMostErrorPerTolerance * tolerance);
    EXPECT_LT(integrator.counters().evaluations, 1000);
  }
}

TEST(Bdf, ErrorFollowsTheTolerance) {
  constexpr double kMostErrorPerTolerance = 30.0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    VectorProblem problem = follower(2.0);
    problem.tolerance = tolerance;
    Options options = adaptive_steps(tolerance);
    options.method = Method::bdf;
    Integrator integrator(problem, options, 0.0);
    ASSERT_EQ(run(integrator, 10.0), Outcome::ok);
    EXPECT_LT(std::abs(problem.current().x[0] - std::cos(10.0)), kMostErrorPerTolerance * tolerance);
  }
}

TEST(Adams, NeedsFarFewerEvaluationsThanDormandPrinceOnSmoothOrbits) {
  const auto evaluations = [](Method method, double& error) {
    VectorProblem problem = orbit();
    problem.tolerance = 1e-10;
    Options options = adaptive_steps(1e-10);
    options.method = method;
    Integrator integrator(problem, options, 0.0);
    EXPECT_EQ(run(integrator, 3 * 2.0 * std::numbers::pi), Outcome::ok);
    error = orbit_error(problem.current());
    return integrator.counters().evaluations;
  };
  double adams_error = 0.0, error = 0.0;
  const std::int64_t adams = evaluations(Method::adams, adams_error);
  EXPECT_LT(3 * adams, evaluations(Method::dopri5, error));
  EXPECT_LT(adams_error, 10.0 * error);
}

TEST(Adams, UsesHighOrdersForTightTolerances) {
  VectorProblem problem = orbit();
  problem.tolerance = 1e-12;
  Options options = adaptive_steps(1e-12);
  options.method = Method::adams;
  Integrator integrator(problem, options, 0.0);
  int highest = 0;
  while (integrator.time() < 10.0) {
    ASSERT_EQ(integrator.advance(10.0), Outcome::ok);
    highest = std::max(highest, integrator.order());
  }
  EXPECT_GE(highest, 10);
  EXPECT_LE(highest, kMaxAdamsOrder);
}

// Limits that cut steps to a thousandth, again and again, cost the short steps and nothing else.
TEST_P(EachMultistep, ShortStepsToLimitsLeaveNoTrace) {
  VectorProblem problem = orbit();
  problem.tolerance = 1e-8;
  Integrator integrator(problem, options(1e-8), 0.0);
  ASSERT_EQ(run(integrator, 6.0), Outcome::ok);
  const std::int64_t undisturbed = integrator.counters().accepted + integrator.counters().rejected;

  VectorProblem other = orbit();
  other.tolerance = 1e-8;
  Integrator disturbed(other, options(1e-8), 0.0);
  std::int64_t short_steps = 0;
  while (disturbed.time() < 6.0) {
    ASSERT_EQ(disturbed.advance(6.0), Outcome::ok);
    if (disturbed.time() == 6.0) break;
    ASSERT_EQ(run(disturbed, disturbed.time() + 1e-3 * disturbed.last_step()), Outcome::ok);
    ++short_steps;
  }
  const std::int64_t all = disturbed.counters().accepted + disturbed.counters().rejected;
  EXPECT_LT(static_cast<double>(all - short_steps), 1.1 * static_cast<double>(undisturbed));
  EXPECT_LT(std::hypot(problem.current().x[0] - other.current().x[0], problem.current().x[1] - other.current().x[1]),
            1e-5);
}

// A force that jumps without notice: rejected steps, a start anew with order 1, and the right motion.
TEST_P(EachMultistep, PassesAJumpThatNobodyAnnounced) {
  constexpr double kJump = 1.2345;
  VectorProblem problem(2);
  problem.start(0.0, {1.0, 0.0});
  problem.tolerance = 1e-8;
  problem.rate = [](const State& s, Values& rate) {
    rate = {s.x[1], -s.x[0] + (s.time >= kJump ? 5.0 : 0.0)};
    return true;
  };
  Integrator integrator(problem, options(1e-8), 0.0);
  int lowest = kMaxAdamsOrder;
  while (integrator.time() < 4.0) {
    ASSERT_EQ(integrator.advance(4.0), Outcome::ok);
    if (integrator.time() > 1.0) lowest = std::min(lowest, integrator.order());
  }
  EXPECT_LE(lowest, 2);
  EXPECT_GT(integrator.counters().rejected, 2);
  EXPECT_LT(integrator.counters().rejected, 30);
  const double truth = std::cos(4.0) + 5.0 * (1.0 - std::cos(4.0 - kJump));
  EXPECT_NEAR(problem.current().x[0], truth, 1e-6);
}

// Saved after every step and continued from there, with all that happens on the way: changes of order, kept factors,
// short steps to limits.
TEST_P(EachMultistep, ContinuesBitForBitFromEveryStep) {
  constexpr int kSteps = 150;
  constexpr int kContinued = 30;
  const auto limit = [](const Integrator& integrator, int step) {
    return step % 7 == 3 ? integrator.time() + 1e-5 : 100.0;
  };
  VectorProblem problem = orbit();
  problem.tolerance = 1e-6;
  VectorProblem other = problem;
  Integrator integrator(problem, options(1e-6), 0.0);
  std::vector<State> states;
  std::vector<std::string> memories;
  for (int step = 0; step < kSteps; ++step) {
    ASSERT_EQ(integrator.advance(limit(integrator, step)), Outcome::ok);
    ByteWriter saved;
    integrator.save(saved);
    states.push_back(problem.current());
    memories.push_back(saved.bytes());
  }
  Integrator continued(other, options(1e-6), 0.0);
  for (int start = 0; start + kContinued < kSteps; ++start) {
    ByteReader reader(memories[static_cast<std::size_t>(start)]);
    continued.load(reader);
    ASSERT_TRUE(reader.is_complete());
    for (int step = start + 1; step <= start + kContinued; ++step) {
      ASSERT_EQ(continued.advance(limit(continued, step)), Outcome::ok);
      ASSERT_EQ(other.current(), states[static_cast<std::size_t>(step)]) << start << " " << step;
      ByteWriter again;
      continued.save(again);
      ASSERT_EQ(again.bytes(), memories[static_cast<std::size_t>(step)]);
    }
  }
}

TEST_P(EachMultistep, DamagedMemoryIsRefused) {
  VectorProblem problem = orbit();
  problem.tolerance = 1e-6;
  Integrator integrator(problem, options(1e-6), 0.0);
  ASSERT_EQ(run(integrator, 1.0), Outcome::ok);
  ByteWriter saved;
  integrator.save(saved);
  for (std::size_t size = 0; size < saved.bytes().size(); size += 7) {
    ByteReader reader(std::string_view(saved.bytes()).substr(0, size));
    integrator.load(reader);
    EXPECT_FALSE(reader.is_complete());
  }
  // Any byte may have any value: the numbers may be wrong, slots and orders must exist.
  for (std::size_t i = 0; i < saved.bytes().size(); ++i) {
    std::string damaged = saved.bytes();
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5A);
    ByteReader reader(damaged);
    integrator.load(reader);
    EXPECT_GE(integrator.order(), 1);
    EXPECT_LE(integrator.order(), kMaxAdamsOrder);
  }
}

}  // namespace
}  // namespace gelenk::integrate::nordsieck_test
