#include "gelenk/cad/freecad_mates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "gelenk/cad/freecad_test_support.h"

namespace gelenk::cad::freecad_mates_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr double kRounding = 1e-12;

using FreecadLinks = FreecadFile;

TEST_F(FreecadLinks, LinksLeadToFilesBeside) {
  part("Rod", 0);
  part("Pin", 5);
  object("App::Part", "Pair", links("Group", {"Rod", "Pin"}));
  const std::string beside = write_beside("freecad_beside.FCStd");
  const auto link = [&](const std::string& name, const std::string& file, const std::string& to, double x) {
    object("App::Link", name,
           placement("LinkPlacement", x, 0) +
               property("LinkedObject", "<XLink file=\"" + file + "\" name=\"" + to + "\"/>"));
  };
  part("Rod", 1);  // of the same name, but not the same
  link("First", "freecad_beside.FCStd", "Rod", 10);
  link("Second", "C:\\work\\freecad_beside.FCStd", "Rod", 20);
  link("Whole", "freecad_beside.FCStd", "Pair", 30);
  link("Lost", "nowhere.FCStd", "Rod", 0);
  link("Outside", "../elsewhere.FCStd", "Rod", 0);
  link("Gone", "freecad_beside.FCStd", "Crank", 0);
  joint_of("Hinge", "Revolute", "", "Assembly\" sub=\"Whole.Pin.Face1\">");
  joint_of("Stop", "Revolute", "", "Assembly\" sub=\"Rod.Face1\">");
  part("A", 0);
  assembly({"A", "Rod", "First", "Second", "Whole", "Lost", "Outside", "Gone"}, {"Hinge", "Stop"});
  const FreecadContent found = read();
  std::filesystem::remove(beside);
  const formats::ImportedModel& model = found.content.model;
  std::vector<double> places;
  for (const formats::ImportedLeaf& leaf : leaves(model)) places.push_back(std::round(leaf.X_WP.position.x() * 1e3));
  EXPECT_THAT(places, ElementsAre(0, 1, 10, 20, 30, 35));
  EXPECT_EQ(model.parts.size(), 4U) << "the linked rod is one part in three places";
  EXPECT_EQ(joint(model, "hinge").ends[1].path, (formats::ImportedPath{4, 1}));
  EXPECT_EQ(joint(model, "stop").ends[1].path, formats::ImportedPath{1}) << "the rod of this file";
  EXPECT_THAT(model.notes,
              UnorderedElementsAre(
                  "left out: 'Lost' is in another file, 'nowhere.FCStd', which is missing: put it beside this one",
                  "left out: 'Outside' is in another file, '../elsewhere.FCStd', which is outside the folder of this "
                  "one: --links FOLDER names a folder that holds both",
                  "left out: 'Gone' is in another file, 'freecad_beside.FCStd', which has no object 'Crank'"));
}

TEST_F(FreecadLinks, FilesThatLinkEachOtherEnd) {
  object("App::Link", "Back",
         property("LinkedObject", "<XLink file=\"" + file_name("FilesThatLinkEachOtherEnd") + "\" name=\"There\"/>"));
  const std::string beside = write_beside("freecad_circle.FCStd");
  object("App::Link", "There", property("LinkedObject", "<XLink file=\"freecad_circle.FCStd\" name=\"Back\"/>"));
  part("A", 0);
  assembly({"A", "There"}, {});
  EXPECT_THAT(read().content.model.notes, ElementsAre(HasSubstr("without an end")));
  std::filesystem::remove(beside);
}

// A2plus: elements of two boxes of 10 x 20 x 30 mm, the second beside the first. Face 2 is x = 10, 3 is y = 0, 5 is z =
// 0.
class FreecadMates : public FreecadFile {
 protected:
  FreecadMates() {
    part("A", 0);
    object("Part::FeaturePython", "B",
           placement("Placement", 10, 0) + property("Shape", "<Part file=\"box.brp\"/>") +
               value("fixedPosition", "Bool", "true"));
  }
};

TEST_F(FreecadMates, TogetherTheyLeaveAJoint) {
  constraint("P1", "plane", "Face2", "Face1");
  constraint("P2", "plane", "Face3", "Face3");
  constraint("P3", "plane", "Face5", "Face5", value("Suppressed", "Bool", "true"));
  constraint("P2_mirror", "plane", "Face5", "Face5");
  constraint("Odd", "gear", "Face5", "Face5");
  constraint("Lost", "plane", "Face55", "Face5");
  const FreecadContent found = read();
  const formats::ImportedModel& model = found.content.model;
  ASSERT_EQ(model.joints.size(), 1U);
  const formats::ImportedJoint& slide = model.joints.front();
  EXPECT_EQ(slide.name, "a_b");
  EXPECT_EQ(slide.type, "prismatic");
  EXPECT_EQ(slide.reason, "constraints of the file: 2 plane");
  EXPECT_NEAR(std::abs(world_frame(model, slide.ends[0]).rotation(2, 2)), 1.0, kRounding) << "along z";
  EXPECT_LT(between(model, slide).position.norm(), kRounding);
  EXPECT_EQ(found.ground, 1U);
  EXPECT_THAT(model.notes, UnorderedElementsAre("left out: constraint 'Odd' is of type gear, which has no counterpart",
                                                HasSubstr("constraint 'Lost' names 'Face55', which is not")));
}

struct MateCase {
  const char *type, *first, *second, *more, *joint;
};
class FreecadMateTypes : public FreecadMates, public testing::WithParamInterface<MateCase> {};

TEST_P(FreecadMateTypes, LeaveWhatTheyDoNotHold) {
  const MateCase& one = GetParam();
  constraint("One", one.type, one.first, one.second,
             std::string(one.more).empty() ? "" : value(one.more, "Bool", "true"));
  const FreecadContent found = read();
  const formats::ImportedModel& model = found.content.model;
  if (std::string(one.joint).empty()) {
    EXPECT_THAT(model.joints, IsEmpty());
    EXPECT_THAT(model.notes, ElementsAre(HasSubstr("leave more free than a joint does")));
    return;
  }
  ASSERT_EQ(model.joints.size(), 1U);
  EXPECT_EQ(model.joints.front().type, one.joint);
}

INSTANTIATE_TEST_SUITE_P(Types, FreecadMateTypes,
                         testing::Values(MateCase{"plane", "Face2", "Face1", "", "planar"},
                                         MateCase{"planesParallel", "Face2", "Face1", "", ""},
                                         MateCase{"angledPlanes", "Face2", "Face3", "", ""},
                                         MateCase{"circularEdge", "Edge1", "Edge1", "", "revolute"},
                                         MateCase{"circularEdge", "Edge1", "Edge1", "lockRotation", "fixed"},
                                         MateCase{"axial", "Edge1", "Edge1", "", "cylindrical"},
                                         MateCase{"axisCoincident", "Edge1", "Edge1", "lockRotation", "prismatic"},
                                         MateCase{"pointOnPlane", "Vertex1", "Face3", "", ""},
                                         MateCase{"pointOnLine", "Vertex1", "Edge1", "", ""}));

}  // namespace
}  // namespace gelenk::cad::freecad_mates_test
