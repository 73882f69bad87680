// What laws of time do between the stages of a step is not passed over, and what the books say does not depend on rows.
#include "gelenk/system/time_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/analysis/certify.h"
#include "gelenk/analysis/simulate.h"
#include "tests/support/pushed_part.h"
#include "tests/support/run_text.h"

namespace gelenk::time_laws_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;
using integrate::Method;
using test::assemble_text;
using test::Assembled;
using test::pushed_by_formula;

RunOptions options(Method method, double duration, double output_every) {
  RunOptions result;
  result.method = method;
  result.duration = duration;
  result.output_every = output_every;
  result.tolerance = 1e-6;
  result.step = 1e-2;
  return result;
}

RunResult run(const Assembled& model, const RunOptions& run_options) {
  EXPECT_TRUE(model.is_ready()) << model.messages();
  if (!model.is_ready()) return {};
  return analysis::simulate(*model.system, model.params, *model.assembly, run_options, nullptr, {});
}

double end_velocity(const RunResult& result) { return result.end_state.velocity[0]; }

TEST(TimeLaws, ShortPulsesAreNotJumpedOver) {
  const double impulse = 500.0 * 1e-3 * std::sqrt(std::numbers::pi);
  const struct {
    const char* force;
    double impulse;
  } pulses[] = {
      {"500 N*exp(-((time - 1.3 s)/1 ms)^2)", impulse},
      {"500 N*exp(-((time - 1.3 s)/1 ms)^2) + 50 N*exp(-((time - 2.7 s)/10 us)^2)", impulse + impulse * 1e-3},
      {"100 N/cosh((time - 2 s)/2 ms)", 100.0 * 2e-3 * std::numbers::pi},
      {"2 kN*max(0, 1 - ((time - 0.7 s)/1 ms)^2)", 2000.0 * 1e-3 * 4.0 / 3.0},
      {"300 N*(sin(pi*(time - 1 s)/3 ms)*step(time - 1 s)*step(1.003 s - time))",
       300.0 * 3e-3 * 2.0 / std::numbers::pi},
  };
  for (const auto& pulse : pulses) {
    const Assembled model = assemble_text(pushed_by_formula(pulse.force));
    for (const Method method : {Method::dopri5, Method::adams, Method::bdf, Method::cvode}) {
      const RunResult result = run(model, options(method, 3.0, 0.5));
      // Multistep methods begin anew at each pulse, and their errors add up over more steps.
      const double relative = method == Method::dopri5 ? 1e-4 : 1e-3;
      EXPECT_NEAR(end_velocity(result), 1.0 + pulse.impulse, relative * pulse.impulse)
          << pulse.force << ", method " << static_cast<int>(method);
      EXPECT_GE(result.time_laws, 1u);
    }
  }
}

TEST(TimeLaws, CostLittleWhereNothingHappens) {
  const RunResult pulse =
      run(assemble_text(pushed_by_formula("500 N*exp(-((time - 1.3 s)/1 ms)^2)")), options(Method::dopri5, 3.0, 0.5));
  EXPECT_LT(pulse.counters.accepted, 150);
  const RunResult wave =
      run(assemble_text(pushed_by_formula("5 N*sin(2 (rad/s)*time)")), options(Method::dopri5, 3.0, 0.5));
  EXPECT_LT(wave.counters.accepted, 60);
  EXPECT_NEAR(end_velocity(wave), 1.0 + 2.5 * (1.0 - std::cos(6.0)), 1e-5);
}

TEST(TimeLaws, StraightLinesAndKnownJumpsAreNotLookedFor) {
  for (const char* force : {"3 N", "2 (N/s)*time", "5 N*step(time - 1 s)", "if(time < 1.5 s, 2 N, -1 N)"}) {
    const RunResult result = run(assemble_text(pushed_by_formula(force)), options(Method::dopri5, 3.0, 0.5));
    EXPECT_EQ(result.time_laws, 0u) << force;
  }
}

// Beside a jump or a kink that is known, steps need not become small.
TEST(TimeLaws, KnownKinksDoNotShortenSteps) {
  const RunResult result = run(assemble_text(pushed_by_formula("5 (N/s)*abs(time - 1 s)*exp(-time/(2 s))")),
                               options(Method::dopri5, 3.0, 0.5));
  EXPECT_EQ(result.time_laws, 1u);
  EXPECT_LT(result.counters.accepted, 80);
}

TEST(TimeLaws, FixedStepsThatAreTooLongAreTold) {
  const Assembled model = assemble_text(pushed_by_formula("500 N*exp(-((time - 1.3 s)/1 ms)^2)"));
  const RunResult coarse = run(model, options(Method::rk4, 3.0, 0.5));
  EXPECT_THAT(coarse.hidden_law, testing::HasSubstr("'kick'"));
  RunOptions fine = options(Method::rk4, 3.0, 0.5);
  fine.step = 1e-4;
  EXPECT_EQ(run(model, fine).hidden_law, "");
}

TEST(Books, AreKeptOnStepsNotOnRows) {
  const Assembled model = assemble_text(R"yaml(
parts:
  a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.001, yy: 0.09, zz: 0.09}, frames: {tip: [1, 0, 0]}}
  b: {at: a.tip, mass: 1, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.001, yy: 0.09, zz: 0.09}}
