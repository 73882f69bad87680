#include "gelenk/system/welds.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace gelenk::system::welds_test {
namespace {

constexpr int kTheGround = -1;
constexpr double kRounding = 1e-15;

struct Weld {
  int a, b;
  double offset = 1.0;  // frame of a at (offset, 0, 0), frame of b at its origin
};

model::Machine machine_of(std::size_t parts, std::initializer_list<Weld> welds) {
  model::Machine machine;
  machine.assemblies.resize(2);
  machine.parts.resize(parts);
  for (model::PartNode& part : machine.parts) part.assembly = model::AssemblyId(0);
  const auto frame = [](int part, double offset) {
    model::FrameOnPart result;
    if (part != kTheGround) result.part = model::PartId(static_cast<std::size_t>(part));
    result.X_PF.position.x() = offset;
    return result;
  };
  for (const Weld& weld : welds) {
    model::JointNode joint;
    joint.assembly = model::AssemblyId(0);
    joint.data = model::Fixed{};
    joint.a = frame(weld.a, weld.offset);
    joint.b = frame(weld.b, 0.0);
    machine.joints.push_back(joint);
  }
  return machine;
}

using Parts = std::vector<std::int32_t>;

TEST(Welds, EveryPartIsInOneGroup) {
  const Welds welds = find_welds(machine_of(5, {{3, 1}, {4, 3}}), true);
  ASSERT_EQ(welds.groups.size(), 3u);
  EXPECT_EQ(welds.groups[0].parts, (Parts{0}));
  EXPECT_EQ(welds.groups[1].parts, (Parts{1, 3, 4}));
  EXPECT_EQ(welds.groups[2].parts, (Parts{2}));
  EXPECT_EQ(welds.edges.size(), 2u);
  EXPECT_TRUE(welds.closures.empty());
}

TEST(Welds, TheGroundsGroupComesFirst) {
  const Welds welds = find_welds(machine_of(3, {{1, 2}, {2, kTheGround}}), true);
  ASSERT_EQ(welds.groups.size(), 2u);
  EXPECT_TRUE(welds.groups[0].is_ground);
  EXPECT_EQ(welds.groups[0].parts, (Parts{2, 1}));
  EXPECT_FALSE(welds.groups[1].is_ground);
  EXPECT_EQ(welds.groups[1].parts, (Parts{0}));
}

TEST(Welds, EachKnowsWhatHangsOnIt) {
  const Welds welds = find_welds(machine_of(4, {{0, 1}, {2, 1}, {1, 3}}), true);
  ASSERT_EQ(welds.edges.size(), 3u);
  EXPECT_EQ(welds.edges[0].joint, 0);
  EXPECT_TRUE(welds.edges[0].far_is_second);
  EXPECT_EQ(welds.edges[0].far_parts.size(), 3u);
  EXPECT_EQ(welds.edges[1].joint, 1);
  EXPECT_FALSE(welds.edges[1].far_is_second);
  EXPECT_EQ(welds.edges[1].far_parts, (Parts{2}));
  EXPECT_EQ(welds.edges[2].far_parts, (Parts{3}));
}

TEST(Welds, LoopsHaveClosures) {
  const Welds welds = find_welds(machine_of(3, {{0, 1}, {1, 2}, {2, 0}}), true);
  EXPECT_EQ(welds.groups.size(), 1u);
  EXPECT_EQ(welds.edges.size(), 2u);
  EXPECT_EQ(welds.closures.size(), 1u);
}

TEST(Welds, NoneWhenTheyAreKept) {
  const Welds welds = find_welds(machine_of(3, {{0, 1}, {1, kTheGround}}), false);
  EXPECT_EQ(welds.groups.size(), 3u);
  EXPECT_TRUE(welds.edges.empty());
}

TEST(Welds, NoneAcrossTheBorderOfAnAssembly) {
  model::Machine machine = machine_of(2, {{0, 1}});
  machine.parts[1].assembly = model::AssemblyId(1);
  EXPECT_EQ(find_welds(machine, true).groups.size(), 2u);
}

TEST(Welds, PosesFollowFromTheJointsNotFromTheDrawing) {
  model::Machine machine = machine_of(3, {{0, 1, 2.0}, {2, 1, 0.5}});
  machine.parts[1].X_WP.position.y() = 77.0;
  const std::vector<Pose> poses = poses_in_groups(machine, find_welds(machine, true));
  EXPECT_LT(poses[0].position.norm(), kRounding);
  EXPECT_LT((poses[1].position - Vector3(2.0, 0.0, 0.0)).norm(), kRounding);
  EXPECT_LT((poses[2].position - Vector3(1.5, 0.0, 0.0)).norm(), kRounding);
}

}  // namespace
}  // namespace gelenk::system::welds_test
