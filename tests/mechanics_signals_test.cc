// What formulas may read, and how they switch while the machine moves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/run_text.h"

namespace gelenk::mechanics_signals_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::Motion;

constexpr const char* kSlide = R"yaml(
gravity: none
parts: {slide: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, slide], axis: x, start: {speed: 1 m/s}}}
)yaml";

std::string with_force(const std::string& value) {
  return std::string(kSlide) + "forces: {push: {type: force, applied_to: slide, along: x, value: \"=" + value +
         "\"}}\n";
}
std::string with_driver(const std::string& law) {
  return "gravity: none\nparts: {slide: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
         "joints: {rail: {type: prismatic, between: [ground, slide], axis: x}}\ndrivers: {screw: {drives: "
         "rail.travel, " +
         law + "}}\n";
}

void expect_too_early(const std::string& text, const std::string& element) {
  const Assembled model = assemble_text(text);
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::reads_too_early);
  ASSERT_NE(reported, nullptr) << text << model.messages();
  EXPECT_EQ(reported->element, element);
  EXPECT_FALSE(reported->hint.empty());
}

TEST(Signals, WhatFollowsFromTheForcesCannotBeReadByThem) {
  expect_too_early(with_force("2 kg * slide.acceleration.x"), "push");
  expect_too_early(with_force("0.1 * rail.reaction.force.magnitude"), "push");
  expect_too_early(with_driver("position: =slide.position.y"), "screw");
  expect_too_early(with_driver("rate: =slide.velocity.y"), "screw");
  expect_too_early(with_driver("acceleration: =slide.acceleration.y"), "screw");
}

TEST(Signals, WhatIsKnownBeforeCanBeRead) {
  for (const std::string& text : {with_force("1 (N/m)*rail.travel - 1 (N*s/m)*rail.speed"),
                                  with_driver("rate: \"=1 (m/s) + 2 (1/s)*slide.position.y\""),
                                  with_driver("acceleration: \"=1 (1/s)*slide.velocity.y\"")}) {
    const Assembled model = assemble_text(text);
    EXPECT_TRUE(model.is_ready()) << text << model.messages();
  }
}

TEST(Signals, ForcesInACircleAreTold) {
  const Assembled model = assemble_text(std::string(kSlide) + R"yaml(
forces:
  one: {type: force, applied_to: slide, along: x, value: "=0.5*two.force"}
  two: {type: force, applied_to: slide, along: y, value: "=0.5*three.force"}
  three: {type: force, applied_to: slide, along: z, value: "=0.5*one.force"}
)yaml");
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::forces_in_circle);
  ASSERT_NE(reported, nullptr) << model.messages();
  EXPECT_TRUE(reported->element == "one" || reported->element == "two" || reported->element == "three")
      << reported->element;
}

// A chain of forces, each reading the next, whatever the order in which they are written.
TEST(Signals, ForcesMayReadForces) {
  const Assembled model = assemble_text(std::string(kSlide) + R"yaml(
forces:
  one: {type: force, applied_to: slide, along: x, value: "=2*two.force + two.force*three.force/(1 N)"}
  two: {type: force, applied_to: slide, along: y, value: "=3*three.force"}
  three: {type: force, applied_to: slide, along: z, value: "=1 (N/m)*(rail.travel + 1 m)"}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::rk4(1e-3));
  EXPECT_NEAR(motion.instant().part_accelerations[0], (6.0 + 3.0) / 2.0, 1e-12);
}

// v = 1 + F t / m from the jump on: exact for a method of fourth order only when no step goes across it.
TEST(Signals, AForceStepInTimeIsSteppedOnto) {
  const Assembled model = assemble_text(with_force("6 N * step(time - 0.1234567 s)"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  for (const integrate::Options& options : {test::rk4(0.05), test::dopri5(1e-6)}) {
    Motion motion(model, options);
    ASSERT_TRUE(motion.advance_to(1.0));
    const double after = 1.0 - 0.1234567;
    EXPECT_NEAR(motion.probe().rate("rail", "travel"), 1.0 + 3.0 * after, 1e-13);
    EXPECT_NEAR(motion.probe().coordinate("rail", "travel"), 1.0 + 1.5 * after * after, 1e-13);
    EXPECT_EQ(motion.integrator().counters().events, 1);
  }
}

// Bouncing on a spring that pushes only: half a swing of ω = √(k / m) and back at the same speed.
TEST(Signals, AStateSwitchIsLocatedInTime) {
  const Assembled model = assemble_text(with_force("if(rail.travel > 0.5 m, -200 (N/m)*(rail.travel - 0.5 m), 0 N)"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::dopri5(1e-10));
  const double contact = std::numbers::pi / 10.0;
  ASSERT_TRUE(motion.advance_to(0.5 + 0.5 * contact));
  EXPECT_NEAR(motion.probe().coordinate("rail", "travel"), 0.5 + 0.1, 1e-8);  // v / ω
  ASSERT_TRUE(motion.advance_to(0.5 + contact + 0.25));
  EXPECT_NEAR(motion.probe().coordinate("rail", "travel"), 0.25, 1e-8);
  EXPECT_EQ(motion.integrator().counters().events, 2);
}

// Sides do not change while a step is computed, whatever its stages pass.
TEST(Signals, SidesAreHeldDuringAStep) {
  const Assembled model = assemble_text(with_force("10 N * sign(rail.travel - 0.5 m)"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  ASSERT_EQ(model.state().sides.size(), 1u);
  EXPECT_EQ(model.state().sides[0], -1);
  system::State beyond = model.state();
  beyond.position[0].x() += 0.7;
  analysis::MachineProblem problem(*model.system, model.params, 1e-6, {.rank_tolerance = 1e-6});
  problem.set_state(0, beyond);
  std::vector<double> accelerations(6);
  std::vector<double> multipliers(model.system->rows.size());
  ASSERT_TRUE(problem.dynamics().accelerations(0, accelerations, multipliers));
  EXPECT_NEAR(accelerations[0], -5.0, 1e-12);
  std::vector<double> slack(1);
  problem.events().slacks(0, slack);
  EXPECT_NEAR(slack[0], -0.2, 1e-12);
  problem.events().flip(0, 0);
  ASSERT_TRUE(problem.dynamics().accelerations(0, accelerations, multipliers));
  EXPECT_NEAR(accelerations[0], 5.0, 1e-12);
}

}  // namespace
}  // namespace gelenk::mechanics_signals_test
