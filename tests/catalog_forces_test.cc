// Forces of the catalogue against closed forms, against other forces, and their derivatives against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "gelenk/mechanics/machine_test_support.h"
#include "tests/support/run_text.h"

namespace gelenk::catalog_forces_test {
namespace {

// Dormand-Prince at a tolerance of 1e-11 on motions of about a second.
constexpr double kMotion = 1e-8;
// The same numbers in another order.
constexpr double kAlike = 1e-11;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// A block of 2 kg on a rail along x, with no gravity.
std::string on_rail(const std::string& start, const std::string& forces) {
  return "gravity: none\n"
         "ground: {frames: {wall: [-1 m, 0, 0]}}\n"
         "parts: {block: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
         "joints: {rail: {type: prismatic, between: [ground, block], axis: x, start: {" +
         start + "}}}\nforces: {" + forces + "}\n";
}

double travel_at(const test::Assembled& model, double time, double* speed = nullptr) {
  if (!model.is_ready()) return std::nan("");
  test::Motion motion(model, test::dopri5(1e-11));
  if (!motion.advance_to(time)) return std::nan("");
  test::Probe probe = motion.probe();
  if (speed != nullptr) *speed = probe.rate("rail", "travel");
  return probe.coordinate("rail", "travel");
}

// S3-31: line forces take any law. A spring written as a formula, and as a table, is the spring.
TEST(LineForce, WrittenAsASpringIsTheSpring) {
  const auto pendulum = [](const std::string& force) {
    return ready(
        "ground: {frames: {hook: [0.2, 0.3, 1]}}\n"
        "parts: {a: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {eye: [0.1, 0, 0.2]},"
        " start: {velocity: [1, 0.5, 0], angular_velocity: [1, 2, 3]}}}\nforces: {f: {between: [ground.hook, a.eye], " +
        force + "}}\n");
  };
  const test::Assembled spring =
      pendulum("type: spring_damper, stiffness: 50 N/m, damping: 0.7 N*s/m, free_length: 0.5 m");
  const test::Assembled law = pendulum("type: line_force, value: =50 (N/m) * (length - 0.5 m) + 0.7 (N*s/m) * speed");
  const test::Assembled table =
      pendulum("type: line_force, value: {table: {of: =length + 0 m, x: [0 m, 0.5 m, 9 m], y: [-25 N, 0 N, 425 N]}}");
  const test::Assembled elastic = pendulum("type: spring_damper, stiffness: 50 N/m, free_length: 0.5 m");
  const auto place = [](const test::Assembled& model) {
    if (!model.is_ready()) return Vector3(Vector3::Constant(std::nan("")));
    test::Motion motion(model, test::rk4(1e-3));
    EXPECT_TRUE(motion.advance_to(0.8));
    return motion.probe().part("a").p;
  };
  EXPECT_LT((place(spring) - place(law)).norm(), kAlike);
  EXPECT_LT((place(elastic) - place(table)).norm(), kAlike);
  EXPECT_GT((place(spring) - place(elastic)).norm(), 1e-3);
}

// m v²/2 = ∫ push (c / (c + s))^n ds = push c / (n - 1) (1 - (c / (c + s))^(n-1))
TEST(GasSpring, GivesTheWorkOfItsGas) {
  const test::Assembled model = ready(on_rail(
      "travel: 0",
      "gas: {type: gas_spring, between: [ground.wall, block], push: 300 N, at_length: 1 m, gas_column: 0.2 m}"));
  double speed = 0.0;
  const double s = travel_at(model, 0.08, &speed);
  ASSERT_GT(s, 0.1);
  const double work = 300.0 * 0.2 / 0.4 * (1.0 - std::pow(0.2 / (0.2 + s), 0.4));
  EXPECT_NEAR(speed, std::sqrt(work), kMotion);
}

// Slack, then half an oscillation, then slack again, with the same speed back.
TEST(Cable, PullsOnlyBeyondItsLength) {
  const test::Assembled model =
      ready(on_rail("travel: 0, speed: 2 m/s",
                    "rope: {type: cable, between: [ground.wall, block], free_length: 1.5 m, stiffness: 800 N/m}"));
  const double w = std::sqrt(800.0 / 2.0);
  double speed = 0.0;
  EXPECT_NEAR(travel_at(model, 0.2, &speed), 0.4, kMotion);
  EXPECT_NEAR(travel_at(model, 0.3, &speed), 0.5 + 2.0 / w * std::sin(w * 0.05), kMotion);
  EXPECT_NEAR(travel_at(model, 0.25 + std::numbers::pi / w + 0.1, &speed), 0.5 - 0.2, kMotion);
  EXPECT_NEAR(speed, -2.0, kMotion);
}

TEST(Stop, ThrowsBackWhatRunsIntoIt) {
  const test::Assembled model =
      ready(on_rail("travel: 0, speed: 2 m/s",
                    "ends: {type: stop, drives: rail.travel, upper: 0.5 m, lower: -0.1 m, stiffness: 800 N/m}"));
  const double w = std::sqrt(800.0 / 2.0);
  const double touch = std::numbers::pi / w;
  double speed = 0.0;
  EXPECT_NEAR(travel_at(model, 0.25 + touch + 0.1, &speed), 0.5 - 0.2, kMotion);
  EXPECT_NEAR(speed, -2.0, kMotion);
  EXPECT_NEAR(travel_at(model, 0.25 + touch + 0.3 + touch + 0.1, &speed), -0.1 + 0.2, kMotion);
  EXPECT_NEAR(speed, 2.0, kMotion);
}

// m x'' + c x' + k x = 0 from the touch on, until the stop would pull: tan(w t) = 2 m w c / (c² - 2 k m)
TEST(Stop, DampsAndNeverPulls) {
  const test::Assembled model =
      ready(on_rail("travel: 0, speed: 2 m/s",
                    "end: {type: stop, drives: rail.travel, upper: 0.5 m, stiffness: 800 N/m, damping: 20 N*s/m}"));
  const double decay = 20.0 / 4.0;
  const double w = std::sqrt(400.0 - decay * decay);
  const double leave = (std::numbers::pi - std::atan2(2.0 * decay * w, w * w - decay * decay)) / w;
  const double out = 2.0 * std::exp(-decay * leave) * (std::cos(w * leave) - decay / w * std::sin(w * leave));
  double speed = 0.0;
  travel_at(model, 0.25 + leave + 0.1, &speed);
  EXPECT_NEAR(speed, out, 10.0 * kMotion);
  EXPECT_GT(std::abs(out), 0.5);
}

// m v' = -F tanh(v / e): sinh(v / e) = sinh(v0 / e) exp(-F t / (m e))
TEST(JointFriction, SlowsDownToStandstill) {
  const test::Assembled model = ready(
      on_rail("speed: 1 m/s", "f: {type: joint_friction, drives: rail.travel, coulomb: 3 N, stick_rate: 0.1 m/s}"));
  for (const double time : {0.3, 0.6, 0.9}) {
    double speed = 0.0;
    travel_at(model, time, &speed);
    EXPECT_NEAR(speed, 0.1 * std::asinh(std::sinh(10.0) * std::exp(-3.0 * time / 0.2)), kMotion);
  }
}

// Coulomb, Stribeck and viscous parts add up: the deceleration at one speed.
TEST(JointFriction, HasTheCurveOfStribeck) {
  const test::Assembled model =
      ready(on_rail("speed: 0.2 m/s",
                    "f: {type: joint_friction, drives: rail.travel, coulomb: 3 N, stick_rate: "
                    "1 mm/s, stiction: 1 N, stribeck_rate: 0.3 m/s, viscous: 4 N*s/m}"));
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  EXPECT_NEAR(motion.instant().part_accelerations[0], -(3.0 + std::exp(-4.0 / 9.0) + 0.8) / 2.0, 1e-12);
}

// Oscillates about preload / stiffness; on an angle it is the torsion spring.
TEST(CoordinateSpring, HasAPreloadOnAnyCoordinate) {
  const test::Assembled model = ready(
      on_rail("travel: 0", "s: {type: coordinate_spring, drives: rail.travel, stiffness: 50 N/m, preload: 10 N}"));
  EXPECT_NEAR(travel_at(model, 0.7), 0.2 * (1.0 - std::cos(5.0 * 0.7)), kMotion);
}

TEST(CoordinateSpring, OnAnAngleIsTheTorsionSpring) {
  const auto swing = [](const std::string& force) {
    return ready(
        "parts: {arm: {mass: 1 kg, center_of_mass: [0.3, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}\n"
        "joints: {pin: {type: revolute, between: [ground, arm], axis: y}}\nforces: {s: {drives: pin.angle, " +
        force + "}}\n");
  };
  const test::Assembled one =
      swing("type: coordinate_spring, stiffness: 4 N*m/rad, damping: 0.2 N*m*s/rad, free_position: 10 deg");
  const test::Assembled other =
      swing("type: rotational_spring_damper, stiffness: 4 N*m/rad, damping: 0.2 N*m*s/rad, free_angle: 10 deg");
  ASSERT_TRUE(one.is_ready() && other.is_ready());
  test::Motion a(one, test::rk4(1e-3));
  test::Motion b(other, test::rk4(1e-3));
  ASSERT_TRUE(a.advance_to(1.0) && b.advance_to(1.0));
  EXPECT_NEAR(a.probe().coordinate("pin", "angle"), b.probe().coordinate("pin", "angle"), kAlike);
}

// Numbers of a law may change: a stiffness that grows from zero moves nothing at first.
TEST(CoordinateSpring, NumbersMayBeExpressions) {
  const test::Assembled model = ready(
      on_rail("travel: 0.1 m", "s: {type: coordinate_spring, drives: rail.travel, stiffness: =20 (N/m/s) * time}"));
  // x'' = -10 t x: an Airy function, here by its series
  const double z = 0.5;
  double sum = 0.0;
  double term = 0.1;
  for (int k = 0; k < 12; ++k) {
    sum += term;
    const double n = 3.0 * k;
    term *= -10.0 * z * z * z / ((n + 2.0) * (n + 3.0));
  }
  EXPECT_NEAR(travel_at(model, z), sum, kMotion);
}

// S3-10: two masses circle about their common center with ω² = G (m₁ + m₂) / d³.
TEST(Gravitation, KeepsTwoBodiesOnACircle) {
  const double w = std::sqrt(4.0 / 8.0);
  const std::string text =
      "gravity: none\nparts:\n"
      "  a: {at: [-0.5, 0, 0], mass: 3 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [0, " +
      std::to_string(-0.5 * w) +
      ", 0]}}\n  b: {at: [1.4, 0, 0], mass: 1 kg, center_of_mass: [0.1, 0, 0], inertia: "
      "{xx: 1, yy: 1, zz: 1}, start: {velocity: [0, " +
      std::to_string(1.5 * w) + ", 0]}}\nforces: {g: {type: gravitation, between: [a, b], constant: 1}}\n";
  const test::Assembled model = ready(text);
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  const double energy = motion.probe().energy().total();
  ASSERT_TRUE(motion.advance_to(0.75 * 2.0 * std::numbers::pi / w));
  // six digits of the start velocity in the text
  EXPECT_LT((motion.probe().part("a").p - Vector3(0.0, 0.5, 0.0)).norm(), 1e-4);
  EXPECT_NEAR(motion.probe().energy().total(), energy, 1e-9);
}

// v = v_t tanh(g t / v_t) with the weight as drag at v_t.
TEST(Drag, LetsABodyFallWithItsTerminalSpeed) {
  const test::Assembled model = ready(R"yaml(
gravity: [0, 0, -10]
parts: {ball: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
forces: {air: {type: drag, between: [ground, ball], force: 20 N, speed: 5 m/s}}
)yaml");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::dopri5(1e-11));
  for (const double time : {0.3, 1.0, 3.0}) {
    ASSERT_TRUE(motion.advance_to(time));
    EXPECT_NEAR(motion.probe().part("ball").v.z(), -5.0 * std::tanh(2.0 * time), kMotion);
  }
}

// Laws as implicit methods see them: blocks against differences of the sums on all bodies.
TEST(ForceLaws, HaveExactDerivatives) {
  const test::Assembled model = ready(R"yaml(
parts:
  a: {at: [0.4, 0.2, 0.1], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0.2, 0]}, start: {velocity: [1, 2, 1], angular_velocity: [1, 0.5, 0.2]}}
  b: {at: [1.4, 0.9, 0.6], mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {f: [0.1, 0, 0.3]}, start: {angular_velocity: [1, 2, 0]}}
joints:
  place: {type: free, between: [a, b]}
forces:
  line: {type: line_force, between: [a.f, b.f], value: =3 (N/m^2) * length^2 + 0.5 (N*s^2/m^2) * speed^2}
  gas: {type: gas_spring, between: [ground, b.f], push: 5 N, at_length: 1 m, gas_column: 1 m, damping: 1 N*s/m}
  rope: {type: cable, between: [a, b], free_length: 0.3 m, stiffness: 4 N/m, damping: 0.2 N*s/m}
  spring: {type: coordinate_spring, drives: place.x, stiffness: 3 N/m, damping: 1 N*s/m, preload: 2 N}
  friction: {type: joint_friction, drives: place.y, coulomb: 2 N, stick_rate: 1 m/s, stiction: 1 N, viscous: 0.5 N*s/m}
  end: {type: stop, drives: place.z, upper: 0.1 m, stiffness: 5 N/m, damping: 0.5 N*s/m}
  pull: {type: gravitation, between: [a, b], constant: 1}
  air: {type: drag, between: [a, b.f], damping: 1 N*s/m, force: 2 N, speed: 1 m/s}
)yaml");
  ASSERT_TRUE(model.is_ready());
  const system::System& system = *model.system;
  mechanics::Workspace workspace(system);
  system::State state = test::Motion(model, test::rk4(1e-3)).state();
  const auto load = [&](const system::State& at) {
    const mechanics::Context context{system, model.params, at};
    mechanics::update_positions(context, workspace);
    mechanics::update_velocities(context, workspace);
    mechanics::update_forces(context, workspace);
  };
  load(state);
  const mechanics::Context context{system, model.params, state};
  std::vector<mechanics::ForceBlock> blocks;
  mechanics::ForceDerivatives derivatives(system);
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const std::size_t before = blocks.size();
    derivatives.evaluate(context, workspace, static_cast<std::int32_t>(f), blocks);
    EXPECT_GT(mechanics::view(context, workspace).force(static_cast<std::int32_t>(f)).on_b.force.norm(), 1e-3)
        << system.forces[f].path;
    EXPECT_GE(blocks.size(), before);
  }
  for (std::int32_t b = 0; b < 2; ++b) blocks.push_back(mechanics::body_block(context, workspace, b));
  const auto sums = [&](std::size_t body, std::size_t direction, double h) {
    system::State nudged = state;
    mechanics::test::nudge(nudged, body, direction, h);
    load(nudged);
    return workspace.forces;
  };
  // h² and rounding / h of forces of about 30
  mechanics::test::expect_differences(blocks, 2, 12, sums, 1e-5, 1e-7);
}

