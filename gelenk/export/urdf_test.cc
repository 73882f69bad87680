#include "gelenk/export/urdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/export/machine_tree.h"
#include "gelenk/export/scene_test_support.h"

namespace gelenk::exporting::urdf_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kBody = "mass: 1, inertia: {xx: 1, yy: 1, zz: 1}";

std::string parts(std::initializer_list<const char*> names) {
  std::string text = "parts:\n";
  for (const char* name : names) text += std::string("  ") + name + ": {" + kBody + "}\n";
  return text;
}

Urdf urdf_of(const DrawnScene& drawing) { return make_urdf(drawing.scene, drawing.machine, "test_meshes"); }

TEST(MachineTree, HardJointsAreKeptAndLoopsCut) {
  const DrawnScene drawing = drawn(parts({"a", "b"}) + R"(joints:
  ball: {type: spherical, between: [ground, a]}
  hinge: {type: revolute, between: [a, b], axis: z}
  rail: {type: prismatic, between: [b, ground], axis: x}
  weld: {type: fixed, between: [a, b]}
  rod: {type: distance, between: [ground, a], length: 1}
)");
  const MachineTree tree = machine_tree(drawing.machine);
  EXPECT_TRUE(tree.has_ground);
  EXPECT_THAT(tree.cuts, ElementsAre(0, 1)) << "the ball, and the hinge beside the weld";
  EXPECT_THAT(tree.left, ElementsAre(4));
  ASSERT_EQ(tree.links.size(), 2U);
  EXPECT_EQ(tree.links[0].part, 1U);
  EXPECT_EQ(tree.links[0].joint, 2U);
  EXPECT_TRUE(tree.links[0].is_first) << "the ground is the second frame of the rail";
  EXPECT_EQ(tree.links[1].parent, 1U);
  EXPECT_TRUE(tree.links[1].is_first);
}

TEST(MachineTree, WhatNothingHoldsIsARootOrMovesFreely) {
  const std::string heavy = parts({"light"}) + "  heavy: {mass: 9, inertia: {xx: 1, yy: 1, zz: 1}}\n";
  const std::string joint = "joints:\n  hinge: {type: revolute, between: [light, heavy], axis: z}\n";
  const DrawnScene one = drawn(heavy + joint);
  const MachineTree floating = machine_tree(one.machine);
  EXPECT_FALSE(floating.has_ground);
  ASSERT_EQ(floating.links.size(), 2U);
  EXPECT_EQ(floating.links[0].part, 1U);
  EXPECT_FALSE(floating.links[0].joint);
  const DrawnScene two = drawn(heavy + "  third: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n" + joint);
  const MachineTree both = machine_tree(two.machine);
  EXPECT_TRUE(both.has_ground);
  EXPECT_EQ(both.links.size(), 3U);
}

TEST(Urdf, AHingeAwayFromTheOriginMovesTheLink) {
  const DrawnScene drawing = drawn(std::string("parts:\n  arm: {mass: 2, center_of_mass: [0.5, 0, 0], ") +
                                   "inertia: {xx: 1, yy: 2, zz: 2.5, xy: 0.25}, frames: {eye: {at: [1, 0, 0]}}}\n" +
                                   R"(ground: {frames: {pin: {at: [0, 0, 3]}}}
joints:
  hinge: {type: revolute, between: [ground.pin, arm.eye], axis: y, limits: {angle: {min: -1, max: 2}}}
)");
  const Urdf urdf = urdf_of(drawing);
  EXPECT_THAT(urdf.notes, IsEmpty());
  EXPECT_THAT(urdf.text, HasSubstr("<joint name=\"hinge\" type=\"revolute\">"));
  EXPECT_THAT(urdf.text, HasSubstr("<origin xyz=\"0 0 3\" rpy=\"0 0 0\"/>"));
  EXPECT_THAT(urdf.text, HasSubstr("<origin xyz=\"-0.5 0 0\" rpy=\"0 0 0\"/>")) << "center of mass from the eye";
  EXPECT_THAT(urdf.text, HasSubstr("ixy=\"0.25\""));
  EXPECT_THAT(urdf.text, HasSubstr("<axis xyz=\"0 1 0\"/>"));
  EXPECT_THAT(urdf.text, HasSubstr("lower=\"-1\" upper=\"2\" effort=\"1e+06\""));
  EXPECT_THAT(urdf.text, HasSubstr("means no limit"));
}

TEST(Urdf, FromTheOtherSideTheAxisTurns) {
  const DrawnScene drawing =
      drawn(parts({"a"}) + "joints:\n  rail: {type: prismatic, between: [a, ground], axis: x}\n");
  EXPECT_THAT(urdf_of(drawing).text, HasSubstr("<axis xyz=\"-1 0 0\"/>"));
}

TEST(Urdf, SaysWhatItCannotSay) {
  const DrawnScene drawing = drawn(parts({"a", "b", "c"}) + R"(joints:
  ball: {type: spherical, between: [ground, a]}
  hinge: {type: revolute, between: [a, b], axis: z}
  loop: {type: revolute, between: [b, ground], axis: z}
  spare: {type: cylindrical, between: [b, ground], axis: z}
  mesh: {type: gear, couples: [hinge.angle, loop.angle], ratio: 2}
forces:
  damper: {type: rotational_spring_damper, drives: hinge.angle, damping: 0.5}
  spring: {type: spring_damper, between: [ground, b], stiffness: 1}
drivers:
  motor: {drives: loop.angle, rate: 1}
)");
  const Urdf urdf = urdf_of(drawing);
  EXPECT_EQ(urdf.cut_count, 2U);
  const std::string notes = testing::PrintToString(urdf.notes);
  for (const char* words :
       {"loops are cut at: 'ball' (spherical), 'spare' (cylindrical)",
        "parts that nothing holds, written as floating: 'c'", "couplings, which are left out: 'mesh' (gear)",
        "drivers, which URDF does not have: 'motor'", "springs and forces, which URDF does not have: 'spring'"}) {
    EXPECT_THAT(notes, HasSubstr(words));
    EXPECT_THAT(urdf.text, HasSubstr(words));
  }
  EXPECT_THAT(urdf.text, HasSubstr("<dynamics damping=\"0.5\" friction=\"0\"/>"));
  EXPECT_THAT(notes, Not(HasSubstr("'damper'")));
}

TEST(Urdf, ShapesAreVisualsAndMeshesAreFiles) {
  const DrawnScene drawing =
      drawn(std::string("definitions:\n  side:\n    parts:\n      a-b: {") + kBody +
            R"(, shape: [{capsule: {radius: 0.1, length: 1}}, {tube: {radius: 0.2, inner_radius: 0.1, length: 1}}]}
assemblies:
  x: {use: side, repeat: 2}
)");
  const Urdf urdf = urdf_of(drawing);
  EXPECT_THAT(urdf.text, HasSubstr("<link name=\"x_0_a_b\">"));
  EXPECT_THAT(urdf.text, HasSubstr("<sphere radius=\"0.1\"/>"));
  EXPECT_THAT(urdf.text, HasSubstr("<mesh filename=\"test_meshes/x_0_a_b.stl\"/>"));
  EXPECT_EQ(urdf.meshes.size(), 1U) << "equal parts share it";
}

}  // namespace
}  // namespace gelenk::exporting::urdf_test
