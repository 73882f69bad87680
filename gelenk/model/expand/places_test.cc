#include "gelenk/model/expand/places.h"

#include <gmock/gmock.h>

#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::places_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kPlaceRounding = 1e-15;

const Stage::Texts kMirrored = {{"machine", R"({gelenk: 1,
  ground: {frames: {post: [0, 0, 1]}},
  parts: {base: {at: {position: [1, 0, 0], relative_to: ground.post}, frames: {tip: [0, 2, 0]}}},
  frames: {mark: {at: {position: [0, 0, 1], relative_to: base.tip}}},
  assemblies: {left: {use: arm, at: mark}, right: {mirror_of: left, plane: xz}}})"},
                                {"arm", R"({ports: {hand: rod.end}, parts: {rod: {frames: {end: [3, 0, 0]}}}})"}};

TEST(Places, RelativeToEachOtherInAnyOrder) {
  Stage stage(kMirrored);
  stage.build_tree();
  const std::optional<Pose> mark = stage.places.assembly_frame(stage.root(), 0);
  ASSERT_TRUE(mark.has_value());
  EXPECT_TRUE(mark->position.isApprox(Vector3(1.0, 2.0, 2.0), kPlaceRounding));
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Places, PortsAreSeenThroughMirrors) {
  Stage stage(kMirrored);
  stage.stand();
  const auto left = stage.places.resolve_frame("left.hand", stage.root(), {});
  const auto right = stage.places.resolve_frame("right.hand", stage.root(), {});
  const auto source = stage.places.resolve_frame("right.hand", stage.root(), {}, nullptr, true);
  ASSERT_TRUE(left && right && source);
  EXPECT_TRUE(left->X_AF.position.isApprox(Vector3(4.0, 2.0, 2.0), kPlaceRounding));
  EXPECT_TRUE(right->X_AF.position.isApprox(Vector3(4.0, -2.0, 2.0), kPlaceRounding));
  EXPECT_EQ(source->X_AF.position, left->X_AF.position) << "where it is drawn before it is mirrored";
}

TEST(Places, AssembliesStandInTheWorld) {
  Stage stage(kMirrored);
  stage.stand();
  EXPECT_FALSE(stage.machine.assemblies[1].is_mirrored);
  EXPECT_TRUE(stage.machine.assemblies[2].is_mirrored);
  EXPECT_TRUE(stage.machine.assemblies[2].X_WA.position.isApprox(Vector3(1.0, -2.0, 2.0), kPlaceRounding));
  EXPECT_EQ(stage.machine.assemblies[2].world_mirror(1, 1), -1.0);
}

TEST(Places, CirclesNameTheirMembers) {
  Stage stage("{gelenk: 1, frames: {a: {at: b}, b: {at: a}}}");
  stage.build_tree();
  EXPECT_FALSE(stage.places.assembly_frame(stage.root(), 0).has_value());
  EXPECT_THAT(stage.messages(), ElementsAre("a: its placement depends on itself: a > b > a"));
}

TEST(Places, NamesThatLeadNowhere) {
  Stage stage(kMirrored);
  stage.stand();
  for (const char* name : {"base.tp", "ground.pst", "left.rod.end", "previous.hand", "left"}) {
    EXPECT_FALSE(stage.places.resolve_frame(name, stage.root(), {0, 1, 2}).has_value()) << name;
  }
  EXPECT_THAT(stage.messages(),
              ElementsAre(": there is no frame 'base.tp'", ": there is no frame 'ground.pst'",
                          ": 'rod.end' is inside assembly 'left' and cannot be reached from outside",
                          ": `previous` exists only with `repeat`", ": 'left' is an assembly: name one of its ports"));
  EXPECT_EQ(stage.diagnostics().all()[0].hint, "did you mean 'base.tip'?");
  EXPECT_EQ(stage.diagnostics().all()[2].hint, "use its port: left.hand");
}

TEST(Places, OrientationsInAllForms) {
  // A quarter turn about z, four times.
  Stage stage(R"({gelenk: 1, frames: {
    a: {at: {orientation: {axis: z, angle: 90 deg}}}, b: {at: {orientation: {x: y, y: -x}}},
    c: {at: {orientation: {quaternion: [1, 0, 0, 1]}}}, d: {at: {orientation: {angles: [90 deg, 0, 0], sequence: zyx}}},
    e: {at: {orientation: {x: y, axis: z}}}}})");
  stage.build_tree();
  Matrix3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::optional<Pose> pose = stage.places.assembly_frame(stage.root(), i);
    ASSERT_TRUE(pose.has_value()) << i;
    EXPECT_TRUE(pose->rotation.isApprox(quarter, kPlaceRounding)) << i;
  }
  EXPECT_FALSE(stage.places.assembly_frame(stage.root(), 4).has_value());
  EXPECT_THAT(stage.messages(), ElementsAre("e: the orientation is given in more than one form"));
}

}  // namespace
}  // namespace gelenk::model::expanding::places_test
