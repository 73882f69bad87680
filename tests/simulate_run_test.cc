// From an assembled machine through simulate(): how runs end, and what they report.
#include <gtest/gtest.h>

#include "gelenk/analysis/simulate.h"
#include "tests/support/run_text.h"

namespace gelenk::simulate_run_test {
namespace {

using analysis::RunOptions;
using analysis::RunResult;
using test::assemble_text;
using test::Assembled;

RunResult run(const Assembled& model, const RunOptions& options, const analysis::Progress& progress = {}) {
  return analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, progress);
}

RunOptions adaptive(double duration) {
  RunOptions options;
  options.duration = duration;
  options.tolerance = 1e-9;
  options.output_every = 0.01;
  return options;
}

std::string pendulum(const std::string& more = {}) {
  return R"yaml(
gravity: [0, -9.81, 0]
parts:
  bob: {mass: 2 kg, center_of_mass: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints: {hinge: {type: revolute, between: [ground, bob], axis: z}}
)yaml" + more;
}

TEST(Simulate, ReachesTheEndExactlyAndKeepsTheEnergy) {
  const Assembled model = assemble_text(pendulum());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  RunOptions fixed = adaptive(3.0);
  fixed.method = integrate::Method::rk4;
  fixed.step = 1e-3;
  for (const RunOptions& options : {adaptive(3.0), fixed}) {
    const RunResult result = run(model, options);
    EXPECT_EQ(result.status, results::RunStatus::done);
    EXPECT_EQ(result.time, 3.0);
    EXPECT_FALSE(result.failure);
    const double before = result.start_energy.kinetic + result.start_energy.potential;
    const double after = result.end_energy.kinetic + result.end_energy.potential;
    EXPECT_NEAR(after, before, 1e-7);
    EXPECT_LT(result.statistics.largest_residual, 1e-13);
    EXPECT_GT(result.counters.accepted, 10);
  }
}

TEST(Simulate, StartsAtAnyTime) {
  const Assembled model =
      assemble_text(pendulum("drivers: {motor: {drives: hinge.angle, position: \"=0.5 (rad/s)*time\"}}\n"), {}, 2.0);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(test::Probe(model).coordinate("hinge", "angle"), 1.0, 1e-12);
  RunOptions options = adaptive(1.0);
  options.start_time = 2.0;
  const RunResult result = run(model, options);
  EXPECT_EQ(result.status, results::RunStatus::done);
  EXPECT_EQ(result.time, 3.0);
}

TEST(Simulate, StopsWhenToldTo) {
  const Assembled model = assemble_text(pendulum());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult result = run(model, adaptive(3.0), [](double time) { return time < 1.0; });
  EXPECT_EQ(result.status, results::RunStatus::stopped);
  EXPECT_GE(result.time, 1.0);
  EXPECT_LT(result.time, 3.0);
}

// S3-06: in a run, too.
TEST(Simulate, AValueThatIsNoNumberEndsTheRunAtItsElement) {
  const Assembled model = assemble_text(pendulum(
      "forces: {push: {type: torque, applied_to: bob, about: z, value: \"=1 (N*m)*sqrt(0.5 - time/(1 s))\"}}\n"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult result = run(model, adaptive(3.0));
  EXPECT_EQ(result.status, results::RunStatus::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->element, "push") << result.failure->message;
  EXPECT_FALSE(result.failure->hint.empty());
  EXPECT_NEAR(result.time, 0.5, 1e-2);
  EXPECT_LE(result.time, 0.5);
}

TEST(Simulate, EventsNameTheElementThatSwitched) {
  const Assembled model = assemble_text(pendulum(R"yaml(
forces:
  stop: {type: actuator, drives: hinge.angle, value: "=if(coordinate < -1, -500 (N*m)*(coordinate + 1), 0 (N*m))"}
  kick: {type: torque, applied_to: bob, about: z, value: "=1 (N*m)*step(time - 0.25 s)"}
)yaml"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult result = run(model, adaptive(1.0));
  ASSERT_EQ(result.status, results::RunStatus::done);
  ASSERT_GE(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].time, 0.25);
  EXPECT_EQ(result.events[0].element, "kick");
  EXPECT_EQ(result.events[1].element, "stop");
  EXPECT_EQ(result.event_count, result.events.size());
}

constexpr const char* kDrivenHinge = R"yaml(
parts: {arm: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {hinge: {type: revolute, between: [ground, arm], axis: z}}
)yaml";

TEST(Simulate, APositionThatJumpsIsRefusedByName) {
  const Assembled model = assemble_text(
      std::string(kDrivenHinge) + "drivers: {servo: {drives: hinge.angle, position: \"=0.5 * step(time - 0.3 s)\"}}\n");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult result = run(model, adaptive(1.0));
  ASSERT_EQ(result.status, results::RunStatus::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, Code::not_solvable);
  EXPECT_EQ(result.failure->element, "servo");
  EXPECT_LE(result.time, 0.3);
}

TEST(Simulate, ARateThatJumpsIsToldAsAnImpact) {
  const Assembled model = assemble_text(
      std::string(kDrivenHinge) +
      "drivers: {servo: {drives: hinge.angle, position: {table: {of: time, x: [0 s, 0.3 s, 1 s], y: [0, 1, 1]}}}}\n");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const RunResult result = run(model, adaptive(1.0));
  ASSERT_EQ(result.status, results::RunStatus::done);
  EXPECT_NE(result.impact.find("servo"), std::string::npos) << result.impact;
  // A smooth law is none.
  const Assembled smooth = assemble_text(
      std::string(kDrivenHinge) + "drivers: {servo: {drives: hinge.angle, position: \"=sin(3 (rad/s) * time)\"}}\n");
  EXPECT_EQ(run(smooth, adaptive(1.0)).impact, "");
}

// The same run twice, bit for bit, whatever is looked at in between.
TEST(Simulate, OutputsLeaveNoTraceInTheMotion) {
  const Assembled model = assemble_text(pendulum());
  ASSERT_TRUE(model.is_ready()) << model.messages();
  RunOptions often = adaptive(1.0);
  RunOptions seldom = often;
  seldom.output_every = 1.0;
  const RunResult a = run(model, often);
  const RunResult b = run(model, seldom);
  EXPECT_EQ(a.end_energy.kinetic, b.end_energy.kinetic);
  EXPECT_EQ(a.end_energy.potential, b.end_energy.potential);
  EXPECT_EQ(a.counters.accepted, b.counters.accepted);
}

}  // namespace
}  // namespace gelenk::simulate_run_test
