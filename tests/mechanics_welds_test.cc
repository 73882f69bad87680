// Welded parts become one body; nothing that is reported about them may change by that.
#include <gtest/gtest.h>

#include "tests/support/run_text.h"

namespace gelenk::mechanics_welds_test {
namespace {

using test::assemble_text;
using test::Assembled;
using test::Motion;

constexpr system::CompileOptions kMerged{.merge_welded = true};
constexpr system::CompileOptions kKept{.merge_welded = false};
// Both run the same steps; they differ by rounding that a second of a chaotic machine makes larger.
constexpr double kSameMotion = 1e-10;
// Reactions of up to 100 N and N m come from accelerations of these motions.
constexpr double kSameReaction = 1e-8;

// A pendulum of two arms on a bracket, each put together of parts in both orders of the two frames, with a spring, a
// torque and gravity on parts that do not lead.
constexpr const char* kArms = R"yaml(
gravity: [0.5, -9.81, 0.3]
parts:
  bracket: {mass: 3 kg, at: [0, 0.2, 0], inertia: {xx: 1, yy: 1, zz: 1}, frames: {tip: {at: [0, 0.5, 0.1]}}}
  plate: {mass: 1 kg, at: [0, 0.7, 0.1], inertia: {xx: 1, yy: 1, zz: 1}}
  arm:
    at: [0, 0.7, 0.1]
    mass: 2 kg
    center_of_mass: [0.3, 0, 0]
    inertia: {xx: 0.1, yy: 0.2, zz: 0.25, xy: 0.02}
    frames: {end: {at: {position: [0.6, 0.1, 0], orientation: {axis: [1, 1, 0], angle: 40 deg}}}}
  knob:
    at: {position: [0.6, 0.8, 0.1], orientation: {axis: [1, 1, 0], angle: 40 deg}}
    mass: 0.7 kg
    center_of_mass: [0, 0.2, 0.1]
    inertia: {xx: 0.03, yy: 0.02, zz: 0.04}
    frames: {top: {at: [0.1, 0.3, 0]}}
  forearm:
    at: knob.top
    mass: 1.5 kg
    center_of_mass: [0, 0, 0.4]
    inertia: {xx: 0.1, yy: 0.12, zz: 0.05}
    frames: {end: {at: [0, 0.1, 0.8]}}
  ball: {at: forearm.end, mass: 0.5 kg, center_of_mass: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
joints:
  foot: {type: fixed, between: [bracket, ground.foot]}
  cover: {type: fixed, between: [bracket.tip, plate]}
  shoulder: {type: revolute, between: [plate, arm], axis: [0.2, 0.3, 1], start: {rate: 2 rad/s}}
  weld: {type: fixed, between: [knob, arm.end]}
  elbow: {type: universal, between: [knob.top, forearm], axis: x, second_axis: y}
  socket: {type: fixed, between: [forearm.end, ball]}
ground:
  frames: {foot: {at: [0, 0.2, 0]}, anchor: {at: [1, 1, 1]}}
forces:
  spring: {type: spring_damper, between: [ground.anchor, ball], stiffness: 40 N/m, damping: 1 N*s/m}
  twist: {type: torque, between: [knob, forearm], about: [0, 1, 1], value: "=1 (N*m)*sin(3 (rad/s)*time)"}
  push: {type: force, applied_to: plate, axes_of: ground, along: [1, 2, 0], value: 5 N}
)yaml";

TEST(Welds, MergedAndKeptAreTheSameMachine) {
  const Assembled merged = assemble_text(kArms, kMerged);
  const Assembled kept = assemble_text(kArms, kKept);
  ASSERT_TRUE(merged.is_ready()) << merged.messages();
  ASSERT_TRUE(kept.is_ready()) << kept.messages();
  EXPECT_EQ(merged.system->bodies.size(), 2u);
  EXPECT_EQ(kept.system->bodies.size(), 6u);
  Motion a(merged, test::rk4(1e-3));
  Motion b(kept, test::rk4(1e-3));
  for (const double time : {0.0, 0.3, 1.0}) {
    ASSERT_TRUE(a.advance_to(time) && b.advance_to(time));
    const test::Probe now_a = a.probe();
    const test::Probe now_b = b.probe();
    for (const model::PartNode& part : merged.machine().parts) {
      const mechanics::Motion<double> in_a = now_a.part(part.path);
      const mechanics::Motion<double> in_b = now_b.part(part.path);
      EXPECT_LT((in_a.p - in_b.p).norm(), kSameMotion) << part.path << " at " << time;
      EXPECT_LT((in_a.R - in_b.R).norm(), kSameMotion) << part.path << " at " << time;
      EXPECT_LT((in_a.v - in_b.v).norm() + (in_a.w - in_b.w).norm(), 10.0 * kSameMotion) << part.path;
    }
    const test::Instant of_a = a.instant();
    const test::Instant of_b = b.instant();
    ASSERT_EQ(of_a.reactions.size(), of_b.reactions.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < of_a.reactions.size(); ++i) {
      EXPECT_NEAR(of_a.reactions[i], of_b.reactions[i], kSameReaction)
          << merged.system->joints[i / 6].path << " number " << i % 6 << " at " << time;
      largest = std::max(largest, std::abs(of_a.reactions[i]));
    }
    EXPECT_GT(largest, 10.0);
    for (std::size_t i = 0; i < of_a.part_accelerations.size(); ++i) {
      EXPECT_NEAR(of_a.part_accelerations[i], of_b.part_accelerations[i], kSameReaction)
          << merged.system->parts[i / 6].path;
    }
  }
  EXPECT_NEAR(a.probe().energy().kinetic, b.probe().energy().kinetic, kSameReaction);
}

// A weight on a pole on the ground, at rest: all by statics.
TEST(Welds, ReactionOfAPartFixedToTheGroundIsItsWeight) {
  const std::string text = R"yaml(
gravity: [0, 0, -10]
parts:
  pole: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}, frames: {top: {at: [0.5, 0, 1]}}}
  weight: {mass: 3 kg, at: pole.top, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  foot: {type: fixed, between: [ground, pole]}
  tip: {type: fixed, between: [weight, pole.top]}
)yaml";
  for (const system::CompileOptions& options : {kMerged, kKept}) {
    const Assembled model = assemble_text(text, options);
    ASSERT_TRUE(model.is_ready()) << model.messages();
    Motion motion(model, test::rk4(1e-2));
    ASSERT_TRUE(motion.advance_to(0.1));
    const std::vector<double> r = motion.instant().reactions;
    // On the second part: the ground carries the pole; the weight presses on the pole's top.
    const double expected[] = {0.0, 0.0, 50.0, 0.0, -15.0, 0.0, 0.0, 0.0, -30.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], expected[i], 1e-10) << "number " << i;
  }
}

