// Free motions of a scene: as many as there are, allowed by every joint where the machine is assembled, and described
// in words.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gelenk/export/scene.h"
#include "tests/support/load_example.h"
#include "tests/support/run_text.h"

namespace gelenk::scene_free_motions_test {
namespace {

using exporting::kGroundPart;
using exporting::Scene;
using exporting::SceneJoint;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

// Of the largest speed: rounding of the null space, and joints that are closed to about as much.
constexpr double kRounding = 1e-9;
const std::string kBody = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";

Scene scene_of(const test::Assembled& model) {
  EXPECT_TRUE(model.is_ready()) << model.messages();
  std::vector<Pose> poses;
  for (std::size_t p = 0; p < model.machine().parts.size(); ++p) {
    poses.push_back(analysis::part_pose(*model.system, model.params, model.state(), p));
  }
  Scene scene =
      exporting::make_scene({.machine = model.machine(), .model = model.checked.loaded.model, .poses = poses});
  exporting::add_free_motions(model.machine(), scene);
  return scene;
}
Scene scene_of(const std::string& text) { return scene_of(test::assemble_text(text)); }
Scene scene_of_example(const std::string& file) {
  test::Example example = test::load_example(file);
  return scene_of(
      test::assemble_model({std::move(example.loaded), std::move(example.machine), std::move(example.diagnostics)}));
}

std::vector<std::string> names(const Scene& scene) {
  std::vector<std::string> result;
  for (const exporting::SceneFreeMotion& motion : scene.motions) result.push_back(motion.name);
  return result;
}

// Motion of the two parts of a joint at the origin of its second frame.
struct JointMotion {
  Vector3 axis = Vector3::Zero();
  Vector3 v = Vector3::Zero(), w = Vector3::Zero();  // of the second part against the first
  double speed = 0.0;
};

JointMotion motion_of(const Scene& scene, const exporting::SceneFreeMotion& motion, const SceneJoint& joint) {
  const auto pose = [&](int part) {
    return part == kGroundPart ? Pose{} : scene.parts.at(static_cast<std::size_t>(part)).X_WP;
  };
  const Vector3 place = pose(joint.parts[1]) * joint.frames[1].position;
  JointMotion result;
  result.axis = pose(joint.parts[0]).rotation * joint.frames[0].rotation.col(2);
  for (std::size_t end = 0; end < 2; ++end) {
    if (joint.parts[end] == kGroundPart) continue;
    const std::array<double, 6>& twist = motion.twists.at(static_cast<std::size_t>(joint.parts[end]));
    const Vector3 w = Vector3::Map(&twist[3]);
    const Vector3 v = Vector3::Map(twist.data()) + w.cross(place - pose(joint.parts[end]).position);
    const double sign = end == 1 ? 1.0 : -1.0;
    result.v += sign * v;
    result.w += sign * w;
    result.speed = std::max({result.speed, v.norm(), w.norm()});
  }
  return result;
}

// Revolute and prismatic joints only.
void expect_that_joints_allow_it(const Scene& scene) {
  for (const exporting::SceneFreeMotion& motion : scene.motions) {
    ASSERT_EQ(motion.twists.size(), scene.parts.size());
    double speed = 0.0;
    for (const SceneJoint& joint : scene.joints) {
      speed = std::max(speed, motion_of(scene, motion, joint).speed);
    }
    EXPECT_GT(speed, 0.01) << motion.name;
    for (const SceneJoint& joint : scene.joints) {
      const JointMotion now = motion_of(scene, motion, joint);
      const bool is_slide = joint.type == "prismatic";
      ASSERT_TRUE(is_slide || joint.type == "revolute") << joint.type;
      const Vector3 across = is_slide ? now.v.cross(now.axis) : now.w.cross(now.axis);
      const Vector3 held = is_slide ? now.w : now.v;
      EXPECT_LT(across.norm() + held.norm(), kRounding * speed) << motion.name << ", " << joint.path;
    }
  }
}

TEST(FreeMotions, OfAFourBarWhereItIsAssembled) {
  // Drawn open, and with another angle of the crank than at the start.
  const Scene scene = scene_of(R"(
parts:
  crank: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {pin: {at: [0, 0, 0.3]}}}
  coupler: {at: [0, 0, 0.35], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {pin: {at: [0.8, 0, 0.6]}}}
  rocker: {at: [0.8, 0, 0], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, frames: {pin: {at: [0, 0, 0.9]}}}
ground: {frames: {foot: {at: [0.8, 0, 0]}}}
joints:
  a: {type: revolute, between: [ground, crank], axis: y, start: {angle: 40 deg}}
  b: {type: revolute, between: [crank.pin, coupler], axis: y}
  c: {type: revolute, between: [coupler.pin, rocker.pin], axis: y}
  d: {type: revolute, between: [ground.foot, rocker], axis: y}
)");
  EXPECT_THAT(names(scene), ElementsAre("crank turns (a.angle)"));
  expect_that_joints_allow_it(scene);
  EXPECT_NEAR(motion_of(scene, scene.motions.at(0), scene.joints.at(0)).w.y(), 1.0, kRounding);
}

TEST(FreeMotions, OfACrankSliderMoveThePistonAsTheFormulaSays) {
  const Scene scene = scene_of_example("crank_slider/crank_slider.yaml");
  EXPECT_THAT(names(scene), ElementsAre("crank turns (main_bearing.angle)"));
  expect_that_joints_allow_it(scene);
  // x = r cos φ + √(l² - r² sin² φ) at φ = 30°
  const double r = 0.05, l = 0.15, phi = std::numbers::pi / 6.0;
  const double speed =
      -r * std::sin(phi) - r * r * std::sin(phi) * std::cos(phi) / std::sqrt(l * l - std::pow(r * std::sin(phi), 2));
  const std::size_t piston = test::index_of_path(scene.parts, "piston");
  EXPECT_NEAR(scene.motions.at(0).twists.at(piston)[0], speed, kRounding);
}

TEST(FreeMotions, OfAFreePartAreSix) {
  // Its center of mass is half a meter beside the origin, which goes around it.
  const Scene scene = scene_of("parts: {block: {at: [1, 2, 3], center_of_mass: [0, 0.5, 0], " + kBody + "}}\n");
  EXPECT_THAT(names(scene), ElementsAre("block turns about x", "block turns about y", "block turns about z",
                                        "block moves along x", "block moves along y", "block moves along z"));
  using Twist = std::array<double, 6>;
  const auto twist_of = [&](std::size_t motion) { return scene.motions.at(motion).twists.at(0); };
  EXPECT_THAT(twist_of(0), Pointwise(DoubleNear(kRounding), Twist{0, 0, -0.5, 1, 0, 0}));
  EXPECT_THAT(twist_of(4), Pointwise(DoubleNear(kRounding), Twist{0, 1, 0, 0, 0, 0}));
}

TEST(FreeMotions, OfARigidMachineDoNotExist) {
  const Scene scene =
      scene_of("parts: {block: {" + kBody + "}}\njoints: {foot: {type: fixed, between: [ground, block]}}\n");
  EXPECT_TRUE(scene.motions.empty());
  EXPECT_TRUE(scene.notes.empty());
}

TEST(FreeMotions, AreToldByPartsWhereNoCoordinateDoes) {
  const Scene ball = scene_of("parts: {ball: {center_of_mass: [0, 0, -1], " + kBody +
                              "}}\njoints: {hook: {type: spherical, between: [ground, ball]}}\n");
  EXPECT_THAT(names(ball), ElementsAre("ball turns about x", "ball turns about y", "ball turns about z"));
  // A pair of parts that nothing holds: first how they move against each other, then both together.
  const Scene pair = scene_of("parts: {left: {" + kBody + "}, right: {at: [1, 0, 0], " + kBody +
                              "}}\njoints: {hinge: {type: revolute, between: [left, right], axis: x}}\n");
  ASSERT_EQ(pair.motions.size(), 7u);
  EXPECT_EQ(pair.motions[0].name, "right turns (hinge.angle)");
  EXPECT_EQ(pair.motions[6].name, "left moves along z");
  expect_that_joints_allow_it(pair);
  for (std::size_t i = 1; i < 7; ++i) {
    EXPECT_LT(motion_of(pair, pair.motions[i], pair.joints[0]).w.norm(), kRounding) << pair.motions[i].name;
  }
}

TEST(FreeMotions, OfAUniversalJointTurnAboutItsOwnAxes) {
  // A quarter turn about the first axis brings the second one away from where it was drawn.
  const Scene scene = scene_of("parts: {arm: {" + kBody +
                               "}}\njoints: {cross: {type: universal, between: [ground, arm], axis: z, second_axis: x, "
                               "start: {angle_1: 90 deg, angle_2: 20 deg}}}\n");
  EXPECT_THAT(names(scene), ElementsAre("arm turns (cross.angle_1)", "arm turns (cross.angle_2)"));
  EXPECT_LT((Vector3::Map(&scene.motions.at(0).twists.at(0)[3]) - Vector3::UnitZ()).norm(), kRounding);
  EXPECT_LT((Vector3::Map(&scene.motions.at(1).twists.at(0)[3]) - Vector3::UnitY()).norm(), kRounding);
}

TEST(FreeMotions, AreNotEndless) {
  std::string parts = "parts:\n", joints = "joints:\n";
  for (int i = 0; i < 30; ++i) {
    parts += fmt::format("  arm_{}: {{at: [{}, 0, 0], {}}}\n", i, i, kBody);
    joints +=
        fmt::format("  pin_{}: {{type: revolute, between: [ground, arm_{}], at: [{}, 0, 0], axis: y}}\n", i, i, i);
  }
  const Scene scene = scene_of(parts + joints);
  EXPECT_EQ(scene.motions.size(), 24u);
  EXPECT_THAT(scene.notes, ElementsAre(HasSubstr("24 of 30 free motions")));
}

TEST(FreeMotions, OfHundredsOfJoinedPartsAreLeftOutWithANote) {
  std::string parts = "parts:\n", joints = "joints:\n";
  for (int i = 0; i < 300; ++i) {
    parts += fmt::format("  arm_{}: {{at: [{}, 0, 0], {}}}\n", i, i, kBody);
    joints += fmt::format("  pin_{}: {{type: revolute, between: [{}, arm_{}], at: [{}, 0, 0], axis: y}}\n", i,
                          i == 0 ? "ground" : fmt::format("arm_{}", i - 1), i, i);
  }
  const Scene scene = scene_of(parts + joints);
  EXPECT_TRUE(scene.motions.empty());
  EXPECT_THAT(scene.notes, ElementsAre(HasSubstr("too many parts")));
}

}  // namespace
}  // namespace gelenk::scene_free_motions_test
