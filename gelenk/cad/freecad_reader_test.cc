#include "gelenk/cad/freecad_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "gelenk/cad/freecad_test_support.h"
#include "gelenk/cad/inference_joints.h"

namespace gelenk::cad::freecad_reader_test {
namespace {

using FreecadReader = FreecadFile;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr double kRounding = 1e-12;
constexpr double kDegree = std::numbers::pi / 180.0;

FreecadContent sample(const std::string& name) {
  std::string error;
  std::optional<FreecadContent> found = read_freecad(std::string(GELENK_CAD_FILES) + "/" + name, "", quietly, error);
  EXPECT_EQ(error, "");
  return found ? *std::move(found) : FreecadContent{};
}

std::pair<std::size_t, std::size_t> pair_of(const formats::ImportedJoint& joint) {
  return std::minmax({joint.ends[0].path.front(), joint.ends[1].path.front()});
}

TEST(FreecadBackhoe, PartsAndGround) {
  const FreecadContent backhoe = sample("backhoe.FCStd");
  const formats::ImportedModel& model = backhoe.content.model;
  std::vector<std::string> names;
  for (const formats::ImportedChild& child : model.assemblies.front().children) names.push_back(child.name);
  EXPECT_THAT(names, ElementsAre("base_pin", "base", "boom", "stick", "bucket", "bucket_link2", "bucket_link1",
                                 "boom_cylinder_outer", "boom_cylinder_inner", "stick_cylinder_inner",
                                 "stick_cylinder_outer", "bucket_cylinder_inner", "bucket_cylinder_outer"));
  EXPECT_EQ(model.parts.size(), 13U);
  EXPECT_THAT(model.notes, IsEmpty());
  EXPECT_EQ(backhoe.ground, 0U);
  EXPECT_EQ(model.assemblies.front().children[0].source, "BasePin001");
  ASSERT_TRUE(model.parts.front().color);
  EXPECT_NEAR(model.assemblies.front().children[0].placement.position.x(), -0.20651702880859375, kRounding);
}

TEST(FreecadBackhoe, JointsCloseAsDrawn) {
  const FreecadContent backhoe = sample("backhoe.FCStd");
  const formats::ImportedModel& model = backhoe.content.model;
  std::map<std::string, int> types;
  for (const formats::ImportedJoint& one : model.joints) {
    ++types[one.type];
    EXPECT_EQ(one.origin, formats::Origin::cad);
    EXPECT_TRUE(one.is_enabled);
    const Pose X_AB = between(model, one);
    Vector3 off = X_AB.position;
    if (one.type != "revolute") off.z() = 0.0;  // it slides
    EXPECT_LT(off.norm(), 1e-12) << one.name;
    EXPECT_NEAR(X_AB.rotation(2, 2), 1.0, 1e-12) << one.name;  // axes point the same way
    if (one.type == "prismatic") {
      EXPECT_NEAR(X_AB.rotation.trace(), 3.0, 1e-12) << one.name;
    }
  }
  EXPECT_THAT(
      types, ElementsAre(testing::Pair("cylindrical", 4), testing::Pair("prismatic", 3), testing::Pair("revolute", 9)));
}

// Drawn inside its limits only if angle and travel are measured as FreeCAD does.
TEST(FreecadBackhoe, LimitsHoldAsDrawn) {
  const FreecadContent backhoe = sample("backhoe.FCStd");
  const formats::ImportedModel& model = backhoe.content.model;
  std::size_t count = 0;
  for (const formats::ImportedJoint& one : model.joints) {
    const Pose X_AB = between(model, one);
    for (const formats::ImportedLimits& limits : one.limits) {
      ++count;
      const double value =
          limits.coordinate == "travel" ? X_AB.position.z() : std::atan2(X_AB.rotation(1, 0), X_AB.rotation(0, 0));
      EXPECT_GE(value, limits.min.value_or(-1e9)) << one.name;
      EXPECT_LE(value, limits.max.value_or(1e9)) << one.name;
    }
  }
  EXPECT_EQ(count, 6U);
  const formats::ImportedLimits& angle = joint(model, "revolute003").limits.front();
  EXPECT_EQ(angle.coordinate, "angle");
  EXPECT_NEAR(angle.min.value(), -48.0 * kDegree, kRounding);
  EXPECT_NEAR(angle.max.value(), -23.0 * kDegree, kRounding);
  const formats::ImportedLimits& travel = joint(model, "slider").limits.front();
  EXPECT_EQ(travel.coordinate, "travel");
  EXPECT_FALSE(travel.min);
  EXPECT_NEAR(travel.max.value(), 0.08, kRounding);
}

// What the shapes alone show, compared with what the designer said.
TEST(FreecadBackhoe, InferenceFindsTheSamePairsAndAxes) {
  FreecadContent backhoe = sample("backhoe.FCStd");
  formats::ImportedModel& model = backhoe.content.model;
  const std::vector<formats::ImportedJoint> native = std::exchange(model.joints, {});
  EXPECT_EQ(infer_joints(backhoe.content, quietly).fasteners, 0U);
  std::set<std::pair<std::size_t, std::size_t>> reported, found;
  for (const formats::ImportedJoint& one : native) reported.insert(pair_of(one));
  for (const formats::ImportedJoint& one : model.joints) found.insert(pair_of(one));
  EXPECT_EQ(reported.size(), 16U);
  EXPECT_EQ(found, reported);
  EXPECT_EQ(model.joints.size(), 16U);
  std::size_t same_types = 0;
  for (const formats::ImportedJoint& one : native) {
    const auto same = std::find_if(model.joints.begin(), model.joints.end(),
                                   [&](const auto& other) { return pair_of(other) == pair_of(one); });
    ASSERT_NE(same, model.joints.end());
    EXPECT_THAT(same->type, testing::AnyOf("revolute", "cylindrical", "prismatic"));
    same_types += same->type == one.type ? 1U : 0U;
    const Pose a = world_frame(model, one.ends[0]), b = world_frame(model, same->ends[0]);
    const Vector3 axis = a.rotation.col(2), apart = b.position - a.position;
    EXPECT_LT(axis.cross(b.rotation.col(2)).norm(), 1e-9) << one.name;
    EXPECT_LT(apart.cross(axis).norm(), 1e-9) << one.name;
  }
  // Shapes do not show every stop along an axis: the others are revolute, cylindrical or prismatic on the right axis.
  EXPECT_EQ(same_types, 11U);
}

TEST(FreecadSteamEngine, IsThatOfTheStepFile) {
  FreecadContent engine = sample("steam_engine.FCStd");
  std::string error;
  std::optional<StepContent> step = read_step(std::string(GELENK_CAD_FILES) + "/steam_engine.step", quietly, error);
  ASSERT_TRUE(step);
  EXPECT_THAT(engine.content.model.joints, IsEmpty());
  EXPECT_FALSE(engine.ground);
  infer_joints(engine.content, quietly);
  infer_joints(*step, quietly);
  ASSERT_EQ(engine.content.model.joints.size(), 4U);
  for (const formats::ImportedJoint& one : step->model.joints) {
    EXPECT_EQ(joint(engine.content.model, one.name).type, one.type);
  }
  ASSERT_EQ(engine.content.model.parts.size(), 13U);
  double mass = 0.0, mass_of_step = 0.0;
  for (const formats::ImportedPart& part : engine.content.model.parts) mass += part.mass.mass;
  for (const formats::ImportedPart& part : step->model.parts) mass_of_step += part.mass.mass;
  EXPECT_NEAR(mass, mass_of_step, 1e-9 * mass);
}

TEST_F(FreecadReader, ShapesAreInTheAxesOfTheirObject) {
  part("A", 100);
  part("B", 200, "box.bin");
  const FreecadContent found = read();
  ASSERT_EQ(found.content.model.parts.size(), 2U);
  for (const formats::ImportedPart& part : found.content.model.parts) {
    // The place that is stored with the shape does not count.
    EXPECT_LT((part.mass.center - Vector3(0.005, 0.01, 0.015)).norm(), kRounding);
    EXPECT_NEAR(part.mass.mass, 6e-6 * 7850.0, kRounding);
  }
  EXPECT_NEAR(found.content.model.assemblies.front().children[1].placement.position.x(), 0.2, kRounding);
}

TEST_F(FreecadReader, JointsOfAllKinds) {
  part("A", 0);
  part("B", 20);
  joint_of("Hinge", "Revolute",
           value("EnableAngleMin", "Bool", "true") + value("AngleMin", "Float", "90") +
               value("EnableAngleMax", "Bool", "true") + value("AngleMax", "Float", "-45"));
  joint_of("Off", "Ball", value("Activated", "Bool", "false"));
  joint_of("OffToo", "Fixed", value("Suppressed", "Bool", "true"));
  joint_of("Wheels", "Gears");
  joint_of("Nowhere", "Slider", "", "Assembly\" sub=\"C.Face1\">");
  assembly({"A", "B"}, {"Hinge", "Off", "OffToo", "Wheels", "Nowhere"});
  const FreecadContent found = read();
  const formats::ImportedModel& model = found.content.model;
  ASSERT_EQ(model.joints.size(), 3U);
  const formats::ImportedJoint& hinge = joint(model, "hinge");
  EXPECT_EQ(hinge.type, "revolute");
  EXPECT_EQ(hinge.ends[0].path, formats::ImportedPath{0});
  EXPECT_EQ(hinge.ends[1].path, formats::ImportedPath{1});
  EXPECT_NEAR(hinge.limits.front().min.value(), -45.0 * kDegree, kRounding);
  EXPECT_NEAR(hinge.limits.front().max.value(), 90.0 * kDegree, kRounding);
  EXPECT_TRUE(hinge.is_enabled);
  EXPECT_EQ(joint(model, "off").type, "spherical");
  EXPECT_FALSE(joint(model, "off").is_enabled);
  EXPECT_FALSE(joint(model, "off_too").is_enabled);
  EXPECT_THAT(model.notes, UnorderedElementsAre("left out: joint 'Wheels' is of type Gears, which has no counterpart",
                                                "left out: joint 'Nowhere' does not join two parts of the assembly"));
}

TEST_F(FreecadReader, AxesAgainstEachOtherAreTurned) {
  const std::string to_b = "Assembly\" count=\"1\"><Sub value=\"B.Face1\"/>";
  part("A", 0);
  part("B", 20);
  for (const char* type : {"Revolute", "Cylindrical", "Slider", "Fixed"}) joint_of(type, type, "", to_b, 1.0);
  assembly({"A", "B"}, {"Revolute", "Cylindrical", "Slider", "Fixed"});
  const FreecadContent found = read();
  ASSERT_EQ(found.content.model.joints.size(), 4U);
  for (const formats::ImportedJoint& one : found.content.model.joints) {
    const Pose X_AB = between(found.content.model, one);
    EXPECT_LT(X_AB.position.norm(), kRounding) << one.type;
    EXPECT_NEAR(X_AB.rotation.trace(), 3.0, kRounding) << one.type;
  }
}

TEST_F(FreecadReader, SubAssemblies) {
  part("Box", 1000);  // its own place does not count where links show it
  const auto link = [&](const std::string& name, const std::string& to, double x) {
    object("App::Link", name,
           placement("LinkPlacement", x, 0) + property("LinkedObject", "<XLink file=\"\" name=\"" + to + "\"/>"));
  };
  link("Inner", "Box", 1);
  link("Outer", "Box", 2);
  joint_of("Inside", "Revolute");
  object("Assembly::AssemblyObject", "Arm",
         placement("Placement", 10, 0) + links("Group", {"Inner", "Outer", "Inside"}));
  object("Assembly::AssemblyLink", "Whole",
         placement("Placement", 50, 0) + property("LinkedObject", "<XLink file=\"\" name=\"Arm\"/>"));
  object("Assembly::AssemblyLink", "Loose",
         placement("Placement", 70, 0) + value("Rigid", "Bool", "false") + links("Group", {"L1", "L2", "LooseJoint"}));
  link("L1", "Box", 1);
  link("L2", "Box", 2);
  link("Outside", "", 0);
  joint_of("LooseJoint", "Revolute", "", "Assembly\" sub=\"Loose.L2.Face1\">");
  joint_of("Deep", "Ball", "", "Assembly\" sub=\"Whole.Outer.Face1\">");
  part("A", 0);
  object("App::FeaturePython", "Ground", value("ObjectToGround", "Link", "Whole"));
  object("App::FeaturePython", "Ground2", value("ObjectToGround", "Link", "L1"));
  assembly({"A", "Whole", "Loose", "Outside"}, {"Deep", "Ground", "Ground2"});
  const FreecadContent found = read();
  const formats::ImportedModel& model = found.content.model;
  std::vector<std::string> names;
  for (const formats::ImportedChild& child : model.assemblies.front().children) names.push_back(child.name);
  EXPECT_THAT(names, ElementsAre("a", "whole", "l1", "l2"));
  ASSERT_EQ(model.parts.size(), 2U);
  EXPECT_EQ(found.ground, 1U);
  std::vector<double> places;
  for (const formats::ImportedLeaf& leaf : leaves(model)) places.push_back(std::round(leaf.X_WP.position.x() * 1e3));
  EXPECT_THAT(places, ElementsAre(0, 51, 52, 71, 72));
  EXPECT_EQ(joint(model, "deep").ends[1].path, (formats::ImportedPath{1, 1}));
  EXPECT_EQ(joint(model, "loose_joint").ends[1].path, formats::ImportedPath{3});
  const formats::ImportedJoint& held = joint(model, "ground2");
  EXPECT_EQ(held.type, "fixed");
  EXPECT_LT(between(model, held).position.norm(), kRounding);
  EXPECT_THAT(model.notes, UnorderedElementsAre("left out: 'Outside' does not link to a single part",
                                                "sub-assembly 'Whole' is rigid: its 1 joint is left out"));
}

TEST_F(FreecadReader, FilesThatCannotBeRead) {
  EXPECT_THAT(error(), HasSubstr("cannot be read"));
  write_file("rubbish");
  EXPECT_THAT(error(), HasSubstr("is not a FreeCAD file: it is not a ZIP archive"));
  write_zip("<Document><Objects>");
  EXPECT_THAT(error(), HasSubstr("its Document.xml is damaged"));
  write_zip("<Office/>");
  EXPECT_THAT(error(), HasSubstr("has no objects"));
  std::string ignored;
  const std::vector<ZipEntry> other{{"readme.txt", "x"}};
  write_file(make_zip(other, ignored).value());
  EXPECT_THAT(error(), HasSubstr("it has no Document.xml"));
  write();
  EXPECT_THAT(error(), HasSubstr("has no solid"));
}

TEST_F(FreecadReader, MissingShape) {
  part("Lever", 0, "lost.brp");
  write();
  EXPECT_THAT(error(), HasSubstr("the shape of part 'Lever', member 'lost.brp', is missing"));
}

class FreecadDamagedShape : public FreecadReader, public testing::WithParamInterface<const char*> {};

TEST_P(FreecadDamagedShape, IsTold) {
  part("Lever", 0, GetParam());
  write();
  EXPECT_THAT(error(), HasSubstr("the shape of part 'Lever', member '" + std::string(GetParam()) + "', is damaged"));
}

INSTANTIATE_TEST_SUITE_P(Files, FreecadDamagedShape,
                         testing::Values("rubbish.brp", "endless.brp", "cut.brp", "cut.bin"));

TEST_F(FreecadReader, PlacementThatIsNone) {
  object("Part::Feature", "A", property("Placement", "<PropertyPlacement Px=\"nan\"/>"));
  write();
  EXPECT_THAT(error(), HasSubstr("property 'Placement' of object 'A' is not a placement"));
}

TEST_F(FreecadReader, GroupInItself) {
  object("App::Part", "Inner", links("Group", {"Outer"}));
  object("App::Part", "Outer", links("Group", {"Inner"}));
  assembly({"Outer"}, {});
  write();
  EXPECT_THAT(error(), HasSubstr("contains itself"));
}

TEST_F(FreecadReader, DensitiesOfItsOwnMaterials) {
  const auto part_of = [&](const std::string& name, const std::string& uuid) {
    object("Part::Feature", name,
           placement("Placement", 0, 0) + property("Shape", "<Part file=\"box.brp\"/>") +
               property("ShapeMaterial", "<PropertyMaterial uuid=\"" + uuid + "\"/>"));
  };
  part_of("Cover", "73371529-2983-47dd-b988-6739a2e20029");
  part_of("Plain", "7f9fd73b-50c9-41d8-b7b2-575a030c1eeb");
  part_of("Odd", "00000000-0000-0000-0000-000000000001");
  part_of("Odd2", "00000000-0000-0000-0000-000000000001");
  const formats::ImportedModel model = read().content.model;
  ASSERT_EQ(model.parts.size(), 4U);
  EXPECT_EQ(model.parts[0].material, "ABS");
  EXPECT_EQ(model.parts[0].density, 1060.0);
  EXPECT_EQ(model.parts[0].density_origin, formats::Origin::cad);
  EXPECT_NEAR(model.parts[0].mass.mass, 1060.0 * 6e-6, 1e-12);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_EQ(model.parts[i].density_origin, formats::Origin::assumed);
  EXPECT_THAT(model.notes, ElementsAre(HasSubstr("part 'Odd' has a material that only FreeCAD knows")));
}

TEST(FreecadBackhoe, SaysHowFarItIs) {
  std::vector<std::string> stages;
  std::string error;
  std::optional<FreecadContent> found = read_freecad(
      std::string(GELENK_CAD_FILES) + "/backhoe.FCStd", "", [&](std::string_view stage) { stages.emplace_back(stage); },
      error);
  ASSERT_TRUE(found) << error;
  ASSERT_EQ(stages.size(), 14U);
  EXPECT_EQ(stages.front(), "reading");
  EXPECT_EQ(stages[1], "part 1 of 13");
  EXPECT_EQ(stages.back(), "part 13 of 13");
  stages.clear();
  found->content.model.joints.clear();
  infer_joints(found->content, [&](std::string_view stage) { stages.emplace_back(stage); });
  ASSERT_EQ(stages.size(), 13U);
  EXPECT_EQ(stages.back(), "looking for joints, part 13 of 13");
}

}  // namespace
}  // namespace gelenk::cad::freecad_reader_test
