// How fast forces can change a motion, and which method follows from that.
#include "gelenk/analysis/stiffness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gelenk/analysis/run_options.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/run_text.h"

namespace gelenk::stiffness_test {
namespace {

constexpr double kPowerIteration = 0.02;  // relative, when the second fastest motion is well below the fastest

analysis::Stiffness stiffness_of(const test::Assembled& model) {
  return analysis::estimate_stiffness(*model.system, model.params, model.state(), model.assembly->rank_tolerance);
}

// Two blocks on springs: ω² = k/m of each.
TEST(Stiffness, OfASpringIsItsFrequency) {
  const test::Assembled model = test::assemble_text(R"yaml(
parts:
  slow: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  fast: {mass: 0.5, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  a: {type: prismatic, between: [ground, slow], axis: x}
  b: {type: prismatic, between: [ground, fast], axis: x}
forces:
  soft: {type: spring_damper, between: [ground, slow], stiffness: 200, free_length: 0, damping: 1}
  hard: {type: bushing, between: [ground, fast], stiffness: [5000, 0, 0]}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const analysis::Stiffness found = stiffness_of(model);
  EXPECT_NEAR(found.frequency, 100.0, 100.0 * kPowerIteration);
  EXPECT_EQ(found.element, "hard");
}

TEST(Stiffness, OfADamperIsItsDecay) {
  const test::Assembled model = test::assemble_text(R"yaml(
parts: {block: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {oil: {type: bushing, between: [ground, block], damping: [4000, 0, 0]}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const analysis::Stiffness found = stiffness_of(model);
  EXPECT_NEAR(found.decay, 2000.0, 2000.0 * kPowerIteration);
  EXPECT_EQ(found.element, "oil");
}

// What a joint holds cannot oscillate.
TEST(Stiffness, DoesNotCountWhatJointsHold) {
  const test::Assembled model = test::assemble_text(R"yaml(
parts: {block: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {slide: {type: prismatic, between: [ground, block], axis: x}}
forces: {mount: {type: bushing, between: [ground, block], stiffness: [100, 1e12, 1e12]}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(stiffness_of(model).frequency, 10.0, 10.0 * kPowerIteration);
}

TEST(ChosenMethod, FollowsFromTheMachine) {
  analysis::RunOptions options;
  options.is_auto = true;
  options.duration = 1.0;
  const auto chosen = [&](double rate, double tolerance, double step, bool has_switches = false) {
    analysis::RunOptions one = options;
    one.tolerance = tolerance;
    one.step = step;
    analysis::Stiffness stiffness;
    stiffness.frequency = rate;
    stiffness.element = "mount";
    analysis::choose_method(stiffness, has_switches, one);
    EXPECT_NE(one.method_reason, "");
    EXPECT_FALSE(one.is_auto);
    return analysis::method_name(one.method);
  };
  EXPECT_EQ(chosen(100.0, 1e-6, 0.0), "dopri5");
  EXPECT_EQ(chosen(100.0, 1e-10, 0.0), "adams");
  EXPECT_EQ(chosen(100.0, 1e-10, 0.0, true), "dopri5");
  EXPECT_EQ(chosen(1e6, 1e-6, 0.0), "bdf");
  EXPECT_EQ(chosen(100.0, 1e-6, 1e-3), "rk4");
  EXPECT_EQ(chosen(1e5, 1e-6, 1e-3), "generalized_alpha");
}

}  // namespace
}  // namespace gelenk::stiffness_test
