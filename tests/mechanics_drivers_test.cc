// Prescribed motion: over many turns, without drift, at every level.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/run_text.h"

namespace gelenk::mechanics_drivers_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::Motion;

constexpr double kTurn = 2.0 * std::numbers::pi;
// A driven angle is held by projection: to rounding of the angle itself, of which 100 turns have 1e-13.
constexpr double kHeld = 1e-9;

std::string rotor(const std::string& driver, const std::string& more = {}) {
  return R"yaml(
gravity: none
parts:
  rotor: {mass: 2 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.25}}
joints:
  hinge: {type: revolute, between: [ground, rotor], axis: z)yaml" +
         more + R"yaml(}
drivers:
  motor: {drives: hinge.angle, )yaml" +
         driver + "}\n";
}

class DriverMethods : public testing::TestWithParam<integrate::Method> {
 protected:
  static integrate::Options options(double step) {
    return GetParam() == integrate::Method::rk4 ? test::rk4(step) : test::dopri5(1e-8, step);
  }
};
INSTANTIATE_TEST_SUITE_P(Both, DriverMethods, testing::Values(integrate::Method::rk4, integrate::Method::dopri5),
                         [](const auto& one) { return one.param == integrate::Method::rk4 ? "rk4" : "dopri5"; });

TEST_P(DriverMethods, HundredTurnsAtConstantRate) {
  for (const double sign : {1.0, -1.0}) {
    const Assembled model = assemble_text(rotor("rate: " + std::to_string(sign) + " (rad/s)"));
    ASSERT_TRUE(model.is_ready()) << model.messages();
    Motion motion(model, options(0.05));
    // Every half turn: on both sides of ±180°, and on it.
    for (int i = 1; i <= 200; ++i) {
      const double time = 0.5 * kTurn * i;
      ASSERT_TRUE(motion.advance_to(time));
      ASSERT_NEAR(motion.probe().coordinate("hinge", "angle"), sign * time, kHeld) << "half turn " << i;
    }
  }
}

TEST_P(DriverMethods, PositionLawThroughManyTurns) {
  const Assembled model = assemble_text(rotor("position: \"=20*sin(0.5 (rad/s)*time) + 3 (rad/s)*time\""));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, options(0.01));
  for (int i = 1; i <= 100; ++i) {
    const double t = 0.2 * i;
    ASSERT_TRUE(motion.advance_to(t));
    test::Probe probe = motion.probe();
    ASSERT_NEAR(probe.coordinate("hinge", "angle"), 20.0 * std::sin(0.5 * t) + 3.0 * t, kHeld) << "at " << t;
    ASSERT_NEAR(probe.rate("hinge", "angle"), 10.0 * std::cos(0.5 * t) + 3.0, kHeld) << "at " << t;
  }
}

TEST_P(DriverMethods, AccelerationLawFromItsStartRate) {
  const Assembled model = assemble_text(
      rotor("acceleration: \"=2 (rad/s^2)*cos(3 (rad/s)*time)\"", ", start: {angle: 170 deg, rate: 4 rad/s}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, options(0.01));
  for (int i = 1; i <= 50; ++i) {
    const double t = 0.2 * i;
    ASSERT_TRUE(motion.advance_to(t));
    test::Probe probe = motion.probe();
    // φ = φ0 + 4 t + 2/9 (1 - cos 3t): the law is integrated, so here the method's own error counts
    const double angle = 170.0 / 360.0 * kTurn + 4.0 * t + 2.0 / 9.0 * (1.0 - std::cos(3.0 * t));
    constexpr double kIntegrated = 1e-7;
    ASSERT_NEAR(probe.coordinate("hinge", "angle"), angle, kIntegrated) << "at " << t;
    ASSERT_NEAR(probe.rate("hinge", "angle"), 4.0 + 2.0 / 3.0 * std::sin(3.0 * t), kIntegrated) << "at " << t;
  }
}

TEST_P(DriverMethods, NoDriftInHundredSeconds) {
  // A rate that is not constant: what the joint does and what the law says are integrated together.
  const Assembled model = assemble_text(rotor("rate: \"=5 (rad/s) + 4 (rad/s)*sin(7 (rad/s)*time)\""));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, options(0.01));
  double worst = 0.0;
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(motion.advance_to(i));
    const double driven = motion.state().extra[0];
    worst = std::max(worst, std::abs(motion.probe().coordinate("hinge", "angle") - driven));
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_NEAR(motion.state().extra[0], 500.0 + 4.0 / 7.0 * (1.0 - std::cos(700.0)), 1e-5);
}

TEST_P(DriverMethods, StepsOfMoreThanHalfATurnAreCounted) {
  const Assembled model = assemble_text(rotor("rate: 40 (rad/s)"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, options(0.2));  // 8 rad each
  for (int i = 1; i <= 40; ++i) {
    ASSERT_TRUE(motion.advance_to(0.2 * i));
    ASSERT_NEAR(motion.probe().coordinate("hinge", "angle"), 8.0 * i, kHeld);
  }
}

// The torque that a driver says is what the inertia needs: M = (J + m c²) φ̈ about the hinge.
// S2-04, S3-37: servomotors; the motion is given, the torque follows (inverse model).
TEST(Drivers, EffortIsTheTorqueOfTheInertia) {
  const Assembled model = assemble_text(rotor("position: \"=0.5 (rad/s^2)*time^2\""));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::rk4(0.01));
  ASSERT_TRUE(motion.advance_to(3.0));
  const test::Instant now = motion.instant();
  constexpr double kMoment = 0.25 + 2.0 * 0.1 * 0.1;
  EXPECT_NEAR(now.efforts[0], kMoment, 1e-10);
  EXPECT_NEAR(now.efforts[1], kMoment * 3.0, 1e-9);
}

TEST(Drivers, TravelFollowsItsLaw) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts: {slide: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {rail: {type: prismatic, between: [ground, slide], axis: [1, 2, 2]}}
drivers: {screw: {drives: rail.travel, position: "=0.3 m * sin(2 (rad/s)*time)"
}
}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::dopri5(1e-8));
  ASSERT_TRUE(motion.advance_to(2.0));
  test::Probe probe = motion.probe();
  EXPECT_NEAR(probe.coordinate("rail", "travel"), 0.3 * std::sin(4.0), 1e-12);
  EXPECT_LT((probe.part("slide").p - 0.3 * std::sin(4.0) * Vector3(1.0, 2.0, 2.0) / 3.0).norm(), 1e-12);
  EXPECT_NEAR(motion.instant().efforts[0], -1.2 * std::sin(4.0), 1e-10);  // m s̈
}

