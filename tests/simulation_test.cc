// The loop in other hands: a machine that is advanced in pieces, given inputs, saved and loaded.
#include "gelenk/analysis/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gelenk/analysis/run_integrator.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/results/memory_recorder.h"
#include "tests/support/run_text.h"

namespace gelenk::simulation_test {
namespace {

using analysis::endless;
using analysis::RunOptions;
using analysis::Simulation;
using integrate::Method;
using integrate::Outcome;
using test::assemble_model;
using test::Assembled;
using test::check_files;

// A closed loop that a spring with a stop works on, so that there are joints held twice, events and energies.
const std::string kFourBar = R"yaml(gelenk: 1
name: four_bar
gravity: [0, -9.81, 0]
parts:
  crank: {mass: 1 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}, frames: {end: {at: [0.2, 0, 0]}}}
  rod:
    mass: 1 kg
    at: [0.2, 0, 0]
    center_of_mass: [0.2, 0.1, 0]
    inertia: {xx: 0.02, yy: 0.02, zz: 0.02}
    frames: {end: {at: [0.4, 0.2, 0]}}
  rocker: {mass: 1 kg, at: [0.6, 0, 0], center_of_mass: [0, 0.1, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}, frames: {end: {at: [0, 0.2, 0]}}}
joints:
  a: {type: revolute, between: [ground, crank], axis: z, start: {rate: 4 rad/s}}
  b: {type: revolute, between: [crank.end, rod], axis: z}
  c: {type: revolute, between: [rod.end, rocker.end], axis: z}
  d: {type: revolute, between: [ground, rocker], at: rocker, axis: z}
forces:
  stop: {type: rotational_spring_damper, drives: d.angle, stiffness: 3 N*m/rad, damping: 0.05 N*m*s/rad}
  push: {type: actuator, drives: a.angle, value: "=1 (N*m) * max(0, sin(9 (rad/s) * time))"}
outputs: {tip: a.angle, load: b.reaction.force.magnitude}
)yaml";

Assembled assembled(const std::string& text) { return assemble_model(check_files({{"m.yaml", text}}, "m.yaml")); }

// With inputs that somebody gives while it runs.
Assembled with_inputs(const std::string& text) {
  model::ExpandOptions options;
  options.has_open_inputs = true;
  return assemble_model(check_files({{"m.yaml", text}}, "m.yaml", options));
}

RunOptions options_of(Method method) {
  RunOptions options;
  options.method = method;
  options.duration = 0.5;
  options.step = 1e-3;
  options.tolerance = 1e-8;
  options.output_every = 1e-2;
  return options;
}

void expect_same(const system::State& a, const system::State& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.extra, b.extra);
  EXPECT_EQ(a.sides, b.sides);
  ASSERT_EQ(a.position.size(), b.position.size());
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    EXPECT_EQ(a.position[i], b.position[i]);
    EXPECT_EQ(a.orientation[i].coeffs(), b.orientation[i].coeffs());
  }
}

// Every number that a whole run records, from a simulation that is advanced from row to row.
TEST(Simulation, PiecesOfAFixedStepGiveTheBitsOfTheRun) {
  const Assembled model = assembled(kFourBar);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Method method : {Method::rk4, Method::generalized_alpha}) {
    const RunOptions options = options_of(method);
    const results::Layout layout = results::make_layout(model.machine());
    results::MemoryRecorder whole(layout), pieces(layout);
    const analysis::RunResult result =
        analysis::simulate(*model.system, model.params, *model.assembly, options, &whole, {});
    ASSERT_EQ(result.status, results::RunStatus::done);

    Simulation simulation(*model.system, model.params, *model.assembly, endless(options));
    ASSERT_TRUE(simulation.start());
    for (int row = 0; row <= 50; ++row) {
      // Added up, as people do who have the loop: rounding of the sum does not cost a step.
      for (int i = 0; row > 0 && i < 10; ++i) {
        ASSERT_NE(simulation.advance(simulation.time() + 1e-3), Outcome::failed);
      }
      ASSERT_TRUE(simulation.observe(pieces.row(0.01 * row)));
      pieces.commit();
    }
    expect_same(simulation.state(), result.end_state);
    EXPECT_EQ(simulation.integrator().counters().accepted, result.counters.accepted);
    const auto expected = whole.take();
    const auto found = pieces.take();
    EXPECT_EQ(found->values, expected->values) << analysis::method_name(method);
    EXPECT_EQ(found->times, expected->times);
  }
}

