// Switches that open for less than a step are found between the places where events are searched for.
#include "gelenk/system/switch_dips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/analysis/simulate.h"
#include "tests/support/pushed_part.h"
#include "tests/support/run_text.h"

namespace gelenk::switch_dips_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;
using integrate::Method;
using test::assemble_text;
using test::Assembled;
using test::pushed_by_formula;

RunResult run(const std::string& text, Method method) {
  RunOptions options;
  options.method = method;
  options.duration = 3.0;
  options.output_every = 0.5;
  options.tolerance = 1e-6;
  options.step = 1e-2;
  const Assembled model = assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  if (!model.is_ready()) return {};
  return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {});
}

// What the tolerance leaves in a hundred windows, as part of what they do.
struct Accuracy {
  Method method;
  double error;
};
constexpr Accuracy kMethods[] = {
    {Method::rk4, 2e-3}, {Method::dopri5, 2e-3}, {Method::adams, 2e-2}, {Method::bdf, 1e-2}, {Method::cvode, 8e-2}};

void expect_end_speed(const char* force, double speed) {
  for (const auto& [method, error] : kMethods) {
    const RunResult result = run(pushed_by_formula(force), method);
    EXPECT_EQ(result.status, results::RunStatus::done) << force << ", method " << static_cast<int>(method);
    EXPECT_NEAR(result.end_state.velocity[0], speed, error * (speed - 1.0))
        << force << ", method " << static_cast<int>(method);
  }
}

constexpr double kLimit = 0.9999;
const double kHalf = std::acos(kLimit);  // of a window, rad
// Integrals over a window from the middle on.
const double kOfPulse = std::sin(kHalf) - kLimit * kHalf;

// Every 31.4 mm a window of 0.14 mm, passed at some 1 m/s with steps of up to 0.5 s.
TEST(SwitchDips, OnTheWay) {
  const struct {
    const char* force;
    double work;  // of half a window
  } laws[] = {
      {"4e4 N*max(0, cos(p.position.x*(200/1 m)) - 0.9999)", 4e4 * kOfPulse / 200.0},
      {"-4e4 N*min(0, 0.9999 - cos(p.position.x*(200/1 m)))", 4e4 * kOfPulse / 200.0},
      {"2 N*if(cos(p.position.x*(200/1 m)) > 0.9999, 1, 0)", 2.0 * kHalf / 200.0},
  };
  for (const auto& law : laws) {
    // From window to window at an even speed; the run starts in the middle of one.
    double square = 1.0 + 2.0 * law.work, time = 0.0;
    for (;;) {
      time += 2.0 * std::numbers::pi / 200.0 / std::sqrt(square);
      if (time > 3.0) break;
      square += 4.0 * law.work;
    }
    ASSERT_GT(square, 1.05);
    expect_end_speed(law.force, std::sqrt(square));
  }
}

TEST(SwitchDips, InTime) {
  const struct {
    const char* force;
    double impulse;  // of half a window
  } laws[] = {
      {"4e4 N*max(0, cos(time*(200/(1 s))) - 0.9999)", 4e4 * kOfPulse / 200.0},
      {"2 N*if(cos(time*(200/(1 s))) > 0.9999, 1, 0)", 2.0 * kHalf / 200.0},
  };
  const double windows = std::floor(3.0 / (2.0 * std::numbers::pi / 200.0));
  for (const auto& law : laws) {
    const double gain = (1.0 + 2.0 * windows) * law.impulse;
    ASSERT_GT(gain, 0.02);
    expect_end_speed(law.force, 1.0 + gain);
  }
}

// Methods that evaluate at the ends of a step alone find zero at both ends of a window: the windows are found, but
// steps that cannot be shorter do not see what is in them. The same where the ends are known before.
TEST(SwitchDips, WhatIsBetweenTheEndsOfAStepIsReported) {
  RunOptions options;
  options.method = Method::generalized_alpha;
  options.duration = 0.04;
  options.output_every = 0.02;
  const std::string half_sine =
      pushed_by_formula("if(time > 10 ms and time < 11 ms, 1000 N*sin((time - 10 ms)*pi/(1 ms)), 0 N)");
  for (const std::string& text : {half_sine, pushed_by_formula("4e4 N*max(0, cos(time*(200/(1 s))) - 0.9999)")}) {
    const Assembled model = assemble_text(text);
    ASSERT_TRUE(model.is_ready()) << model.messages();
    options.step = 1e-3;
    EXPECT_NE(analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {}).hidden_law, "");
    options.step = 1e-5;
    EXPECT_EQ(analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {}).hidden_law, "");
  }
}

// An iteration that does not converge is not a number that is not finite.
TEST(SwitchDips, AStepThatCannotBeSolvedSaysSo) {
  const RunResult result =
      run(pushed_by_formula("4e4 N*max(0, cos(p.position.x*(200/1 m)) - 0.9999)"), Method::generalized_alpha);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, Code::not_solvable);
  EXPECT_NE(result.failure->message.find("could not be solved at 2.66 s"), std::string::npos)
      << result.failure->message;
}

// A slack near zero whose bounds say little is not followed to the end of a long step: methods that choose their steps
// shorten them, the others report the formula.
TEST(SwitchDips, SlacksThatAreNotFollowedAreReportedOrHaveShorterSteps) {
  const std::string never =
      pushed_by_formula("1 N*max(0, cos(p.position.x*(100/1 m))^2 + sin(p.position.x*(100/1 m))^2 - 1.0001)");
  RunOptions options;
  options.duration = 0.1;
  options.output_every = 0.1;
  options.step = 0.1;
  const auto simulated = [&](const std::string& text, Method method) {
    options.method = method;
    const Assembled model = assemble_text(text);
    EXPECT_TRUE(model.is_ready()) << model.messages();
    return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {});
  };
  EXPECT_NE(simulated(never, Method::rk4).hidden_law, "");
  const RunResult followed = simulated(never, Method::dopri5);
  EXPECT_EQ(followed.hidden_law, "");
  EXPECT_EQ(followed.end_state.velocity[0], 1.0);
  EXPECT_LT(followed.largest_step, 0.02);
}

// Stops, dead bands and all else whose slack is as simple as the motion cost nothing.
TEST(SwitchDips, SimpleSlacksAreNotLookedAt) {
  for (const char* force : {"-3 (N/m)*max(0 m, p.position.x - 1 m)", "if(p.velocity.x > 1 (m/s), 2 N, -1 N)",
                            "2 N*sign(sin(time*(1/(1 s))) + 0*p.position.x/(1 m))"}) {
    const Assembled model = assemble_text(pushed_by_formula(force));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    const bool is_simple = system::SwitchDips(*model.system, model.params).arguments().empty();
    EXPECT_EQ(is_simple, std::string(force).find("sin") == std::string::npos) << force;
  }
}

}  // namespace
}  // namespace gelenk::switch_dips_test