joints:
  A: {type: revolute, between: [ground, a], axis: y, limits: {angle: {min: -10 deg, max: 100 deg}}}
  B: {type: revolute, between: [a.tip, b], axis: y}
)yaml");
  RunOptions often = options(Method::rk4, 3.9, 0.1);
  often.step = 0.1;
  RunOptions never = often;
  never.output_every = 4.0;
  const RunResult with = run(model, often);
  const RunResult without = run(model, never);
  EXPECT_GT(without.largest_speed, 1.0);
  EXPECT_EQ(without.largest_speed, with.largest_speed);
  EXPECT_EQ(without.audit.energy_imbalance, with.audit.energy_imbalance);
  EXPECT_EQ(without.audit.energy_turnover, with.audit.energy_turnover);
  EXPECT_GT(without.audit.energy_imbalance, 0.01 * without.audit.energy_turnover);
  ASSERT_EQ(without.audit.limits.size(), 1u);
  EXPECT_GT(without.audit.limits.front().excess, 0.1);
  EXPECT_EQ(without.audit.limits.front().excess, with.audit.limits.front().excess);
  EXPECT_EQ(without.audit.rows, 2u) << "the start and the end";
}

// The kinks of a table as position law are impacts like any other: what they change is booked.
TEST(Kinks, OfTablesAreBooked) {
  const auto cart = [](const std::string& law) {
    return "gravity: none\n"
           "parts: {cart: {mass: 3, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
           "joints: {slide: {type: prismatic, between: [ground, cart], axis: x}}\n"
           "drivers: {push: {drives: slide.travel, position: " +
           law + "}}\n";
  };
  const struct {
    std::string law;
    double duration, impacts;
  } cases[] = {
      // ½ m (v² - u²) at each kink, m = 3; at the end of the run nothing happens any more.
      {"{table: {of: time, x: [0, 1, 2], y: [0, 0, 1]}}", 2.0, 1.5},
      {"{table: {of: time, x: [0, 1, 2], y: [0, 0, 1]}}", 3.0, 1.5 - 1.5},
      {"{table: {of: time, x: [0, 1, 2], y: [0, 2, 1]}}", 2.0, 1.5 * (1.0 - 4.0)},
      {"\"=if(time < 1 s, 0 m, 1 (m/s)*(time - 1 s))\"", 2.0, 1.5},
      {"\"=max(0 m, 1 (m/s)*(time - 1 s))\"", 2.0, 1.5},
      {"\"=0.5 m*abs(time/(1 s) - 1)\"", 2.0, 0.0},
  };
  for (const auto& one : cases) {
    const Assembled model = assemble_text(cart(one.law));
    for (const Method method : {Method::dopri5, Method::rk4, Method::bdf, Method::adams}) {
      const RunResult result = run(model, options(method, one.duration, 0.1));
      ASSERT_EQ(result.status, results::RunStatus::done) << one.law;
      EXPECT_NEAR(result.work.impacts, one.impacts, 1e-9) << one.law << ", method " << static_cast<int>(method);
      EXPECT_LT(result.audit.energy_imbalance, 1e-6 * std::max(1.0, result.audit.energy_turnover)) << one.law;
      EXPECT_THAT(result.impact, testing::HasSubstr("at 1 s")) << one.law;
    }
  }
}

// A table whose last point is the end of the run moves the machine there and stops it no more.
TEST(Kinks, AtTheEndOfTheRunAreNotCrossed) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts: {cart: {mass: 3, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, cart], axis: x}}
drivers: {push: {drives: slide.travel, position: {table: {of: time, x: [0, 0.3, 0.7, 2.0], y: [0, 0.2, -0.1, 0.4], interpolation: cubic}}}}
)yaml");
  const RunResult result = run(model, options(Method::dopri5, 2.0, 0.1));
  EXPECT_EQ(result.impact, "");
  EXPECT_NEAR(result.work.impacts, 0.0, 1e-9);
  EXPECT_GT(std::abs(end_velocity(result)), 0.1);
}

// Behind half a turn a bushing would push the other way.
TEST(Bushing, EndsBeforeHalfATurn) {
  const auto turning = [](double rate) {
    return "gravity: none\n"
           "parts: {b: {mass: 2, inertia: {xx: 0.3, yy: 0.2, zz: 0.1}, start: {angular_velocity: [0, 0, " +
           std::to_string(rate) +
           "]}}}\n"
           "forces: {mount: {type: bushing, between: [ground, b], stiffness: [100, 100, 100], "
           "rotational_stiffness: [2, 2, 2]}}\n";
  };
  // ½ I w² = ½ k φ²: 10 rad/s come to 128 deg, 20 rad/s would come to 256 deg.
  EXPECT_EQ(run(assemble_text(turning(10.0)), options(Method::dopri5, 3.0, 0.01)).status, results::RunStatus::done);
  for (const Method method : {Method::dopri5, Method::rk4, Method::adams}) {
    const RunResult result = run(assemble_text(turning(20.0)), options(method, 3.0, 0.5));
    EXPECT_EQ(result.status, results::RunStatus::failed);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->code, Code::law_left_its_range);
    EXPECT_EQ(result.failure->element, "mount");
    EXPECT_LT(result.time, std::numbers::pi / 20.0 * 1.5);
  }
}

// The law that switches is to blame, not the part that it moves.
TEST(Chattering, NamesTheForce) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts: {block: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x, start: {travel: 1.05}}}
forces:
  spring: {type: actuator, drives: slide.travel, value: "=-100 (N/m)*coordinate"}
  dry: {type: actuator, drives: slide.travel, value: "=-10 N*sign(rate)"}
)yaml");
  const RunResult result = run(model, options(Method::dopri5, 3.0, 0.01));
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->element, "dry");
  EXPECT_EQ(result.failure->element_kind, "force");
  EXPECT_THAT(result.failure->hint, testing::HasSubstr("tanh"));
}

}  // namespace
}  // namespace gelenk::time_laws_test