constexpr const char* kTriangle = R"yaml(
gravity: [0, -10, 0]
parts:
  a: {mass: 1 kg, at: [0, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}, frames: {b: {at: [1, 0, 0]}, c: {at: [0, 1, 0]}}}
  b: {mass: 2 kg, at: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}, frames: {c: {at: [-1, 1, 0]}}}
  c: {mass: 3 kg, at: [0, 1, 0], inertia: {xx: 1, yy: 1, zz: 1}, frames: {a: {at: [0, -1, GAP]}}}
joints:
  hinge: {type: revolute, between: [ground, a], axis: z}
  ab: {type: fixed, between: [a.b, b]}
  bc: {type: fixed, between: [b.c, c]}
  ca: {type: fixed, between: [c.a, a]}
)yaml";

std::string triangle(const std::string& gap) {
  std::string text = kTriangle;
  text.replace(text.find("GAP"), 3, gap);
  return text;
}

TEST(Welds, ALoopThatFitsIsOneBody) {
  const Assembled merged = assemble_text(triangle("0"), kMerged);
  const Assembled kept = assemble_text(triangle("0"), kKept);
  ASSERT_TRUE(merged.is_ready()) << merged.messages();
  ASSERT_TRUE(kept.is_ready()) << kept.messages();
  EXPECT_EQ(merged.system->bodies.size(), 1u);
  Motion a(merged, test::rk4(1e-3));
  Motion b(kept, test::rk4(1e-3));
  ASSERT_TRUE(a.advance_to(1.0) && b.advance_to(1.0));
  EXPECT_NEAR(a.probe().coordinate("hinge", "angle"), b.probe().coordinate("hinge", "angle"), kSameMotion);
  // The moment of the weights about the hinge makes it fall at once: at least 10 m/s² on an arm of a third of a meter.
  EXPECT_LT(a.probe().rate("hinge", "angle"), -1.0);
}

TEST(Welds, ALoopThatDoesNotFitIsToldByJoint) {
  const Assembled model = assemble_text(triangle("1 mm"), kMerged);
  EXPECT_FALSE(model.is_ready());
  const Diagnostic* reported = model.find(Code::welds_disagree);
  ASSERT_NE(reported, nullptr) << model.messages();
  EXPECT_EQ(reported->element, "ca");
  EXPECT_NE(reported->message.find("0.001 m"), std::string::npos) << reported->message;
  // Kept as joints, the same loop cannot be assembled either.
  const Assembled kept = assemble_text(triangle("1 mm"), kKept);
  EXPECT_EQ(kept.is_ready() && kept.assembly->residual < 1e-6, false);
}

}  // namespace
}  // namespace gelenk::mechanics_welds_test
