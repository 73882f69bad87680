// Nodes, points without mass where forces meet (S3-33): closed forms of springs and dampers in series, three springs in
// a star, exact derivatives, mirror images.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gelenk/mechanics/machine_test_support.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/mechanics/state_derivatives.h"
#include "tests/support/run_text.h"

namespace gelenk::nodes_test {
namespace {

using integrate::Method;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

integrate::Options options_of(Method method, double step = 1e-3) {
  integrate::Options options;
  options.method = method;
  options.tolerance = 1e-10;
  options.step = step;
  return options;
}

Vector3 place_of(const test::Assembled& model, const system::State& state, const std::string& path) {
  const system::System& system = *model.system;
  const system::Node& node = system.nodes.at(test::index_of_path(system.nodes, path));
  const Pose& drawn = model.params.frames[static_cast<std::size_t>(node.frame)];
  Vector3 place = drawn.position;
  for (int k = 0; k < 3; ++k) {
    const std::int32_t number = node.places[static_cast<std::size_t>(k)];
    if (number >= 0) place += drawn.rotation.col(k) * state.extra[static_cast<std::size_t>(number)];
  }
  return place;
}

// Springs of 300 and 600 N/m, one below the other, are one of 200 N/m, and their node divides the stretch by 2 : 1.
TEST(Nodes, PutSpringsInSeries) {
  const std::string rig = R"(
gravity: [0, 0, -10]
ground: {frames: {hook: [0, 0, 1]}}
parts: {bob: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0.4]}}
joints: {rail: {type: prismatic, between: [ground, bob], at: [0, 0, 0], axis: z, start: {speed: 0.3 m/s}}}
)";
  const test::Assembled two = ready(rig + R"(
frames: {knot: {at: [0, 0, 0.8], moves: xyz}}
forces:
  upper: {type: spring_damper, between: [ground.hook, knot], stiffness: 300 N/m, free_length: 0.2 m}
  lower: {type: spring_damper, between: [knot, bob], stiffness: 600 N/m, free_length: 0.3 m}
)");
  const test::Assembled one = ready(rig + R"(
forces: {spring: {type: spring_damper, between: [ground.hook, bob], stiffness: 200 N/m, free_length: 0.5 m}}
)");
  ASSERT_TRUE(two.is_ready() && one.is_ready());
  for (const Method method : {Method::dopri5, Method::adams, Method::bdf, Method::generalized_alpha}) {
    test::Motion a(two, options_of(method));
    test::Motion b(one, options_of(method));
    ASSERT_TRUE(a.advance_to(0.5) && b.advance_to(0.5));
    const double height = b.probe().part("bob").p.z();
    EXPECT_NEAR(a.probe().part("bob").p.z(), height, 2e-9);
    const double stretch = 1.0 - height - 0.5;
    EXPECT_NEAR(place_of(two, a.state(), "knot").z(), 1.0 - 0.2 - stretch * 2.0 / 3.0, 2e-9);
    EXPECT_NEAR(a.probe().energy().total(), b.probe().energy().total(), 1e-8);
  }
}

// The machine of S3-33: two springs from the world and one from a body meet in a point without mass.
const char* const kThreeSprings = R"(
up: y
parts: {body: {mass: 0.8 kg, center_of_mass: [0, -0.2, 0], inertia: {xx: 0.002, yy: 0.002, zz: 0.002}, at: [0.1, -0.45, 0.1],
  start: {velocity: [0.1, 0.2, -0.3]}}}
ground: {frames: {left: [0.3, 0, 0], right: [0, 0, 0.3], back: [-0.1, 0.05, -0.1]}}
frames: {knot: {at: [0.1, -0.2, 0.1], moves: xyz}}
forces:
  spring1: {type: spring_damper, between: [ground.left, knot], stiffness: 20 N/m, free_length: 0.1 m}
  spring2: {type: spring_damper, between: [ground.right, knot], stiffness: 40 N/m, free_length: 0.1 m}
  spring3: {type: spring_damper, between: [knot, body], stiffness: 20 N/m, free_length: 0.1 m}
)";

