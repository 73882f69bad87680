// Cables over pulleys: against closed forms and against the cable between two points.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gelenk/mechanics/machine_test_support.h"
#include "tests/support/run_text.h"

namespace gelenk::pulley_cable_test {
namespace {

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// Weights of 3 and 1 kg on both ends of a cable over a wheel on the ceiling. Stretched by s = 2 g / (k (1/m₁ + 1/m₂))
// it pulls with T = k s from the start on, and they move with a constant T/m - g.
TEST(PulleyCable, CarriesTwoWeightsWithTheirClosedForm) {
  // T = 2 g / (1/3 + 1) = 15 N, s = 15 / 5000 m, two sections of 1 m
  const test::Assembled model = ready(R"(
gravity: [0, 0, -10]
ground: {frames: {left_wheel: [0, 0, 2], right_wheel: [1, 0, 2]}}
parts:
  heavy: {mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 1]}
  light: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [1, 0, 1]}
joints:
  left: {type: prismatic, between: [ground, heavy], at: [0, 0, 1], axis: z}
  right: {type: prismatic, between: [ground, light], at: [1, 0, 1], axis: z}
forces:
  rope: {type: pulley_cable, between: [heavy, light], over: [ground.left_wheel, ground.right_wheel],
    free_length: 2.997 m, stiffness: 5000 N/m}
)");
  ASSERT_TRUE(model.is_ready());
  ASSERT_EQ(model.machine().forces.size(), 3U);
  EXPECT_EQ(model.machine().forces[2].path, "rope.section_3");
  test::Motion motion(model, test::dopri5(1e-11));
  ASSERT_TRUE(motion.advance_to(0.3));
  EXPECT_NEAR(motion.probe().coordinate("left", "travel"), 0.5 * (15.0 / 3.0 - 10.0) * 0.09, 1e-9);
  EXPECT_NEAR(motion.probe().coordinate("right", "travel"), 0.5 * (15.0 - 10.0) * 0.09, 1e-9);
}

// Over a point on the straight line between its ends it is a cable; tied to the same part at both ends it lifts a hook
// with twice its tension.
TEST(PulleyCable, IsTheCableOnAStraightLine) {
  const auto fall = [](const std::string& force) {
    const test::Assembled model = ready(
        "gravity: [0, 0, -10]\nground: {frames: {hook: [0, 0, 3], ring: [0, 0, 2.5]}}\n"
        "parts: {bob: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 1.5], start: {velocity: [0, 0, -1]}}}\n"
        "forces: {rope: {between: [ground.hook, bob], free_length: 1.4 m, stiffness: 500 N/m, damping: 3 N*s/m, " +
        force + "}}\n");
    if (!model.is_ready()) return std::nan("");
    test::Motion motion(model, test::dopri5(1e-11));
    EXPECT_TRUE(motion.advance_to(0.5));
    return motion.probe().part("bob").p.z();
  };
  EXPECT_NEAR(fall("type: pulley_cable, over: [ground.ring]"), fall("type: cable"), 1e-9);
}

TEST(PulleyCable, HookOfATackleHangsOnTwoSections) {
  // m z'' = -m g + 2 T, T = k (2 (3 - z) - l): at rest at once where T = m g / 2
  const test::Assembled model = ready(R"(
gravity: [0, 0, -10]
ground: {frames: {beam: [0, 0, 3]}}
parts: {hook: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 1]}}
forces: {rope: {type: pulley_cable, between: [ground.beam, ground.beam], over: [hook], free_length: 3.99 m, stiffness: 1000 N/m}}
)");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  ASSERT_TRUE(motion.advance_to(0.5));
  EXPECT_NEAR(motion.probe().part("hook").p.z(), 1.0, 1e-10);
  EXPECT_LT(motion.probe().part("hook").v.norm(), 1e-10);
}

// As implicit methods see it: each section by the motion of all parts that the cable touches.
void expect_exact_derivatives(const std::string& text) {
  const test::Assembled model = ready(text);
  ASSERT_TRUE(model.is_ready());
  const system::System& system = *model.system;
  mechanics::Workspace workspace(system);
  const system::State state = test::Motion(model, test::rk4(1e-3)).state();
  const auto load = [&](const system::State& at) {
    const mechanics::Context context{system, model.params, at};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_forces(context, workspace);
  };
  load(state);
  std::vector<mechanics::ForceBlock> blocks;
  mechanics::ForceDerivatives derivatives(system);
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    derivatives.evaluate({system, model.params, state}, workspace, static_cast<std::int32_t>(f), blocks);
  }
  for (std::int32_t b = 0; b < 2; ++b) {
    blocks.push_back(mechanics::body_block({system, model.params, state}, workspace, b));
  }
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State nudged = state;
    mechanics::test::nudge(nudged, body, direction, h);
    load(nudged);
    return workspace.forces;
  };
  mechanics::test::expect_differences(blocks, 2, 12, sums, 1e-5, 1e-7);
}