constexpr const char* kPair = R"yaml(
gravity: [0.3, 0, -9.81]
definitions:
  limb:
    ground: {frames: {root: {at: [0, 0, 0]}, anchor: {at: [0.5, 0.4, 0.8]}}}
    parts:
      arm: {at: [0.2, 0.1, 0], mass: 1 kg, center_of_mass: [0.2, 0.1, 0.05], inertia: {xx: 0.05, yy: 0.06, zz: 0.04, xy: 0.01}, frames: {end: {at: [0.5, 0.1, 0.1]}}}
      pin: {at: arm.end, mass: 0.5 kg, center_of_mass: [0.05, 0.02, 0.1], inertia: {xx: 0.01, yy: 0.02, zz: 0.03}}
      hook: {at: arm.end, mass: 0.4 kg, center_of_mass: [0, 0.1, -0.2], inertia: {xx: 0.02, yy: 0.03, zz: 0.02}}
      ball: {at: [0.3, 0.6, 0.2], mass: 0.4 kg, inertia: {xx: 0.02, yy: 0.03, zz: 0.02}}
    joints:
      line: {type: point_on_line, between: [ground.root, arm], axis: [1, 0.5, 0.2], at: ground.root, start: {speed: 0.4 m/s}}
      slide: {type: slot, between: [arm.end, pin], axis: [0, 1, 1], second_axis: x, start: {travel: 0.1 m, rate: 2 rad/s}}
      shaft: {type: constant_velocity, between: [pin, hook], axis: [1, 0, 0.3]}
      tilt: {type: constant_angle, between: [ground.root, ball], axis: z, second_axis: [0, 1, 1]}
      plane: {type: point_on_plane, between: [ground.root, ball], at: ball, axis: [0.1, 0.2, 1]}
    forces:
      spring: {type: coordinate_spring, drives: line.travel, stiffness: 20 N/m, preload: 3 N}
      rub: {type: joint_friction, drives: slide.angle, coulomb: 0.1 N*m, stick_rate: 0.5 rad/s}
      ends: {type: stop, drives: slide.travel, upper: 0.15 m, stiffness: 50 N/m, damping: 1 N*s/m}
      gas: {type: gas_spring, between: [ground.anchor, hook], push: 5 N, at_length: 1 m, gas_column: 2 m}
      rope: {type: cable, between: [ground.anchor, arm.end], free_length: 0.3 m, stiffness: 40 N/m}
      pull: {type: gravitation, between: [ball, hook], constant: 1}
      oil: {type: drag, between: [arm, ball], damping: 0.1 N*s/m, force: 0.2 N, speed: 1 m/s}