TEST(TorsionSpring, WoundOverThreeTurns) {
  const std::string text = R"yaml(
gravity: none
parts: {rotor: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
joints: {hinge: {type: revolute, between: [ground, rotor], axis: z}}
forces: {spring: {type: rotational_spring_damper, drives: hinge.angle, stiffness: 2 N*m/rad, free_angle: 0.5 rad}}
)yaml";
  const Assembled driven =
      assemble_text(text + "drivers: {motor: {drives: hinge.angle, position: \"=6 (rad/s)*pi*time\"}}\n");
  ASSERT_TRUE(driven.is_ready()) << driven.messages();
  Motion motion(driven, test::rk4(0.01));
  for (int i = 1; i <= 6; ++i) {
    ASSERT_TRUE(motion.advance_to(i / 6.0));
    const double wound = std::numbers::pi * i - 0.5;
    EXPECT_NEAR(motion.probe().energy().potential, wound * wound, 1e-9);  // ½ k φ², k = 2
    EXPECT_NEAR(motion.instant().efforts[0], 2.0 * wound, 1e-8);
  }
}

// Let go after three turns it swings with ω = √(k / J) through all of them.
TEST(TorsionSpring, UnwindsAsAnOscillator) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts: {rotor: {mass: 1 kg, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}}
joints: {hinge: {type: revolute, between: [ground, rotor], axis: z, start: {angle: 1080 deg}}}
forces: {spring: {type: rotational_spring_damper, drives: hinge.angle, stiffness: 2 N*m/rad}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(test::Probe(model).coordinate("hinge", "angle"), 3.0 * kTurn, 1e-12);
  for (const integrate::Options& options : {test::rk4(0.005), test::dopri5(1e-10)}) {
    Motion motion(model, options);
    for (int i = 1; i <= 50; ++i) {
      const double t = 0.1 * i;
      ASSERT_TRUE(motion.advance_to(t));
      ASSERT_NEAR(motion.probe().coordinate("hinge", "angle"), 3.0 * kTurn * std::cos(2.0 * t), 1e-6) << "at " << t;
    }
  }
}

// Steps that are thrown away must not leave turns behind: a fast spin meets a stiff stop again and again.
TEST(TorsionSpring, TurnsAreRightThoughStepsAreRejected) {
  const Assembled model = assemble_text(R"yaml(
gravity: none
parts: {rotor: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {angular_velocity: [0, 0, 60 rad/s]}}}
joints: {hinge: {type: revolute, between: [ground, rotor], axis: z}}
forces:
  stop: {type: actuator, drives: hinge.angle, value: "=if(coordinate > 50, -4000 (N*m)*(coordinate - 50), 0 (N*m))"}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::dopri5(1e-9));
  ASSERT_TRUE(motion.advance_to(0.5));
  EXPECT_NEAR(motion.probe().coordinate("hinge", "angle"), 30.0, 1e-6);
  // In the stop it is an oscillator: thrown back at the speed it came with, after half a period.
  const double in_stop = std::numbers::pi / std::sqrt(4000.0);
  const double back = 50.0 / 60.0 + in_stop;
  ASSERT_TRUE(motion.advance_to(back + 1.5));
  EXPECT_NEAR(motion.probe().coordinate("hinge", "angle"), 50.0 - 90.0, 1e-4);
  EXPECT_NEAR(motion.probe().rate("hinge", "angle"), -60.0, 1e-4);
  EXPECT_GT(motion.integrator().counters().rejected, 0);
}

}  // namespace
}  // namespace gelenk::mechanics_drivers_test