const char* const kTwoParts = R"(
ground: {frames: {beam: [0, 0.5, 3], twin: [0, 0.5, 3]}}
parts:
  a: {at: [0.4, 0.2, 0.1], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0.2, 0]}, start: {velocity: [1, 2, 1], angular_velocity: [1, 0.5, 0.2]}}
  b: {at: [1.4, 0.9, 0.6], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0, 0.3], twin: [0.1, 0, 0.3]}, start: {angular_velocity: [1, 2, 0]}}
)";

TEST(PulleyCable, HasExactDerivatives) {
  expect_exact_derivatives(kTwoParts + std::string(R"(
forces:
  rope: {type: pulley_cable, between: [a.f, a], over: [b.f, ground.beam, b], free_length: 0.3 m, stiffness: 4 N/m, damping: 0.2 N*s/m}
)"));
}

// Neighbours in one place: no section, and nothing that would spoil the others.
TEST(PulleyCable, RunsTwiceOverOnePoint) {
  expect_exact_derivatives(kTwoParts + std::string(R"(
forces:
  rope: {type: pulley_cable, between: [a.f, a], over: [b.f, b.twin, ground.beam, ground.twin, b], free_length: 0.3 m, stiffness: 4 N/m, damping: 0.2 N*s/m}
)"));
}

// Its power is that of all sections: tension times the speed at which the whole way grows, for laws with all
// derivatives.
TEST(PulleyCable, HasThePowerOfAllSections) {
  const std::string rope = R"(
  rope: {type: pulley_cable, between: [a.f, a], over: [b.f, ground.beam, b], free_length: 0.3 m, stiffness: 4 N/m, damping: 0.2 N*s/m}
)";
  const test::Assembled model = ready(kTwoParts + ("forces:" + rope) + R"(
outputs:
  length: =distance(a.f, b.f) + distance(b.f, ground.beam) + distance(ground.beam, b) + distance(b, a)
  tension: =rope.force
  power: =rope.power
  last: =rope.section_4.power
)");
  ASSERT_TRUE(model.is_ready());
  const mechanics::Context context{*model.system, model.params, model.state()};
  mechanics::Workspace workspace(*model.system);
  mechanics::update_positions(context, workspace);
  mechanics::update_velocities(context, workspace);
  const auto output = [&](const std::string& name) {
    const std::size_t number = test::index_of_path(model.system->outputs, name);
    if (number == model.system->outputs.size()) return std::nan("");
    return mechanics::view(context, workspace).signal(model.system->outputs[number].value);
  };
  const double speed = (output("tension") - 4.0 * (output("length") - 0.3)) / 0.2;
  EXPECT_GT(std::abs(output("power")), 1.0);
  EXPECT_NEAR(output("power"), -output("tension") * speed, 1e-10);
  EXPECT_GT(std::abs(output("power") - output("last")), 1.0);
  expect_exact_derivatives(kTwoParts + ("forces:" + rope) +
                           "  push: {type: force, applied_to: b.f, along: x, value: =rope.power / 50 (m/s)}\n");
}

// As many points as there may be, up and down between two rings: one formula of 201 distances.
TEST(PulleyCable, RunsOverManyPoints) {
  std::string over = "ground.lower";
  for (int i = 1; i < 200; ++i) over += i % 2 == 0 ? ", ground.lower" : ", ground.upper";
  const test::Checked checked = test::check_text(
      "ground: {frames: {lower: [0, 0, 0], upper: [0, 0, 1]}}\n"
      "parts: {bob: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [1, 0, 1]}}\n"
      "forces: {rope: {type: pulley_cable, between: [ground.upper, bob], over: [" +
      over + "], free_length: 200 m, stiffness: 5 N/m}}\n");
  ASSERT_FALSE(checked.diagnostics.has_errors()) << checked.messages();
  ASSERT_EQ(checked.machine.forces.size(), 201U);
  std::size_t distances = 0;
  for (const model::SymbolUse& use : checked.machine.forces[200].value.symbols) {
    if (use.kind == model::SymbolUse::Kind::channel && use.channel.quantity == "position") ++distances;
  }
  EXPECT_EQ(distances, 201U);
}

}  // namespace
}  // namespace gelenk::pulley_cable_test