// Steps that end on the pieces are other steps: the same motion, to the tolerance.
TEST(Simulation, PiecesOfChosenStepsAreTheSameMotion) {
  const Assembled model = assembled(kFourBar);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Method method : {Method::dopri5, Method::adams, Method::bdf, Method::cvode}) {
    const RunOptions options = options_of(method);
    const analysis::RunResult whole =
        analysis::simulate(*model.system, model.params, *model.assembly, options, nullptr, {});
    Simulation at_once(*model.system, model.params, *model.assembly, options);
    ASSERT_TRUE(at_once.start());
    ASSERT_NE(at_once.advance(0.5), Outcome::failed);
    expect_same(at_once.state(), whole.end_state);

    Simulation simulation(*model.system, model.params, *model.assembly, endless(options));
    ASSERT_TRUE(simulation.start());
    for (int i = 1; i <= 50; ++i) ASSERT_NE(simulation.advance(0.01 * i), Outcome::failed);
    EXPECT_EQ(simulation.time(), 0.5);
    for (std::size_t i = 0; i < whole.end_state.velocity.size(); ++i) {
      EXPECT_NEAR(simulation.state().velocity[i], whole.end_state.velocity[i], 2e-5) << analysis::method_name(method);
    }
  }
}

// Saved in the middle, continued in another simulation, and in itself after it has gone elsewhere.
TEST(Simulation, SavedAndLoadedGoesOnWithTheSameBits) {
  const Assembled model = assembled(kFourBar);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const Method method : {Method::rk4, Method::dopri5, Method::adams, Method::bdf, Method::generalized_alpha}) {
    const RunOptions options = endless(options_of(method));
    Simulation first(*model.system, model.params, *model.assembly, options);
    ASSERT_TRUE(first.start());
    ASSERT_NE(first.advance(0.2), Outcome::failed);
    const std::string bytes = first.save();
    ASSERT_NE(first.advance(0.5), Outcome::failed);
    const system::State end = first.state();

    Simulation second(*model.system, model.params, *model.assembly, options);
    ASSERT_TRUE(second.start());
    ASSERT_NE(second.advance(0.07), Outcome::failed);
    for (Simulation* other : {&second, &first}) {
      ASSERT_TRUE(other->load(bytes, {}));
      EXPECT_EQ(other->time(), 0.2);
      ASSERT_NE(other->advance(0.5), Outcome::failed);
      expect_same(other->state(), end);
    }
  }
}

TEST(Simulation, RefusesBytesOfSomethingElse) {
  const Assembled model = assembled(kFourBar);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Simulation simulation(*model.system, model.params, *model.assembly, endless(options_of(Method::rk4)));
  ASSERT_TRUE(simulation.start());
  ASSERT_NE(simulation.advance(0.1), Outcome::failed);
  const std::string bytes = simulation.save();
  std::string flipped = bytes;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
  Simulation other(*model.system, model.params, *model.assembly, endless(options_of(Method::dopri5)));
  ASSERT_TRUE(other.start());
  for (const std::string& wrong :
       {std::string(), std::string("rubbish"), bytes.substr(0, bytes.size() - 9), bytes + "1", flipped, other.save()}) {
    EXPECT_FALSE(simulation.load(wrong, {}));
  }
  Simulation untouched(*model.system, model.params, *model.assembly, endless(options_of(Method::rk4)));
  ASSERT_TRUE(untouched.start());
  for (Simulation* one : {&simulation, &untouched}) ASSERT_NE(one->advance(0.3), Outcome::failed);
  expect_same(simulation.state(), untouched.state());
}