assemblies:
  left: {use: limb, at: [0, 2 m, 0]}
  right: {mirror_of: left, plane: xz}
)yaml";

TEST(Catalog, MirroredAssemblyMovesAsTheMirrorImage) {
  const test::Assembled model = ready(kPair);
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(2e-3));
  const Vector3 mirror(1.0, -1.0, 1.0);
  for (const double time : {0.0, 0.3, 0.6}) {
    ASSERT_TRUE(motion.advance_to(time));
    const test::Probe probe = motion.probe();
    for (const char* part : {"arm", "pin", "hook", "ball"}) {
      const mechanics::Motion<double> left = probe.part(std::string("left.") + part);
      const mechanics::Motion<double> right = probe.part(std::string("right.") + part);
      EXPECT_LT((left.p - mirror.cwiseProduct(right.p)).norm(), 1e-10) << part << " at " << time;
      EXPECT_LT((left.v - mirror.cwiseProduct(right.v)).norm(), 1e-9) << part << " at " << time;
      EXPECT_LT((left.w + mirror.cwiseProduct(right.w)).norm(), 1e-9) << part << " at " << time;
    }
  }
}

// Components solve the same equations as one flat system.
TEST(Catalog, ComponentsMoveAsTheFlatMachine) {
  const test::Assembled model = ready(kPair);
  ASSERT_TRUE(model.is_ready());
  test::Motion flat(model, test::rk4(2e-3), analysis::Partitioning::none);
  test::Motion parts(model, test::rk4(2e-3), analysis::Partitioning::model);
  ASSERT_TRUE(flat.advance_to(0.4) && parts.advance_to(0.4));
  for (const char* part : {"left.arm", "left.pin", "right.hook", "right.ball"}) {
    EXPECT_LT((flat.probe().part(part).p - parts.probe().part(part).p).norm(), 1e-10) << part;
  }
}

}  // namespace
}  // namespace gelenk::catalog_forces_test
