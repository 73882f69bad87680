// What laws of the motion do between the stages of a step is not passed over.
#include "gelenk/system/motion_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/analysis/simulate.h"
#include "tests/support/pushed_part.h"
#include "tests/support/run_text.h"

namespace gelenk::motion_laws_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;
using integrate::Method;
using test::assemble_text;
using test::Assembled;
using test::pushed;

// A wheel that turns at 0.3 rad/s.
std::string turned(const std::string& torque) {
  return "gravity: none\n"
         "parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 2}}}\n"
         "joints: {h: {type: revolute, between: [ground, p], axis: z, start: {rate: 0.3}}}\n"
         "forces: {cam: {type: actuator, drives: h.angle, value: " +
         torque + "}}\n";
}

RunOptions options(Method method, double step = 1e-2) {
  RunOptions result;
  result.method = method;
  result.duration = 3.0;
  result.output_every = 0.5;
  result.tolerance = 1e-6;
  result.step = step;
  return result;
}

RunResult run(const std::string& text, const RunOptions& run_options) {
  const Assembled model = assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  if (!model.is_ready()) return {};
  return analysis::simulate(*model.system, model.params, *model.assembly, run_options, nullptr, {});
}

const double kBell = std::sqrt(std::numbers::pi);  // area below exp(-x²)

// ½ m v² grows by the work of the law, however fast it is passed.
TEST(MotionLaws, WhatActsOnAShortPieceOfTheWayIsNotJumpedOver) {
  const struct {
    const char* force;
    double work;
  } laws[] = {
      {"\"=500 N*exp(-((p.position.x - 1.3 m)/1 mm)^2)\"", 500.0 * 1e-3 * kBell},
      {"\"=250 N*(tanh((p.position.x - 1.3 m)/0.5 mm) - tanh((p.position.x - 1.302 m)/0.5 mm))\"", 250.0 * 2.0 * 2e-3},
      {"{table: {of: p.position.x, x: [0, 1.3, 1.301, 1.302, 9], y: [0 N, 0 N, 500 N, 0 N, 0 N]}}", 0.5},
  };
  for (const auto& law : laws) {
    for (const Method method : {Method::dopri5, Method::adams, Method::bdf}) {
      const RunResult result = run(pushed(law.force), options(method));
      ASSERT_EQ(result.status, results::RunStatus::done) << law.force;
      EXPECT_NEAR(result.end_state.velocity[0], std::sqrt(1.0 + 2.0 * law.work), 2e-3 * law.work)
          << law.force << ", method " << static_cast<int>(method);
      EXPECT_EQ(result.hidden_law, "");
    }
  }
}

TEST(MotionLaws, OfAnAngle) {
  const double work = 20.0 * 1e-3 * kBell;
  const RunResult result = run(turned("\"=20 (N*m)*exp(-((h.angle - 0.4)/1e-3)^2)\""), options(Method::dopri5));
  EXPECT_NEAR(result.end_state.velocity[5], std::sqrt(0.09 + work), 1e-3 * work);
}

// Far off, its size is rounding and does not shorten the steps.
TEST(MotionLaws, CostLittleWhereNothingHappens) {
  const RunResult far = run(pushed("\"=500 N*exp(-((p.position.x - 30 m)/1 mm)^2)\""), options(Method::dopri5));
  EXPECT_LT(far.counters.accepted + far.counters.rejected, 80);
  const RunResult wave = run(turned("\"=-0.5 (N*m)*sin(3*h.angle)\""), options(Method::dopri5));
  EXPECT_EQ(wave.counters.rejected, 0);
  const RunResult near = run(pushed("\"=500 N*exp(-((p.position.x - 1.3 m)/1 mm)^2)\""), options(Method::dopri5));
  EXPECT_LT(near.counters.accepted + near.counters.rejected, 250);
}

TEST(MotionLaws, StepsThatCannotBeShortenedAreReported) {
  const std::string magnet = pushed("\"=500 N*exp(-((p.position.x - 1.3 m)/1 mm)^2)\"");
  for (const RunOptions& too_long : {options(Method::rk4), options(Method::cvode)}) {
    EXPECT_THAT(run(magnet, too_long).hidden_law, testing::HasSubstr("'kick'")) << static_cast<int>(too_long.method);
  }
  EXPECT_EQ(run(magnet, options(Method::rk4, 1e-4)).hidden_law, "");
}

// An angle between two frames jumps at half a turn, a formula may have a branch cut or a root at zero: the run goes on.
TEST(MotionLaws, JumpsAndRootsDoNotEndARun) {
  const char* const laws[] = {
      "\"=-0.5 (N*m)*sin(angle(p, ground))\"",
      "\"=-0.01 (N*m)*atan2(p.frames_x.position.y, p.frames_x.position.x)\"",
      "\"=-0.3 (N*m)*sign(h.rate)*sqrt(abs(h.rate*(1 s)))\"",
  };
  for (const char* law : laws) {
    std::string text = turned(law);
    text.replace(text.find("rate: 0.3"), 9, "rate: 2");
    text.replace(text.find("zz: 2}"), 6, "zz: 2}, frames: {frames_x: [1, 0, 0]}");
    for (const Method method : {Method::dopri5, Method::adams, Method::bdf}) {
      const RunResult result = run(text, options(method));
      EXPECT_EQ(result.status, results::RunStatus::done) << law << ", method " << static_cast<int>(method);
      EXPECT_LT(result.counters.accepted + result.counters.rejected, 1500) << law;
      EXPECT_EQ(result.hidden_law, "") << law;
    }
  }
}

// Springs, dampers and all else that a step sees cost nothing.
TEST(MotionLaws, PolynomialsOfLowDegreeAreNotLookedAt) {
  for (const char* force : {"\"=-3 (N/m)*p.position.x\"", "\"=-3 (N*s^2/m^2)*p.velocity.x*abs(p.velocity.x)\"",
                            "\"=-3 (N/m^3)*p.position.x^3\"", "\"=if(p.position.x > 1 m, 2 N, -1 N)\""}) {
    const Assembled model = assemble_text(pushed(force));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    EXPECT_TRUE(system::MotionLaws(*model.system, model.params).arguments().empty()) << force;
  }
}

}  // namespace
}  // namespace gelenk::motion_laws_test
