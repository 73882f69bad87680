// Parts without joints, under every kind of gravity.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/run_text.h"

namespace gelenk::mechanics_free_parts_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::Motion;

std::string stone(const std::string& gravity) {
  return "gravity: " + gravity + R"yaml(
parts:
  stone:
    at: {position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 1 rad}}
    mass: 2 kg
    center_of_mass: [0.1, 0.2, -0.1]
    inertia: {xx: 1, yy: 2, zz: 2.5}
    start: {velocity: [1, -2, 4], angular_velocity: [0.5, 3, -0.2]}
)yaml";
}

// Angular momentum about the center of mass, world axes.
Vector3 spin(const Assembled& model, const system::State& state) {
  const Matrix3 R = state.orientation[0].toRotationMatrix();
  return R * model.params.bodies[0].inertia() * R.transpose() * Vector3::Map(&state.velocity[3]);
}

TEST(FreePart, KeepsItsMomentumWithoutGravity) {
  const Assembled model = assemble_text(stone("none"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::dopri5(1e-11));
  const Vector3 before = spin(model, model.state());
  const double energy = motion.probe().energy().kinetic;
  ASSERT_TRUE(motion.advance_to(5.0));
  EXPECT_LT((spin(model, motion.state()) - before).norm(), 1e-8);
  EXPECT_NEAR(motion.probe().energy().kinetic, energy, 1e-8);
  const Vector3 v = Vector3::Map(&model.state().velocity[0]);
  EXPECT_LT((motion.state().position[0] - model.state().position[0] - 5.0 * v).norm(), 1e-10);
}

// S2-07: the center of mass is away from the part's frame; it is given by its place there.
TEST(FreePart, StartVelocityIsThatOfItsOrigin) {
  const Assembled model = assemble_text(stone("none"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  const mechanics::Motion<double> part = test::Probe(model).part("stone");
  EXPECT_LT((part.v - Vector3(1.0, -2.0, 4.0)).norm(), 1e-14);
  EXPECT_LT((part.w - Vector3(0.5, 3.0, -0.2)).norm(), 1e-14);
  EXPECT_LT((part.p - Vector3(1.0, 2.0, 3.0)).norm(), 1e-14);
}

TEST(FreePart, FallsOnAParabola) {
  const Assembled model = assemble_text(stone("[0.5, 0, -9.81]"));
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::rk4(1e-2));
  ASSERT_TRUE(motion.advance_to(2.0));
  const Vector3 v = Vector3::Map(&model.state().velocity[0]);
  const Vector3 expected = model.state().position[0] + 2.0 * v + 2.0 * Vector3(0.5, 0.0, -9.81);
  EXPECT_LT((motion.state().position[0] - expected).norm(), 1e-11);
  EXPECT_LT((spin(model, motion.state()) - spin(model, model.state())).norm(), 1e-5);  // of rk4 at 10 ms
}

// Kepler: on a circle of radius r the speed is √(GM / r); after a turn it is back.
TEST(FreePart, CirclesAPoint) {
  const Assembled model = assemble_text(R"yaml(
gravity: {point: {at: [1, 0, 0], strength: "8 m^3/s^2"}}
parts:
  moon: {at: [3, 0, 0], mass: 5 kg, inertia: {xx: 1, yy: 1, zz: 1}, start: {velocity: [0, 1.2, 1.6]}}
)yaml");
  ASSERT_TRUE(model.is_ready()) << model.messages();
  Motion motion(model, test::dopri5(1e-10));
  const double turn = 2.0 * std::numbers::pi;  // 2 π r / v with r = v = 2
  ASSERT_TRUE(motion.advance_to(0.25 * turn));
  EXPECT_LT((motion.state().position[0] - Vector3(1.0, 1.2, 1.6)).norm(), 1e-7);
  ASSERT_TRUE(motion.advance_to(turn));
  EXPECT_LT((motion.state().position[0] - Vector3(3.0, 0.0, 0.0)).norm(), 1e-6);
  EXPECT_NEAR(motion.probe().energy().kinetic + motion.probe().energy().potential, 10.0 - 20.0, 1e-7);
}

// Two masses on a stick turn towards the point: gravity acts on each part of a welded body.
TEST(FreePart, PointGravityActsOnEveryPartOfAWeldedBody) {
  const std::string text = R"yaml(
gravity: {point: {at: [0, 0, 0], strength: "50 m^3/s^2"}}
parts:
  near: {at: [2, 0.3, 0], mass: 1 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {far: {at: [1, 1, 0]}}}
  far: {at: near.far, mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  stick: {type: fixed, between: [near.far, far]}
)yaml";
  const Assembled merged = assemble_text(text, {.merge_welded = true});
  const Assembled kept = assemble_text(text, {.merge_welded = false});
  ASSERT_TRUE(merged.is_ready()) << merged.messages();
  ASSERT_TRUE(kept.is_ready()) << kept.messages();
  Motion a(merged, test::rk4(1e-3));
  Motion b(kept, test::rk4(1e-3));
  ASSERT_TRUE(a.advance_to(0.3) && b.advance_to(0.3));
  EXPECT_LT((a.probe().part("far").p - b.probe().part("far").p).norm(), 1e-10);
  EXPECT_GT(a.probe().part("far").w.norm(), 0.1);
  const test::Instant of_a = a.instant();
  const test::Instant of_b = b.instant();
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(of_a.reactions[i], of_b.reactions[i], 1e-8) << "number " << i;
}

}  // namespace
}  // namespace gelenk::mechanics_free_parts_test
