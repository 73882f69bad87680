#include "gelenk/cad/inference_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gelenk::cad::inference_choice_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

JointCandidate candidate(std::size_t first, std::size_t second, const std::string& type, const Vector3& axis) {
  JointCandidate one{first, second, {}};
  one.joint.type = type;
  one.joint.score = 0.9;
  one.joint.X_WA.rotation = rotation_with_z(axis);
  return one;
}

JointCandidate planes(std::size_t first, std::size_t second, const Vector3& normal, double area) {
  JointCandidate one = candidate(first, second, "planar", normal);
  one.joint.only_planes = true;
  one.joint.area = area;
  return one;
}

std::vector<std::string> texts(const JointChoice& choice) {
  std::vector<std::string> result;
  for (const JointCandidate& one : choice.joints) {
    result.push_back(std::to_string(one.first) + std::to_string(one.second) + " " + one.joint.type);
  }
  return result;
}

const Vector3 kX = Vector3::UnitX(), kY = Vector3::UnitY(), kZ = Vector3::UnitZ();

TEST(JointChoice, PartsThatOnlyTouchAreFixedOnce) {
  // A box of three plates: the smallest contact closes what is held already.
  const JointChoice choice = choose_joints({planes(0, 1, kX, 1.0), planes(0, 2, kY, 0.1), planes(1, 2, kZ, 2.0)}, 3);
  EXPECT_THAT(texts(choice), ElementsAre("01 fixed", "12 fixed"));
  EXPECT_EQ(choice.fixed_planes, 2u);
  EXPECT_EQ(choice.ignored_planes, 1u);
  EXPECT_THAT(choice.joints.front().joint.reason, HasSubstr("taken as fixed"));
}

TEST(JointChoice, GuidesStaySlides) {
  JointCandidate guide = candidate(0, 1, "prismatic", kX), corner = candidate(1, 2, "prismatic", kY);
  guide.joint.only_planes = corner.joint.only_planes = true;
  guide.joint.is_guide = true;
  EXPECT_THAT(texts(choose_joints({guide, corner}, 3)), ElementsAre("01 prismatic", "12 fixed"));
}

// Links of a four-bar that lie on each other: the planes hold nothing that the pins leave.
TEST(JointChoice, PlanesOfALinkageAreNotJoints) {
  const JointChoice choice =
      choose_joints({candidate(0, 1, "revolute", kZ), candidate(0, 3, "revolute", kZ), candidate(1, 2, "revolute", kZ),
                     planes(1, 3, kZ, 5.0), candidate(2, 3, "revolute", kZ)},
                    4);
  EXPECT_THAT(texts(choice), ElementsAre("01 revolute", "03 revolute", "12 revolute", "23 revolute"));
}

// A block on a table, driven by a rod: without the table it would swing.
TEST(JointChoice, PlanesThatAMachineNeedsStay) {
  const JointChoice choice = choose_joints({candidate(0, 1, "revolute", kZ), candidate(1, 2, "revolute", kZ),
                                            candidate(2, 3, "revolute", kZ), planes(0, 3, kY, 1.0)},
                                           4);
  EXPECT_THAT(texts(choice), ElementsAre("01 revolute", "03 planar", "12 revolute", "23 revolute"));
}

TEST(JointChoice, PinsSlideOnlyWhereItServesSomething) {
  // A wheel on its axle, and a crank whose piston runs in a bore across the pins.
  const JointChoice choice = choose_joints(
      {candidate(0, 1, "cylindrical", kZ), candidate(0, 3, "cylindrical", kX), candidate(0, 4, "cylindrical", kZ),
       candidate(1, 2, "revolute", kZ), candidate(2, 3, "revolute", kZ)},
      5);
  EXPECT_EQ(choice.joints[1].joint.type, "cylindrical") << "the piston";
  EXPECT_EQ(choice.joints[2].joint.type, "revolute") << "the wheel";
  EXPECT_LT(choice.joints[2].joint.score, 0.9);
  EXPECT_THAT(choice.joints[2].joint.reason, HasSubstr("held along its axis"));
  // All axes parallel: nothing moves along them.
  const JointChoice linkage = choose_joints({candidate(0, 1, "cylindrical", kZ), candidate(0, 2, "cylindrical", kZ),
                                             candidate(1, 3, "cylindrical", kZ), candidate(2, 3, "cylindrical", kZ)},
                                            4);
  EXPECT_THAT(texts(linkage), ElementsAre("01 revolute", "02 revolute", "13 revolute", "23 revolute"));
}

TEST(JointChoice, NothingIsNothing) { EXPECT_THAT(choose_joints({}, 0).joints, IsEmpty()); }

}  // namespace
}  // namespace gelenk::cad::inference_choice_test
