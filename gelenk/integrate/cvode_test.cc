#include "gelenk/integrate/cvode_stepper.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "gelenk/integrate/integrator.h"
#include "gelenk/integrate/multistep_problems_test_support.h"

namespace gelenk::integrate::cvode_test {
namespace {

using State = VectorProblem::State;

Options with(Method method, double tolerance) {
  Options options = adaptive_steps(tolerance);
  options.method = method;
  return options;
}

struct Scene {
  const char* name;
  VectorProblem problem;
  double end;
  std::function<double(const State&)> error;
};

std::vector<Scene> scenes() {
  return {
      {"oscillator", linear_circle(), 10.0, [](const State& s) { return std::abs(s.x[0] - std::cos(s.time)); }},
      {"follower, 1e6", follower(1e6), 10.0, [](const State& s) { return std::abs(s.x[0] - std::cos(s.time)); }},
      {"Robertson", robertson(), 40.0, [](const State& s) { return std::abs(s.x[0] / 0.7158270687 - 1.0); }},
      {"van der Pol, 1e6", van_der_pol(1e6), 2.0, [](const State& s) { return std::abs(s.x[0] - 1.706167732170483); }},
      {"circle, projected", projected_circle(), 10.0,
       [](const State& s) { return std::abs(s.x[0] - std::cos(s.time)); }},
  };
}

// Two independent implementations of the same family on the same problems: comparable steps, comparable errors.
TEST(Cvode, AgreesWithOurOwnBdf) {
  constexpr double kMostRatioOfSteps = 2.5;
  constexpr double kMostErrorPerTolerance = 100.0;
  std::printf("%-20s %8s | %6s %6s %6s %6s %9s | %6s %6s %6s %6s %9s\n", "", "tol", "steps", "reject", "rates",
              "factor", "err/tol", "steps", "reject", "rates", "factor", "err/tol");
  for (const Scene& scene : scenes()) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      std::array<double, 2> steps{}, errors{};
      std::printf("%-20s %8.0e", scene.name, tolerance);
      for (const Method method : {Method::bdf, Method::cvode}) {
        VectorProblem problem = scene.problem;
        problem.tolerance = tolerance;
        Integrator integrator(problem, with(method, tolerance), 0.0);
        ASSERT_EQ(run(integrator, scene.end), Outcome::ok);
        const Counters& c = integrator.counters();
        const std::size_t i = method == Method::bdf ? 0 : 1;
        steps[i] = static_cast<double>(c.accepted);
        errors[i] = scene.error(problem.current());
        std::printf(" | %6lld %6lld %6lld %6lld %9.2f", static_cast<long long>(c.accepted),
                    static_cast<long long>(c.rejected), static_cast<long long>(c.evaluations),
                    static_cast<long long>(c.newton_factorizations), errors[i] / tolerance);
      }
      std::printf("\n");
      EXPECT_LT(steps[0], kMostRatioOfSteps * steps[1]) << scene.name;
      EXPECT_LT(steps[1], kMostRatioOfSteps * steps[0]) << scene.name;
      for (const double error : errors) EXPECT_LT(error, kMostErrorPerTolerance * tolerance) << scene.name;
    }
  }
}

TEST(Cvode, ProjectsInsideItsSteps) {
  constexpr double kRounding = 1e-15;
  VectorProblem problem = projected_circle();
  problem.tolerance = 1e-7;
  int projections = 0;
  problem.projection = [project = problem.projection, &projections](State& s) {
    ++projections;
    return project(s);
  };
  Integrator integrator(problem, with(Method::cvode, 1e-7), 0.0);
  while (integrator.time() < 20.0) {
    ASSERT_EQ(integrator.advance(20.0), Outcome::ok);
    ASSERT_LT(std::abs(std::hypot(problem.current().x[0], problem.current().x[1]) - 1.0), kRounding);
  }
  EXPECT_GE(projections, 2 * integrator.counters().accepted);
}

// It cannot save its history: a checkpoint is a start anew for the run that goes on, too.
TEST(Cvode, RunWithCheckpointsIsTheSameWhetherContinuedOrNot) {
  VectorProblem problem = van_der_pol(1e3);
  problem.tolerance = 1e-6;
  VectorProblem other = problem;
  Integrator integrator(problem, with(Method::cvode, 1e-6), 0.0);
  EXPECT_FALSE(integrator.is_exactly_restartable());
  ASSERT_EQ(run(integrator, 0.5), Outcome::ok);
  ByteWriter saved;
  integrator.save(saved);
  Integrator continued(other, with(Method::cvode, 1e-6), 0.0);
  ByteReader reader(saved.bytes());
  continued.load(reader);
  ASSERT_TRUE(reader.is_complete());
  while (integrator.time() < 2.0) {
    ASSERT_EQ(integrator.advance(2.0), Outcome::ok);
    ASSERT_EQ(continued.advance(2.0), Outcome::ok);
    ASSERT_EQ(problem.current(), other.current());
  }
}

TEST(Cvode, KeepsTheLargestStep) {
  VectorProblem problem = linear_circle();
  problem.tolerance = 1e-3;
  Options options = with(Method::cvode, 1e-3);
  options.max_step = 0.02;
  options.first_step = 0.01;
  Integrator integrator(problem, options, 0.0);
  ASSERT_EQ(integrator.advance(3.0), Outcome::ok);
  EXPECT_EQ(integrator.last_step(), 0.01);
  while (integrator.time() < 3.0) {
    ASSERT_EQ(integrator.advance(3.0), Outcome::ok);
    ASSERT_LE(integrator.last_step(), 0.02 * (1.0 + 1e-12));
  }
}

TEST(Cvode, SingularSolutionEndsInAClearFailure) {
  VectorProblem problem(1);
  problem.start(0.0, {1.0});
  problem.tolerance = 1e-8;
  problem.rate = [](const State& s, VectorProblem::Values& rate) {  // y = 1 / (1 - t)
    rate[0] = s.x[0] * s.x[0];
    return true;
  };
  Integrator integrator(problem, with(Method::cvode, 1e-8), 0.0);
  EXPECT_EQ(run(integrator, 2.0), Outcome::failed);
  EXPECT_NE(integrator.failure(), Failure::none);
  EXPECT_NEAR(integrator.time(), 1.0, 1e-3);
  EXPECT_EQ(problem.current().time, integrator.time());
}

}  // namespace
}  // namespace gelenk::integrate::cvode_test
