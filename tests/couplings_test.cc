// Gears, racks, belts, screws and the like, against closed forms, with all kinds of methods, whole and divided.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/model/mobility.h"
#include "tests/support/run_text.h"
#include "tests/support/ways.h"

namespace gelenk::couplings_test {
namespace {

using integrate::Method;
using test::Way;
constexpr double kTurn = 2.0 * std::numbers::pi;

// Wheels of a kg m² about z, side by side on the ground, without weight.
std::string wheels(const std::string& rest) {
  return R"(
name: wheels
gravity: none
parts:
  one: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  two: {mass: 1 kg, inertia: {xx: 2, yy: 2, zz: 2}, at: [1, 0, 0]}
  three: {mass: 1 kg, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}, at: [2, 0, 0]}
)" + rest;
}
const char* const kHinges = R"(
  h1: {type: revolute, between: [ground, one], axis: z}
  h2: {type: revolute, between: [ground, two], at: [1, 0, 0], axis: z}
  h3: {type: revolute, between: [ground, three], at: [2, 0, 0], axis: z}
)";
std::string geared(const std::string& couplings, const std::string& rest = "") {
  return wheels("joints:" + std::string(kHinges) + couplings +
                "\nforces:\n  motor: {type: actuator, drives: h1.angle, value: 10}\n" + rest);
}

const Way kWays[] = {
    {"dopri5", Method::dopri5, 1e-10, 1e-8}, {"rk4", Method::rk4, 1e-3, 1e-8},
    {"adams", Method::adams, 1e-9, 1e-5},    {"bdf", Method::bdf, 1e-9, 1e-5},
    {"cvode", Method::cvode, 1e-9, 1e-5},    {"generalized_alpha", Method::generalized_alpha, 1e-3, 1e-4},
};
class EveryCouplingMethod : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Couplings, EveryCouplingMethod, testing::ValuesIn(kWays),
                         [](const auto& one) { return std::string(one.param.name); });

// q̈₁ = T / (J₁ + J₂ / i²); q₁ + i q₂ = 0, through many turns.
TEST_P(EveryCouplingMethod, GearFollowsItsClosedForm) {
  const test::Assembled model =
      test::assemble_text(geared("  mesh: {type: gear, couples: [h1.angle, h2.angle], ratio: 5}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, options_of(GetParam()));
  const double acceleration = 9.25925925925926;
  ASSERT_TRUE(motion.advance_to(2.0));
  test::Probe now = motion.probe();
  EXPECT_NEAR(now.rate("h1", "angle"), 2.0 * acceleration, GetParam().error);
  EXPECT_NEAR(now.coordinate("h1", "angle"), 2.0 * acceleration, GetParam().error);
  EXPECT_GT(now.coordinate("h1", "angle"), 2.0 * kTurn);
  EXPECT_NEAR(now.coordinate("h1", "angle") + 5.0 * now.coordinate("h2", "angle"), 0.0, 1e-11);
  EXPECT_NEAR(now.rate("h1", "angle") + 5.0 * now.rate("h2", "angle"), 0.0, 1e-11);
}

// A gear between wheels on a carrier that tumbles: nothing is gained or lost, and all solvers agree.
const char* const kTumbling = R"(
name: tumbling
gravity: [0, 0, -9.81]
parts:
  carrier: {mass: 3 kg, inertia: {xx: 0.3, yy: 0.2, zz: 0.25}}
  one: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.02, zz: 0.04}, at: [0.3, 0, 0], start: {angular_velocity: [1, 2, 7]}}
  two: {mass: 0.5 kg, inertia: {xx: 0.01, yy: 0.02, zz: 0.01}, at: [0, 0.3, 0]}
joints:
  foot: {type: spherical, between: [ground, carrier], at: [0, 0, 0.4]}
  h1: {type: revolute, between: [carrier, one], at: [0.3, 0, 0], axis: z}
  h2: {type: revolute, between: [carrier, two], at: [0, 0.3, 0], axis: y}
  bevel: {type: gear, couples: [h1.angle, h2.angle], ratio: 2}
)";
TEST_P(EveryCouplingMethod, BevelGearOnATumblingCarrierKeepsItsEnergy) {
  const test::Assembled model = test::assemble_text(kTumbling);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Motion motion(model, options_of(GetParam()));
  const double start = motion.probe().energy().total();
  ASSERT_TRUE(motion.advance_to(1.0));
  test::Probe now = motion.probe();
  EXPECT_NEAR(now.energy().total(), start, 10.0 * GetParam().error * std::abs(start));
  EXPECT_NEAR(now.rate("h1", "angle") + 2.0 * now.rate("h2", "angle"), 0.0, 1e-11);
  EXPECT_NEAR(now.coordinate("h1", "angle") + 2.0 * now.coordinate("h2", "angle"), 0.0, 1e-11);
}