TEST(Nodes, BalanceThreeSprings) {
  const test::Assembled model = ready(kThreeSprings);
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  const double start = motion.probe().energy().total();
  for (int i = 1; i <= 10; ++i) {
    ASSERT_TRUE(motion.advance_to(0.2 * i));
    const Vector3 knot = place_of(model, motion.state(), "knot");
    const auto pull = [&](const Vector3& end, double stiffness) {
      const Vector3 way = end - knot;
      return Vector3(way * (stiffness * (1.0 - 0.1 / way.norm())));
    };
    const Vector3 sum = pull({0.3, 0, 0}, 20.0) + pull({0, 0, 0.3}, 40.0) + pull(motion.probe().part("body").p, 20.0);
    EXPECT_LT(sum.norm(), 1e-10);
    EXPECT_NEAR(motion.probe().energy().total(), start, 1e-8 * std::abs(start));
  }
}

// A spring k and a damper c in a row, pulled with speed v: c v (1 - e^{-k t/c}).
TEST(Nodes, FlowBetweenSpringAndDamper) {
  const test::Assembled model = ready(R"(
parts: {hand: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0.5, 0, 0]}}
frames: {knot: {at: [0.2, 0, 0], moves: x}}
joints: {rail: {type: prismatic, between: [ground, hand], at: [0.5, 0, 0], axis: x}}
drivers: {pull: {drives: rail.travel, rate: 0.1 m/s}}
forces:
  spring: {type: spring_damper, between: [ground, knot], stiffness: 500 N/m}
  damper: {type: spring_damper, between: [knot, hand], damping: 40 N*s/m}
)");
  ASSERT_TRUE(model.is_ready());
  EXPECT_TRUE(model.system->nodes[0].flows);
  for (const Method method : {Method::dopri5, Method::bdf, Method::generalized_alpha}) {
    const bool is_coarse = method == Method::generalized_alpha;  // of second order
    test::Motion motion(model, options_of(method, 2e-4));
    ASSERT_TRUE(motion.advance_to(0.1));
    const double force = 500.0 * (place_of(model, motion.state(), "knot").x() - 0.2);
    EXPECT_NEAR(force, 40.0 * 0.1 * (1.0 - std::exp(-500.0 * 0.1 / 40.0)), is_coarse ? 1e-4 : 1e-7);
  }
}

const char* const kTwoParts = R"(
ground: {frames: {beam: [0, 0.5, 3], wall: [2, 0.1, 1]}}
parts:
  a: {at: [0.4, 0.2, 0.1], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0.2, 0]}, start: {velocity: [1, 2, 1], angular_velocity: [1, 0.5, 0.2]}}
  b: {at: [1.4, 0.9, 0.6], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0, 0.3]}, start: {angular_velocity: [1, 2, 0]}}
)";

// Two nodes that hold each other, among springs, a cable and a law that reads another place.
const char* const kStill = R"yaml(
frames: {p: {at: [0.5, 0.5, 1], moves: xyz}, q: {at: [1, 0.6, 1], moves: xz}}
forces:
  up: {type: spring_damper, between: [ground.beam, p], stiffness: 5 N/m, free_length: 0.4 m}
  left: {type: spring_damper, between: [p, a.f], stiffness: 4 N/m, free_length: 0.2 m}
  over: {type: line_force, between: [q, p], value: "=3 (N/m) * length + 1 (N/m^3) * length^3 + 0.5 (N/m) * a.position.z"}
  right: {type: cable, between: [q, b.f], stiffness: 6 N/m, free_length: 0.1 m}
  side: {type: spring_damper, between: [ground.wall, q], stiffness: 3 N/m, free_length: 0.3 m}
  weight: {type: force, applied_to: q, along: -z, value: 0.7 N}
  eye: {type: force, applied_to: a, along: x, value: "=2 (N/m) * distance(q, b)"}
)yaml";

struct Rig {
  explicit Rig(const std::string& text) : model(ready(text)), state(model.state()), workspace(*model.system) {}