// A rotor with a sampled torque: between two samples it is constant, so the motion is known exactly.
const std::string kRotor = R"yaml(gelenk: 1
gravity: none
inputs: {torque: {value: 0.5 N*m}}
parts: {rotor: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 0.25}}}
joints: {hinge: {type: revolute, between: [ground, rotor], axis: z}}
forces: {motor: {type: actuator, drives: hinge.angle, value: =torque}}
)yaml";

TEST(Simulation, InputsAreHeldUntilTheyChange) {
  const Assembled model = with_inputs(kRotor);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  ASSERT_EQ(model.params.inputs, (std::vector<double>{0.5}));
  for (const Method method :
       {Method::rk4, Method::dopri5, Method::adams, Method::bdf, Method::cvode, Method::generalized_alpha}) {
    system::Params params = model.params;
    Simulation simulation(*model.system, params, *model.assembly, endless(options_of(method)));
    ASSERT_TRUE(simulation.start());
    double angle = 0.0, rate = 0.0, torque = 0.5;
    for (int i = 0; i < 20; ++i) {
      if (i > 0) torque = 3.0 * std::cos(1.7 * i);
      params.inputs[0] = torque;
      simulation.note_inputs();
      ASSERT_NE(simulation.advance(0.01 * (i + 1)), Outcome::failed);
      angle += 0.01 * rate + 0.5 * 1e-4 * torque / 0.25;
      rate += 0.01 * torque / 0.25;
    }
    test::Probe probe(*model.system, params, simulation.state());
    // Steps of second order are exact here, too; what multistep methods lack after every change is their tolerance.
    const bool is_multistep = method == Method::adams || method == Method::bdf || method == Method::cvode;
    EXPECT_NEAR(probe.rate("hinge", "angle"), rate, is_multistep ? 1e-6 : 1e-12) << analysis::method_name(method);
    EXPECT_NEAR(probe.coordinate("hinge", "angle"), angle, is_multistep ? 1e-6 : 1e-12)
        << analysis::method_name(method);
  }
}

TEST(Simulation, SavedInputsComeBack) {
  const Assembled model = with_inputs(kRotor);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  system::Params params = model.params;
  Simulation simulation(*model.system, params, *model.assembly, endless(options_of(Method::dopri5)));
  ASSERT_TRUE(simulation.start());
  params.inputs[0] = -2.0;
  simulation.note_inputs();
  ASSERT_NE(simulation.advance(0.1), Outcome::failed);
  const std::string bytes = simulation.save();
  ASSERT_NE(simulation.advance(0.2), Outcome::failed);
  const system::State end = simulation.state();
  params.inputs[0] = 7.0;
  simulation.note_inputs();
  ASSERT_NE(simulation.advance(0.3), Outcome::failed);
  ASSERT_TRUE(simulation.load(bytes, params.inputs));
  EXPECT_EQ(params.inputs[0], -2.0);
  ASSERT_NE(simulation.advance(0.2), Outcome::failed);
  expect_same(simulation.state(), end);
}

TEST(Simulation, AFailureNamesElementAndTime) {
  const Assembled model = assembled(R"yaml(gelenk: 1
parts: {block: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, block], axis: x}}
forces: {push: {type: force, applied_to: block, along: x, value: "=8 N * sqrt(0.5 - time / 1 s)"}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Simulation simulation(*model.system, model.params, *model.assembly, endless(options_of(Method::rk4)));
  ASSERT_TRUE(simulation.start());
  ASSERT_NE(simulation.advance(0.4), Outcome::failed);
  ASSERT_EQ(simulation.advance(1.0), Outcome::failed);
  EXPECT_NEAR(simulation.time(), 0.5, 1.1e-3);
  const Diagnostic failure = simulation.failure();
  EXPECT_EQ(failure.element, "push");
  EXPECT_NE(failure.message.find("0.5"), std::string::npos) << failure.message;
}

}  // namespace
}  // namespace gelenk::simulation_test