TEST(Couplings, AllSolversAgreeOnATumblingCarrier) {
  const test::Assembled model = test::assemble_text(kTumbling);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  integrate::Options options;
  options.method = Method::dopri5;
  options.tolerance = 1e-11;
  test::Motion by_components(model, options);
  test::Motion flat(model, options, analysis::Partitioning::none);
  ASSERT_TRUE(by_components.advance_to(1.0));
  ASSERT_TRUE(flat.advance_to(1.0));
  const mechanics::Motion<double> a = by_components.probe().part("two");
  const mechanics::Motion<double> b = flat.probe().part("two");
  EXPECT_LT((a.p - b.p).norm(), 1e-9);
  EXPECT_LT((a.w - b.w).norm(), 1e-8);
}

double acceleration_of(const test::Assembled& model, std::size_t part) {
  test::Motion motion(model, {});
  return motion.instant().part_accelerations[6 * part + 5];
}

// Sun and carrier with the ring held: (1 + r) carrier = sun; J_s and J_c seen by the sun.
TEST(Couplings, PlanetaryGearWithTheRingHeld) {
  const test::Assembled model = test::assemble_text(R"(
name: planetary
gravity: none
parts:
  sun: {mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  ring: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  arm: {mass: 1 kg, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}
joints:
  s: {type: revolute, between: [ground, sun], axis: z}
  r: {type: revolute, between: [ground, ring], axis: z}
  c: {type: revolute, between: [ground, arm], axis: z}
  set: {type: planetary, sun: s.angle, ring: r.angle, carrier: c.angle, ratio: 2}
drivers: {brake: {drives: r.angle, position: 0}}
forces: {motor: {type: actuator, drives: s.angle, value: 1}}
)");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(acceleration_of(model, 0), 6.428571428571429, 1e-12);
  EXPECT_NEAR(acceleration_of(model, 2), 6.428571428571429 / 3.0, 1e-12);
}

// Two equal gears in parallel: the motion of one, the torque shared.
TEST(Couplings, RedundantGearsShareTheirTorque) {
  const test::Assembled model =
      test::assemble_text(geared("  a: {type: gear, couples: [h1.angle, h2.angle], ratio: 5}\n"
                                 "  b: {type: gear, couples: [h1.angle, h2.angle], ratio: 5}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(acceleration_of(model, 0), 9.25925925925926, 1e-12);
  EXPECT_EQ(model::expected_mobility(model.machine()).couplings_held_twice.size(), 2U);
}

// Gears that contradict each other lock.
TEST(Couplings, ContradictingGearsLock) {
  const test::Assembled model =
      test::assemble_text(geared("  a: {type: gear, couples: [h1.angle, h2.angle], ratio: 5}\n"
                                 "  b: {type: gear, couples: [h1.angle, h2.angle], ratio: 4}"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  EXPECT_NEAR(acceleration_of(model, 0), 0.0, 1e-12);
  EXPECT_EQ(model::expected_mobility(model.machine()).free_motions, 1U);  // the third wheel
}

// A belt turns both ways alike, a coupler is the plain law, a differential takes the mean.
TEST(Couplings, BeltCouplerAndDifferential) {
  const test::Assembled belt =
      test::assemble_text(geared("  b: {type: belt, couples: [h1.angle, h2.angle], ratio: 2}"));
  ASSERT_TRUE(belt.is_ready()) << belt.messages();
  EXPECT_NEAR(acceleration_of(belt, 0), 10.0 / (1.0 + 2.0 / 4.0), 1e-12);
  EXPECT_NEAR(acceleration_of(belt, 1), 0.5 * acceleration_of(belt, 0), 1e-12);
  const test::Assembled coupler =
      test::assemble_text(geared("  c: {type: coupler, couples: [h1.angle, h2.angle], ratio: -3, offset: 30 deg}"));
  ASSERT_TRUE(coupler.is_ready()) << coupler.messages();
  EXPECT_NEAR(acceleration_of(coupler, 0), 10.0 / (1.0 + 9.0 * 2.0), 1e-12);
  test::Probe start(coupler);
  EXPECT_NEAR(start.coordinate("h2", "angle"), -3.0 * start.coordinate("h1", "angle") + std::numbers::pi / 6.0, 1e-12);
  // q₁ = (q₂ + q₃) / 2: with T on the first, J q̈ = λ/2 on both others.
  const test::Assembled differential =
      test::assemble_text(geared("  d: {type: differential, input: h1.angle, left: h2.angle, right: h3.angle}"));
  ASSERT_TRUE(differential.is_ready()) << differential.messages();
  const double first = 10.0 / (1.0 + 4.0 / (1.0 / 2.0 + 1.0 / 0.5));
  EXPECT_NEAR(acceleration_of(differential, 0), first, 1e-12);
  EXPECT_NEAR(acceleration_of(differential, 1) * 2.0, acceleration_of(differential, 2) * 0.5, 1e-12);
}

// A rack on its pinion, and a screw: a wheel that falls along its thread.
TEST(Couplings, RackAndScrew) {
  const test::Assembled rack = test::assemble_text(wheels(R"(
joints:
  h1: {type: revolute, between: [ground, one], axis: z}
  slide: {type: prismatic, between: [ground, two], at: [1, 0, 0], axis: x}
  hold: {type: fixed, between: [ground, three]}
  r: {type: rack, couples: [slide.travel, h1.angle], radius: 0.2 m}
forces: {motor: {type: actuator, drives: h1.angle, value: 10}}
)"));
  ASSERT_TRUE(rack.is_ready()) << rack.messages();
  EXPECT_NEAR(acceleration_of(rack, 0), 10.0 / (1.0 + 0.04), 1e-12);
  const test::Assembled screw = test::assemble_text(R"(
name: spindle
gravity: [0, 0, -10]
parts: {nut: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
joints: {thread: {type: screw, between: [ground, nut], axis: z, pitch: 100 mm}}
)");
  ASSERT_TRUE(screw.is_ready()) << screw.messages();
  const double lead = 0.1 / kTurn;
  const double fall = -2.0 * 10.0 / (2.0 + 0.1 / (lead * lead));
  test::Motion motion(screw, {});
  EXPECT_NEAR(motion.instant().part_accelerations[2], fall, 1e-12);
  ASSERT_TRUE(motion.advance_to(3.0));
  test::Probe now = motion.probe();
  EXPECT_NEAR(now.coordinate("thread", "travel"), lead * now.coordinate("thread", "angle"), 1e-12);
  EXPECT_EQ(model::expected_mobility(screw.machine()).free_motions, 1U);
}

// One start value is enough: the others follow, over many turns.
TEST(Couplings, StartValuesFollowThroughCouplings) {
  const test::Assembled model = test::assemble_text(wheels(R"(
joints:
  h1: {type: revolute, between: [ground, one], axis: z, start: {angle: 100 deg, rate: 3}}
  h2: {type: revolute, between: [ground, two], at: [1, 0, 0], axis: z}
  h3: {type: revolute, between: [ground, three], at: [2, 0, 0], axis: z}
  a: {type: gear, couples: [h1.angle, h2.angle], ratio: 0.02}
  b: {type: gear, couples: [h2.angle, h3.angle], ratio: 10}
)"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  test::Probe start(model);
  EXPECT_NEAR(start.coordinate("h2", "angle"), -50.0 * kTurn * 100.0 / 360.0, 1e-9);
  EXPECT_NEAR(start.coordinate("h3", "angle"), 5.0 * kTurn * 100.0 / 360.0, 1e-9);
  EXPECT_NEAR(start.rate("h3", "angle"), 15.0, 1e-9);
}

TEST(Couplings, StartValuesThatDoNotFitAreRefused) {
  const test::Assembled model = test::assemble_text(wheels(R"(
joints:
  h1: {type: revolute, between: [ground, one], axis: z, start: {angle: 100 deg}}
  h2: {type: revolute, between: [ground, two], at: [1, 0, 0], axis: z, start: {angle: 10 deg}}
  a: {type: gear, couples: [h1.angle, h2.angle], ratio: 2}
)"));
  EXPECT_FALSE(model.is_ready());
  EXPECT_NE(model.messages().find("h1"), std::string::npos) << model.messages();
}

}  // namespace
}  // namespace gelenk::couplings_test
