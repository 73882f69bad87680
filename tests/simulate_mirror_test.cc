// A mirrored assembly moves as the mirror image of the one it was made from: drivers, actuators, springs, loads.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/run_text.h"

namespace gelenk::simulate_mirror_test {
namespace {

// Rounding of two seconds of motion at a few meters per second.
constexpr double kMirrored = 1e-10;

constexpr const char* kPair = R"yaml(
gravity: [0.3, 0, -9.81]
definitions:
  limb:
    parts:
      hub: {mass: 2 kg, center_of_mass: [0.1, 0.05, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.15, xy: 0.01}, frames: {end: {at: [0.4, 0.3, 0.1]}}}
      arm: {at: hub.end, mass: 1 kg, center_of_mass: [0.2, 0.1, 0.05], inertia: {xx: 0.05, yy: 0.06, zz: 0.04}, frames: {end: {at: [0.5, 0.1, 0]}}}
      slider: {at: arm.end, mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
      hook: {at: slider, mass: 0.4 kg, center_of_mass: [0, 0.1, -0.2], inertia: {xx: 0.02, yy: 0.03, zz: 0.02}}
    joints:
      root: {type: revolute, between: [ground.root, hub], axis: [0.2, 0.3, 1], start: {angle: 20 deg}}
      knee: {type: universal, between: [hub.end, arm], axis: x, second_axis: y, start: {angle_1: 10 deg, rate_2: 1 rad/s}}
      track: {type: cylindrical, between: [arm.end, slider], axis: [1, 1, 0], start: {speed: 0.5 m/s, rate: 2 rad/s}}
      eye: {type: spherical, between: [slider, hook]}
    ground: {frames: {root: {at: [0, 0, 0]}, anchor: {at: [1, 1, 1]}}}
    drivers:
      motor: {drives: root.angle, position: "=20 deg + 0.8*sin(2 (rad/s)*time)"}
    forces:
      coil: {type: rotational_spring_damper, drives: knee.angle_2, stiffness: 5 N*m/rad, damping: 0.1 N*m*s/rad, free_angle: 15 deg}
      servo: {type: actuator, drives: knee.angle_1, value: "=-8 (N*m)*coordinate - 0.3 (N*m*s)*rate + 0.5 (N*m)*sin(3 (rad/s)*time)"}
      return: {type: actuator, drives: track.travel, value: "=-60 (N/m)*coordinate + 2 (N/m)*hub.position.y"}
      brake: {type: actuator, drives: track.angle, value: "=-0.2 (N*m*s)*rate"}
      cord: {type: spring_damper, between: [ground.anchor, hook], stiffness: 10 N/m, free_length: 0.4 m}
      mount: {type: bushing, between: [ground.anchor, arm], stiffness: [1 N/m, 4 N/m, 2 N/m], preload_force: [0.1 N, 0.2 N, 0.3 N]}
      twist: {type: torque, applied_to: hook, about: [1, 2, 0], value: "=0.1 (N*m)*cos(time*1 (rad/s))"}
      push: {type: force, between: [slider, hub], along: [0, 1, 1], value: 0.5 N}
assemblies:
  left: {use: limb, at: [0, 1 m, 0]}
  right: {mirror_of: left, plane: xz}
)yaml";

TEST(MirroredAssembly, MovesAsTheMirrorImage) {
  const test::Assembled model = test::assemble_text(kPair);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, test::rk4(2e-3));
  const Vector3 mirror(1.0, -1.0, 1.0);
  for (const double time : {0.0, 0.5, 1.0, 2.0}) {
    ASSERT_TRUE(motion.advance_to(time));
    const test::Probe probe = motion.probe();
    for (const char* part : {"hub", "arm", "slider", "hook"}) {
      const mechanics::Motion<double> left = probe.part(std::string("left.") + part);
      const mechanics::Motion<double> right = probe.part(std::string("right.") + part);
      EXPECT_LT((left.p - mirror.cwiseProduct(right.p)).norm(), kMirrored) << part << " at " << time;
      EXPECT_LT((left.v - mirror.cwiseProduct(right.v)).norm(), 10.0 * kMirrored) << part << " at " << time;
      EXPECT_LT((left.w + mirror.cwiseProduct(right.w)).norm(), 10.0 * kMirrored) << part << " at " << time;
      EXPECT_GT(left.v.norm() + left.w.norm(), 1e-3) << part << " at " << time;
    }
  }
}

}  // namespace
}  // namespace gelenk::simulate_mirror_test