  mechanics::Context at(const system::State& there) const { return {*model.system, model.params, there}; }
  const std::vector<double>& forces(const system::State& there) {
    mechanics::update_positions(at(there), workspace);
    mechanics::update_velocities(at(there), workspace);
    mechanics::update_forces(at(there), workspace);
    return workspace.forces;
  }
  std::vector<mechanics::ForceBlock> force_blocks() {
    forces(state);
    std::vector<mechanics::ForceBlock> blocks;
    mechanics::ForceDerivatives derivatives(*model.system);
    for (std::size_t f = 0; f < model.system->forces.size(); ++f) {
      derivatives.evaluate(at(state), workspace, static_cast<std::int32_t>(f), blocks);
    }
    for (std::int32_t b = 0; b < 2; ++b) blocks.push_back(mechanics::body_block(at(state), workspace, b));
    return blocks;
  }

  test::Assembled model;
  system::State state;
  mechanics::Workspace workspace;
};

TEST(Nodes, HaveExactDerivatives) {
  Rig rig(kTwoParts + std::string(kStill));
  ASSERT_TRUE(rig.model.is_ready());
  EXPECT_EQ(rig.model.system->node_groups.size(), 1U);
  const std::vector<mechanics::ForceBlock> blocks = rig.force_blocks();
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State nudged = rig.state;
    mechanics::test::nudge(nudged, body, direction, h);
    return rig.forces(nudged);
  };
  mechanics::test::expect_differences(blocks, 2, 12, sums, 1e-5, 1e-7);
}

// The velocity of a node is that of the place that it follows.
TEST(Nodes, MoveWithTheirPlaces) {
  Rig rig(kTwoParts + std::string(kStill));
  ASSERT_TRUE(rig.model.is_ready());
  rig.forces(rig.state);
  const std::vector<mechanics::Motion<double>> now = rig.workspace.nodes.motions;
  constexpr double kStep = 1e-5;
  std::vector<Vector3> ends[2];
  for (const int side : {0, 1}) {
    system::State moved = rig.state;
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t k = 0; k < 6; ++k) {
        mechanics::test::nudge(moved, b, k, (side == 0 ? -kStep : kStep) * rig.state.velocity[6 * b + k]);
      }
    }
    rig.forces(moved);
    for (const mechanics::Motion<double>& m : rig.workspace.nodes.motions) ends[side].push_back(m.p);
  }
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_LT(((ends[1][n] - ends[0][n]) / (2.0 * kStep) - now[n].v).norm(), 1e-8);
    EXPECT_GT(now[n].v.norm(), 0.1);
  }
}

// Implicit methods see through the ways of nodes that flow as through other states: x = known + gain × rate(x).
TEST(Nodes, ThatFlowHaveExactBlocks) {
  Rig rig(kTwoParts + std::string(R"(
frames: {p: {at: [0.5, 0.5, 1], moves: xyz}, q: {at: [1, 0.6, 1.4], moves: xz}}
forces:
  up: {type: spring_damper, between: [ground.beam, p], stiffness: 5 N/m, damping: 2 N*s/m, free_length: 0.4 m}
  left: {type: spring_damper, between: [p, a.f], stiffness: 4 N/m, damping: 1 N*s/m, free_length: 0.2 m}
  third: {type: spring_damper, between: [p, ground.wall], stiffness: 1 N/m, damping: 3 N*s/m}
  over: {type: line_force, between: [q, p], value: "=3 (N/m) * length + 1 (N*s^2/m^2) * speed * abs(speed) + 2 (N*s/m) * speed"}
  right: {type: spring_damper, between: [q, b.f], stiffness: 6 N/m, damping: 1 N*s/m}
  side: {type: spring_damper, between: [ground.wall, q], stiffness: 3 N/m, damping: 0.5 N*s/m}
)"));
  ASSERT_TRUE(rig.model.is_ready());
  const system::System& system = *rig.model.system;
  constexpr double kGain = 2e-3;  // small enough that the iteration below converges
  rig.state.velocity[2] += 0.3;
  const std::vector<double> known = rig.state.extra;
  const auto settle = [&](system::State& state) {
    for (int i = 0; i < 30; ++i) {
      rig.forces(state);
      for (const system::IntegratedState& one : system.states) {
        const auto place = static_cast<std::size_t>(one.place);
        state.extra[place] = known[place] + kGain * rig.workspace.state_rates[place];
      }
    }
    return rig.forces(state);
  };
  settle(rig.state);
  std::vector<mechanics::ForceBlock> blocks = rig.force_blocks();
  mechanics::StateDerivatives states(system, rig.workspace.ports);
  ASSERT_EQ(states.group_count(), 1U);
  states.evaluate(rig.at(rig.state), rig.workspace);
  ASSERT_TRUE(states.factor(kGain));
  states.append_blocks(0, blocks);
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State nudged = rig.state;
    mechanics::test::nudge(nudged, body, direction, h);
    return settle(nudged);
  };
  mechanics::test::expect_differences(blocks, 2, 12, sums, 1e-5, 1e-6);
}

