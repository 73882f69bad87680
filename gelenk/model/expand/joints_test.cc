#include "gelenk/model/expand/joints.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/joint_axes.h"
#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::joints_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kAxesRounding = 1e-15;

std::string two_parts(const std::string& joints) {
  return "{gelenk: 1, parts: {a: {" + kOneKilogram + ", frames: {e: [1, 0, 0]}}, b: {" + kOneKilogram +
         ", at: [1, 0, 0]}, off: {" + kOneKilogram + ", enabled: false}}, joints: {" + joints + "}}";
}

TEST(Joints, FramesOnBothParts) {
  Stage stage(two_parts("hinge: {type: revolute, between: [a.e, b], axis: y}"));
  stage.add_all_joints();
  ASSERT_EQ(stage.machine.joints.size(), 1U);
  const JointNode& hinge = stage.machine.joints.front();
  EXPECT_EQ(hinge.a.part.index(), 0U);
  EXPECT_EQ(hinge.a.X_PF.position, Vector3(1.0, 0.0, 0.0));
  EXPECT_TRUE(hinge.a.X_PF.rotation.col(2).isApprox(Vector3(0.0, 1.0, 0.0), kAxesRounding));
  EXPECT_EQ(hinge.b.X_PF.position, Vector3(0.0, 0.0, 0.0));
  EXPECT_EQ(stage.elements.at("hinge").element, ChannelUse::Element::joint);
  EXPECT_EQ(stage.machine.assemblies.front().joints.size(), 1U);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Joints, AtAPlaceOfTheDrawing) {
  Stage stage(two_parts("hinge: {type: revolute, between: [ground, b], axis: z, at: [3, 4, 0]}"));
  stage.add_all_joints();
  const JointNode& hinge = stage.machine.joints.front();
  EXPECT_EQ(hinge.a.X_PF.position, Vector3(3.0, 4.0, 0.0));
  EXPECT_EQ(hinge.b.X_PF.position, Vector3(2.0, 4.0, 0.0));
}

TEST(Joints, StartValuesAndLimits) {
  Stage stage(
      two_parts("slide: {type: prismatic, between: [a, b], axis: x, start: {travel: 5 mm, speed: 2}, "
                "limits: {travel: {min: -1, max: 2}}}"));
  stage.add_all_joints();
  ASSERT_THAT(stage.messages(), IsEmpty());
  const JointNode& slide = stage.machine.joints.front();
  ASSERT_EQ(slide.start.size(), 2U);
  EXPECT_DOUBLE_EQ(slide.start[0].value[0], 0.005);
  EXPECT_TRUE(slide.start[1].is_rate);
  EXPECT_EQ(slide.limits.front().min, -1.0);
  EXPECT_EQ(slide.limits.front().max, 2.0);
}

TEST(Joints, EndsThatCannotBeUsed) {
  Stage stage(two_parts("same: {type: fixed, between: [a, a.e]}, gone: {type: fixed, between: [a, off]}"));
  stage.add_all_joints();
  EXPECT_TRUE(stage.machine.joints.empty());
  EXPECT_THAT(stage.messages(), ElementsAre("same: both ends are on the part 'a'", "gone: part 'off' is disabled"));
}

TEST(Joints, RowsAreAttachedToThePreviousOne) {
  Stage stage({{"machine", R"({gelenk: 1, assemblies: {
    chain: {use: link, repeat: 3, at: ["=index * 1 m", 0, 0],
            attach: {start: {type: revolute, axis: z, to: previous.end, first_to: ground}}}}})"},
               {"link", "{ports: {start: p, end: p.e}, parts: {p: {" + kOneKilogram + ", frames: {e: [1, 0, 0]}}}}"}});
  stage.add_all_joints();
  ASSERT_THAT(stage.messages(), IsEmpty());
  ASSERT_EQ(stage.machine.joints.size(), 3U);
  EXPECT_TRUE(stage.machine.joints[0].a.is_on_ground());
  EXPECT_EQ(stage.machine.joints[2].a.part.index(), 1U);
  EXPECT_EQ(stage.machine.joints[2].b.part.index(), 2U);
  EXPECT_EQ(stage.machine.joints[2].path, "chain.2.start");
}

// R' = H R D with det D = -1: right-handed again, and the axis as the type's rule says.
TEST(Joints, MirroredFramesAreRightHanded) {
  Matrix3 S = Matrix3::Identity();
  S(1, 1) = -1.0;
  const Pose X_AJ{rotation_with_z(Vector3(0.6, 0.8, 0.0)), Vector3(1.0, 2.0, 3.0)};
  const Pose after = through_mirror(X_AJ, S, kRevolute);
  EXPECT_NEAR(after.rotation.determinant(), 1.0, kAxesRounding);
  EXPECT_EQ(after.position, Vector3(1.0, -2.0, 3.0));
  const double along = after.rotation.col(2).dot(S * X_AJ.rotation.col(2));
  EXPECT_NEAR(std::abs(along), 1.0, kAxesRounding);
  EXPECT_EQ(along < 0.0, kRevolute.mirror_axes.z < 0);
}

TEST(Joints, AxesOfAUniversalJointArePerpendicular) {
  Stage stage(two_parts("cross: {type: universal, between: [a.e, b], axis: z, second_axis: [1, 0, 1]}"));
  stage.add_all_joints();
  EXPECT_THAT(stage.messages(),
              ElementsAre("cross: `axis` and `second_axis` must be perpendicular, but are at 45 deg"));
}

TEST(Joints, BladeWithoutAPlane) {
  Stage stage(two_parts("blade: {type: knife_edge, axis: x, between: [ground, a]}"));
  stage.add_all_joints();
  check_blades(stage.machine, stage.diagnostics());
  EXPECT_THAT(stage.messages(), ElementsAre("blade: nothing keeps its blade on a plane: part 'a' has no other joint"));
}

}  // namespace
}  // namespace gelenk::model::expanding::joints_test
