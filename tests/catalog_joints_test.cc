// Joints of the catalogue against closed forms and against the joints that they are together with others.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>
#include <string>

#include "tests/support/run_text.h"

namespace gelenk::catalog_joints_test {
namespace {

// A step of 1 ms with RK4 on motions of some radians per second: 1e-12 per second of motion, and rounding of a
// projection.
constexpr double kMotion = 1e-10;

test::Assembled ready(const std::string& text) {
  test::Assembled model = test::assemble_text(text);
  EXPECT_TRUE(model.is_ready()) << model.messages();
  return model;
}

// Two joints of one direction each hold what a single well-known joint holds: the motion is the same.
struct SameMotion {
  const char* name;
  const char* joints;
  const char* known;
};
void PrintTo(const SameMotion& one, std::ostream* out) { *out << one.name; }

class SameAsAKnownJoint : public testing::TestWithParam<SameMotion> {};

// S3-17: joints of many kinds.
TEST_P(SameAsAKnownJoint, MovesAlike) {
  const std::string body =
      "gravity: [1 m/s^2, 2 m/s^2, -9.81 m/s^2]\n"
      "parts: {a: {at: [0.3, 0.1, 0.2], mass: 2 kg, center_of_mass: [0.2, 0.1, 0.3],"
      " inertia: {xx: 0.3, yy: 0.25, zz: 0.2, xy: 0.02}, start: {velocity: [0, 0, 0], angular_velocity: [0, 0, 0]}}}\n"
      "ground: {frames: {g: {at: {position: [0.3, 0.1, 0.2], orientation: {axis: [1, 2, 0.5], angle: 40 deg}}}}}\n"
      "joints: {";
  const auto at_g = [](const char* joints) { return std::string(joints) + "}\n"; };
  const test::Assembled one = ready(body + at_g(GetParam().joints));
  const test::Assembled other = ready(body + at_g(GetParam().known));
  if (!one.is_ready() || !other.is_ready()) return;
  test::Motion motion(one, test::rk4(1e-3));
  test::Motion known(other, test::rk4(1e-3));
  for (const double time : {0.3, 0.7}) {
    ASSERT_TRUE(motion.advance_to(time) && known.advance_to(time));
    const mechanics::Motion<double> a = motion.probe().part("a");
    const mechanics::Motion<double> b = known.probe().part("a");
    EXPECT_LT((a.p - b.p).norm(), kMotion);
    EXPECT_LT((a.R - b.R).norm(), kMotion);
    EXPECT_LT((a.v - b.v).norm(), 10.0 * kMotion);
    EXPECT_GT(a.v.norm() + a.w.norm(), 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SameAsAKnownJoint,
    testing::Values(SameMotion{"revolute",
                               "p: {type: spherical, between: [ground, a], at: ground.g}, z: {type: parallel_axes, "
                               "between: [ground, a], at: ground.g, axis: z}",
                               "p: {type: revolute, between: [ground, a], at: ground.g, axis: z}"},
                    SameMotion{"cylindrical",
                               "p: {type: point_on_line, between: [ground, a], at: ground.g, axis: z}, z: {type: "
                               "parallel_axes, between: [ground, a], at: ground.g, axis: z}",
                               "p: {type: cylindrical, between: [ground, a], at: ground.g, axis: z}"},
                    SameMotion{"planar",
                               "p: {type: point_on_plane, between: [ground, a], at: ground.g, axis: z}, z: {type: "
                               "parallel_axes, between: [ground, a], at: ground.g, axis: z}",
                               "p: {type: planar, between: [ground, a], at: ground.g, axis: z}"},
                    SameMotion{"universal",
                               "p: {type: spherical, between: [ground, a], at: ground.g}, z: {type: "
                               "perpendicular_axes, between: [ground, a], at: ground.g, axis: z, second_axis: x}",
                               "p: {type: universal, between: [ground, a], at: ground.g, axis: z, second_axis: x}"},
                    SameMotion{"right_angle",
                               "p: {type: spherical, between: [ground, a], at: ground.g}, z: {type: "
                               "constant_angle, between: [ground, a], at: ground.g, axis: z, second_axis: x}",
                               "p: {type: universal, between: [ground, a], at: ground.g, axis: z, second_axis: x}"},
                    SameMotion{"slot",
                               "p: {type: point_on_line, between: [ground, a], at: ground.g, axis: x}, z: {type: "
                               "parallel_axes, between: [ground, a], at: ground.g, axis: z}",
                               "p: {type: slot, between: [ground, a], at: ground.g, axis: z, second_axis: x}"},
                    SameMotion{"free", "p: {type: free, between: [ground, a], at: ground.g}", ""}),
    [](const auto& one) { return one.param.name; });

// Scotch yoke: a pin on a crank slides in the slot of a yoke, whose travel is then r cos φ.
TEST(Slot, MovesAYokeAsACosine) {
  const test::Assembled model = ready(R"yaml(
gravity: none
parts:
  crank: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {pin: [0.2 m, 0, 0]}}
  yoke: {at: [0.2 m, 0, 0], mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  shaft: {type: revolute, between: [ground, crank], axis: z}
  rail: {type: prismatic, between: [ground, yoke], axis: x}
  pin: {type: slot, between: [yoke, crank.pin], axis: z, second_axis: y}
drivers: {motor: {drives: shaft.angle, rate: 3 rad/s}}
)yaml");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  for (const double time : {0.0, 0.4, 1.3}) {
    ASSERT_TRUE(motion.advance_to(time));
    test::Probe probe = motion.probe();
    EXPECT_NEAR(probe.coordinate("rail", "travel"), 0.2 * std::cos(3.0 * time), kMotion);
    EXPECT_NEAR(probe.coordinate("pin", "travel"), 0.2 * std::sin(3.0 * time), kMotion);
    EXPECT_NEAR(probe.coordinate("pin", "angle"), 3.0 * time, kMotion);
  }
}

// Two shafts at 50 degrees: a Cardan joint would make the second one lead and lag by up to 12 degrees.
TEST(ConstantVelocity, TurnsBothShaftsAlike) {
  const test::Assembled model = ready(R"yaml(
gravity: none
ground: {frames: {out: {at: {orientation: {axis: y, angle: 50 deg}}}}}
parts:
  in: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  out: {at: ground.out, mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  first: {type: revolute, between: [ground, in], axis: z}
  second: {type: revolute, between: [ground.out, out], axis: z}
  joint: {type: constant_velocity, between: [in, out], axis: z}
drivers: {motor: {drives: first.angle, position: "=2 (rad/s)*time + 0.5*sin(3 (rad/s)*time)"}}
)yaml");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  for (const double time : {0.2, 0.9, 2.5}) {
    ASSERT_TRUE(motion.advance_to(time));
    test::Probe probe = motion.probe();
    EXPECT_NEAR(probe.coordinate("second", "angle"), 2.0 * time + 0.5 * std::sin(3.0 * time), kMotion);
    EXPECT_NEAR(probe.rate("second", "angle"), 2.0 + 1.5 * std::cos(3.0 * time), 10.0 * kMotion);
  }
}

// A symmetric top whose axis is held at an angle to the vertical: with nothing left to nutate, it precesses and spins
// at constant rates, gravity or not.
TEST(ConstantAngle, LetsATopPrecessAtAConstantRate) {
  const test::Assembled model = ready(R"yaml(
parts:
  top:
    at: {orientation: {axis: y, angle: 35 deg}}
    mass: 1 kg
    center_of_mass: [0, 0, 0.3]
    inertia: {xx: 0.02, yy: 0.02, zz: 0.03}
    start: {angular_velocity: [2 rad/s, 0, 5 rad/s]}
joints:
  foot: {type: spherical, between: [ground, top]}
  tilt: {type: constant_angle, between: [ground, top], axis: z, second_axis: z, angle: 35 deg}
)yaml");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(5e-4));
  const mechanics::Motion<double> start = motion.probe().part("top");
  const Vector3 axis = start.R.col(2);
  // w = ψ' z + φ' axis
  const double precession = start.w.cross(axis).y() / Vector3::UnitZ().cross(axis).y();
  EXPECT_GT(std::abs(precession), 0.5);
  for (const double time : {0.5, 1.5}) {
    ASSERT_TRUE(motion.advance_to(time));
    const Vector3 now = motion.probe().part("top").R.col(2);
    EXPECT_NEAR(now.z(), std::cos(35.0 * std::numbers::pi / 180.0), kMotion);
    EXPECT_NEAR(std::remainder(std::atan2(now.y(), now.x()) - precession * time, 2.0 * std::numbers::pi), 0.0, 1e-9);
  }
}

// S4-20: prescribed motion of a body relative to another. Drivers hold x and z of a body, y falls freely.
TEST(Free, CoordinatesCanBeDrivenAndStarted) {
  const test::Assembled model = ready(R"yaml(
gravity: [0, -9.81 m/s^2, 0]
parts: {a: {mass: 2 kg, inertia: {xx: 0.3, yy: 0.25, zz: 0.2}}}
joints: {place: {type: free, between: [ground, a], start: {y: 2 m, speed_y: 1 m/s}}}
drivers:
  x: {drives: place.x, position: "=0.3 m*sin(2 (rad/s)*time)"}
  z: {drives: place.z, position: "=0.1 (m/s)*time"}
)yaml");
  ASSERT_TRUE(model.is_ready());
  test::Motion motion(model, test::rk4(1e-3));
  ASSERT_TRUE(motion.advance_to(1.1));
  test::Probe probe = motion.probe();
  EXPECT_NEAR(probe.coordinate("place", "x"), 0.3 * std::sin(2.2), kMotion);
  EXPECT_NEAR(probe.coordinate("place", "y"), 2.0 + 1.1 - 0.5 * 9.81 * 1.21, kMotion);
  EXPECT_NEAR(probe.coordinate("place", "z"), 0.11, kMotion);
  EXPECT_NEAR(motion.instant().efforts[0], 2.0 * -1.2 * std::sin(2.2), 1e-8);
}

}  // namespace
}  // namespace gelenk::catalog_joints_test
