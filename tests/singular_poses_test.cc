// Singular poses inside steps are reported by every method, at the same times, and cost nothing; a start on one says
// where the machine went.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gelenk/analysis/simulate.h"
#include "tests/support/run_text.h"

namespace gelenk::singular_poses_test {
namespace {

using analysis::RankChange;
using analysis::RunOptions;
using analysis::RunResult;
using integrate::Method;
using testing::HasSubstr;

// Bars that swing over; at x the coupler points up, at z all lie flat.
std::string parallelogram(double x, double z, const std::string& start) {
  const auto at = [](double first, double third) {
    return "[" + std::to_string(first) + ", 0, " + std::to_string(third) + "]";
  };
  const std::string bar = ", mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}\n";
  const std::string between = ", axis: y";
  return "parts:\n  a: {at: " + at(0.5 * x, 0.5 * z) + bar + "  b: {at: " + at(1.0 + 0.5 * x, 0.5 * z) + bar +
         "  c: {at: " + at(0.5 + x, z) + bar + "joints:\n  A: {type: revolute, between: [ground, a], at: [0, 0, 0]" +
         between + start + "}\n  B: {type: revolute, between: [ground, b], at: [1, 0, 0]" + between +
         "}\n  C: {type: revolute, between: [a, c], at: " + at(x, z) + between +
         "}\n  D: {type: revolute, between: [b, c], at: " + at(1.0 + x, z) + between + "}\n";
}

RunOptions options(Method method, double step) {
  RunOptions result;
  result.method = method;
  result.step = step;
  result.tolerance = 1e-8;
  result.duration = 3.0;
  result.output_every = 3.0;
  return result;
}

RunResult run(const test::Assembled& model, const RunOptions& run_options) {
  return analysis::simulate(*model.system, model.params, *model.assembly, run_options, nullptr, {});
}

TEST(SingularPoses, AllMethodsPassAndTellThem) {
  const test::Assembled model = test::assemble_text(parallelogram(0.0, 0.5, ", start: {rate: 3}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult reference = run(model, options(Method::dopri5, 0.0));
  const std::vector<RankChange>& passed = reference.statistics.rank_history;
  ASSERT_GE(passed.size(), 4u);
  std::vector<RunOptions> all = {options(Method::adams, 0.0), options(Method::bdf, 0.0), options(Method::cvode, 0.0),
                                 options(Method::generalized_alpha, 1e-3), options(Method::dopri5, 0.0)};
  all.back().partition = analysis::Partitioning::none;
  for (const double step : {0.8e-3, 1.3e-3, 1.7e-3, 5e-3, 20e-3}) all.push_back(options(Method::rk4, step));
  for (const RunOptions& one : all) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(one.method) << ", step " << one.step);
    const RunResult result = run(model, one);
    EXPECT_EQ(result.status, results::RunStatus::done);
    const std::vector<RankChange>& reported = result.statistics.rank_history;
    ASSERT_EQ(reported.size(), passed.size());
    for (std::size_t i = 0; i < reported.size(); ++i) {
      EXPECT_TRUE(reported[i].is_passed());
      EXPECT_EQ(reported[i].before - reported[i].after, 1);
      EXPECT_NEAR(reported[i].time, passed[i].time, 5e-3) << i;
    }
    const double before = result.start_energy.kinetic + result.start_energy.potential;
    const double after = result.end_energy.kinetic + result.end_energy.potential;
    const bool is_short = one.method == Method::rk4 && one.step < 2e-3;
    EXPECT_NEAR(after, before, std::abs(before) * (is_short ? 1e-7 : 1e-3));
  }
}

TEST(SingularPoses, AStartOnOneSaysWhereItWent) {
  const test::Assembled at_rest = test::assemble_text(parallelogram(0.5, 0.0, ""));
  ASSERT_TRUE(at_rest.is_ready()) << at_rest.messages();
  const RunResult fallen = run(at_rest, options(Method::dopri5, 0.0));
  EXPECT_THAT(fallen.branch, HasSubstr("the forces on the machine at rest led to this one: "));
  EXPECT_THAT(fallen.branch, HasSubstr("A.angle +"));
  ASSERT_FALSE(fallen.statistics.rank_history.empty());
  EXPECT_FALSE(fallen.statistics.rank_history.front().is_passed());

  const test::Assembled pushed = test::assemble_text(parallelogram(0.5, 0.0, ", start: {rate: -2}"));
  ASSERT_TRUE(pushed.is_ready()) << pushed.messages();
  EXPECT_THAT(run(pushed, options(Method::dopri5, 0.0)).branch,
              HasSubstr("the velocities at the start led to this one: "));

  const test::Assembled upright = test::assemble_text(parallelogram(0.0, 0.5, ", start: {rate: 3}"));
  EXPECT_EQ(run(upright, options(Method::dopri5, 0.0)).branch, "");
}

}  // namespace
}  // namespace gelenk::singular_poses_test
