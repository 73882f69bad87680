// Far from the world's origin joints close as well as near it, and motions are the same.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/analysis/simulate.h"
#include "gelenk/system/origins.h"
#include "tests/support/run_text.h"

namespace gelenk::far_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;

std::string number(double value) { return std::to_string(value); }

// Two parts on a hinge with a spring, which turn against each other.
std::string pair(double x, const std::string& rest) {
  const std::string at = "[" + number(x);
  return "gravity: none\nparts:\n  bus: {at: " + at +
         ", 0, 0], mass: 500, inertia: {xx: 100, yy: 120, zz: 80}}\n  panel: {at: [" + number(x + 1.0) +
         ", 0, 0], mass: 50, center_of_mass: [1, 0, 0], inertia: {xx: 1, yy: 20, zz: 20}}\njoints:\n  hinge: {type: "
         "revolute, between: [bus, panel], at: panel, axis: z, start: {angle: 0, rate: 1}}\n" +
         rest;
}
const std::string kSpring =
    "forces:\n  spring: {type: rotational_spring_damper, drives: hinge.angle, stiffness: 0.5, damping: 0}\n";

RunOptions options(double duration, integrate::Method method = integrate::Method::dopri5) {
  RunOptions result;
  result.method = method;
  result.tolerance = 1e-10;
  result.step = 1e-3;
  result.duration = duration;
  result.output_every = duration;
  return result;
}

RunResult run(const test::Assembled& model, const RunOptions& run_options) {
  EXPECT_TRUE(model.is_ready()) << model.messages();
  if (!model.is_ready()) return {};
  return analysis::simulate(*model.system, model.params, *model.assembly, run_options, nullptr, {});
}

double angle_at_end(const test::Assembled& model, const RunResult& result) {
  return test::Probe(*model.system, model.params, result.end_state).coordinate("hinge", "angle");
}

TEST(Far, TheSameMotionAnywhere) {
  const test::Assembled near = test::assemble_text(pair(0.0, kSpring));
  const RunResult reference = run(near, options(10.0));
  EXPECT_TRUE(reference.end_state.origin.empty());
  for (const double x : {1e5, 1e7, 1e10}) {
    for (const integrate::Method method :
         {integrate::Method::dopri5, integrate::Method::adams, integrate::Method::cvode}) {
      SCOPED_TRACE(testing::Message() << x << ", method " << static_cast<int>(method));
      const test::Assembled far = test::assemble_text(pair(x, kSpring));
      const RunResult result = run(far, options(10.0, method));
      EXPECT_EQ(result.status, results::RunStatus::done);
      EXPECT_LT(result.statistics.largest_residual, 1e-14);
      EXPECT_LT(result.statistics.largest_rate_residual, 1e-13);
      EXPECT_NEAR(angle_at_end(far, result), angle_at_end(near, reference), 1e-7);
    }
  }
}

TEST(Far, AMachineOnTheGround) {
  const std::string foot = "  foot: {type: revolute, between: [ground, bus], at: bus, axis: y}\n" + kSpring;
  const auto with_gravity = [&](double x) {
    std::string text = pair(x, foot);
    return text.replace(text.find("none"), 4, "[0, 0, -9.81]");
  };
  const test::Assembled near = test::assemble_text(with_gravity(0.0));
  const test::Assembled far = test::assemble_text(with_gravity(1e10));
  const RunResult expected = run(near, options(5.0));
  const RunResult result = run(far, options(5.0));
  EXPECT_EQ(result.status, results::RunStatus::done);
  EXPECT_LT(result.statistics.largest_residual, 1e-14);
  EXPECT_NEAR(angle_at_end(far, result), angle_at_end(near, expected), 1e-7);
  EXPECT_NEAR(system::place_of(result.end_state, 0).x(), 1e10, 1e-3);
}

// Hinged together in orbit: origins move along.
TEST(Far, APairInOrbit) {
  const double speed = 7546.053290107;
  std::string text = pair(7e6, kSpring);
  const std::string start = ", start: {velocity: [0, " + number(speed) + ", 0]}}\n";
  for (std::size_t at = text.find("}}\n"); at < text.find("joints:"); at = text.find("}}\n", at + start.size())) {
    text.replace(at, 3, "}" + start);
  }
  text.replace(text.find("none"), 4, "{point: {at: [0, 0, 0], strength: 3.986004418e14}}");
  const test::Assembled model = test::assemble_text(text);
  const RunResult result = run(model, options(1500.0));
  EXPECT_EQ(result.status, results::RunStatus::done);
  EXPECT_LT(result.statistics.largest_residual, 1e-13);
  const Vector3 place = system::place_of(result.end_state, 0);
  EXPECT_NEAR(place.norm(), 7e6, 1e4);
  const double before = result.start_energy.kinetic + result.start_energy.potential;
  const double after = result.end_energy.kinetic + result.end_energy.potential;
  EXPECT_NEAR(after / before, 1.0, 1e-9);
}

}  // namespace
}  // namespace gelenk::far_test
