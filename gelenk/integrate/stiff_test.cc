#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/multistep_problems_test_support.h"

namespace gelenk::integrate::stiff_test {
namespace {

struct Result {
  VectorProblem::Values x;
  Counters counters;
};

Result solve(VectorProblem problem, Method method, double tolerance, double end) {
  problem.tolerance = tolerance;
  Options options = adaptive_steps(tolerance);
  options.method = method;
  Integrator integrator(problem, options, 0.0);
  EXPECT_EQ(run(integrator, end), Outcome::ok);
  return {problem.current().x, integrator.counters()};
}

// Digits of the CVODE examples and of the Bari test set for initial value problems.
TEST(Bdf, RobertsonAgreesWithPublishedDigits) {
  constexpr double kMostErrorPerTolerance = 10.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Result result = solve(robertson(), Method::bdf, tolerance, 40.0);
    const double most = kMostErrorPerTolerance * tolerance;
    EXPECT_NEAR(result.x[0] / 0.7158270687, 1.0, most);
    EXPECT_NEAR(result.x[1] / 9.185534764e-6, 1.0, most);
    EXPECT_NEAR(result.x[2] / 0.2841637457, 1.0, most);
  }
  EXPECT_LT(solve(robertson(), Method::bdf, 1e-6, 40.0).counters.accepted, 400);
}

// To a time at which a method whose steps are bounded by stability would have needed 10¹⁴ of them.
TEST(Bdf, RobertsonForALongTime) {
  const Result result = solve(robertson(), Method::bdf, 1e-7, 1e11);
  EXPECT_NEAR(result.x[0] / 0.2083340149701255e-7, 1.0, 1e-2);
  EXPECT_NEAR(result.x[2], 1.0, 1e-6);
  EXPECT_LT(result.counters.accepted, 2000);
}

// Hairer and Wanner, Solving ODEs II: y(2) for μ = 10⁶.
TEST(Bdf, VanDerPolAgreesWithPublishedDigits) {
  for (const double tolerance : {1e-6, 1e-8}) {
    const Result result = solve(van_der_pol(1e6), Method::bdf, tolerance, 2.0);
    EXPECT_NEAR(result.x[0], 1.706167732170483, 30.0 * tolerance);
    EXPECT_NEAR(result.x[1], -0.8928097010247975, 30.0 * tolerance);
  }
}

TEST(Bdf, StepsDoNotDependOnTheStiffness) {
  std::int64_t fewest = 1'000'000, most = 0;
  for (const double lambda : {1e1, 1e3, 1e5, 1e7, 1e9}) {
    const Result result = solve(follower(lambda), Method::bdf, 1e-6, 10.0);
    EXPECT_NEAR(result.x[0], std::cos(10.0), 1e-5);
    fewest = std::min(fewest, result.counters.accepted);
    most = std::max(most, result.counters.accepted);
  }
  EXPECT_LT(static_cast<double>(most), 2.5 * static_cast<double>(fewest));
  EXPECT_LT(most, 300);
  // The same with steps that are bounded by stability, |λ| h < 3.3
  EXPECT_GT(solve(follower(1e3), Method::dopri5, 1e-6, 10.0).counters.accepted, 3000);
}

TEST(Bdf, KeepsItsFactors) {
  const Result result = solve(van_der_pol(1e3), Method::bdf, 1e-6, 2.0);
  EXPECT_LT(4 * result.counters.newton_factorizations, result.counters.accepted);
  EXPECT_LT(result.counters.newton_iterations, 2 * result.counters.accepted);
  EXPECT_GE(result.counters.evaluations, result.counters.newton_iterations);
}

// A matrix that is wrong by far after a jump of the stiffness: made anew before the step is given up.
TEST(Bdf, StaleFactorsAreMadeAnew) {
  VectorProblem problem = follower(1.0);
  problem.rate = [](const VectorProblem::State& s, VectorProblem::Values& rate) {
    const double lambda = s.time < 5.0 ? 1.0 : 1e6;
    rate[0] = -lambda * (s.x[0] - std::cos(s.time)) - std::sin(s.time);
    return true;
  };
  const Result smooth = solve(follower(1.0), Method::bdf, 1e-6, 10.0);
  const Result result = solve(problem, Method::bdf, 1e-6, 10.0);
  EXPECT_NEAR(result.x[0], std::cos(10.0), 1e-6);
  EXPECT_LE(result.counters.rejected, smooth.counters.rejected + 5);
}

}  // namespace
}  // namespace gelenk::integrate::stiff_test