// In a mirror image, and with the ends of its forces exchanged.
TEST(Nodes, AreMirrored) {
  const auto wing = [](const std::string& between) {
    return R"(
gravity: [0, 0, -10]
definitions:
  wing:
    ground: {frames: {beam: [1, 0.3, 1]}}
    parts: {bob: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.2, zz: 0.1}, at: [0.6, 0.5, 0], frames: {eye: [0.1, 0, 0.05]}}}
    frames: {knot: {at: [0.8, 0.4, 0.6], moves: xyz}}
    forces:
      upper: {type: spring_damper, stiffness: 50 N/m, free_length: 0.2 m, between: )" +
           between + R"(}
      lower: {type: spring_damper, between: [knot, bob.eye], stiffness: 80 N/m, free_length: 0.3 m}
assemblies: {left: {use: wing}, right: {mirror_of: left, plane: xz}}
)";
  };
  const test::Assembled model = ready(wing("[ground.beam, knot]"));
  const test::Assembled other = ready(wing("[knot, ground.beam]"));
  ASSERT_TRUE(model.is_ready() && other.is_ready());
  test::Motion motion(model, test::dopri5(1e-9));
  test::Motion exchanged(other, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(0.4) && exchanged.advance_to(0.4));
  const Vector3 left = motion.probe().part("left.bob").p;
  const Vector3 right = motion.probe().part("right.bob").p;
  EXPECT_LT((left - Vector3(right.x(), -right.y(), right.z())).norm(), 1e-12);
  const Vector3 knot = place_of(model, motion.state(), "left.knot");
  const Vector3 image = place_of(model, motion.state(), "right.knot");
  EXPECT_LT((knot - Vector3(image.x(), -image.y(), image.z())).norm(), 1e-12);
  EXPECT_LT((exchanged.probe().part("left.bob").p - left).norm(), 1e-12);
}

// What the forces do not hold is found before the run, and said with its direction.
TEST(Nodes, ThatNothingHoldsAreRefused) {
  const auto message = [](const std::string& moves, const std::string& forces) {
    const test::Assembled model = test::assemble_text(
        "gravity: none\nground: {frames: {a: [0, 0, 0], b: [1, 0, 0], c: [0.5, 1, 0]}}\n"
        "parts: {bob: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, at: [0.5, 0, 1]}}\n"
        "frames: {knot: {at: [0.5, 0, 0], moves: " +
        moves + "}}\nforces:\n" + forces);
    EXPECT_FALSE(model.is_ready());
    return model.messages();
  };
  EXPECT_NE(message("xyz",
                    "  one: {type: spring_damper, between: [ground.a, knot], stiffness: 10 N/m}\n"
                    "  two: {type: spring_damper, between: [ground.b, knot], stiffness: 10 N/m}\n")
                .find("no force at it changes when it moves along"),
            std::string::npos);
  EXPECT_NE(message("xy",
                    "  one: {type: spring_damper, between: [ground.a, knot], stiffness: 10 N/m, free_length: 0.7 m}\n"
                    "  two: {type: spring_damper, between: [ground.b, knot], stiffness: 10 N/m, free_length: 0.7 m}\n")
                .find("its balance does not last: pushed along its y"),
            std::string::npos);
  EXPECT_NE(message("xy",
                    "  one: {type: spring_damper, between: [ground.a, knot], stiffness: 10 N/m, damping: 1 N*s/m}\n"
                    "  two: {type: spring_damper, between: [ground.c, knot], stiffness: 10 N/m}\n")
                .find("no force at it resists its speed along its y"),
            std::string::npos);
}

}  // namespace
}  // namespace gelenk::nodes_test
