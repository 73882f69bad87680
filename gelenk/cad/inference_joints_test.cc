#include "gelenk/cad/inference_joints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <cmath>
#include <map>
#include <numbers>

#include "gelenk/base/private_folder.h"
#include "gelenk/cad/content_test_support.h"
#include "gelenk/cad/loose_parts.h"
#include "gelenk/cad/step_test_support.h"
#include "gelenk/formats/imported_choices.h"

namespace gelenk::cad::inference_joints_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

// With what nothing joins held as drawn; `held` names it.
StepContent inferred(const std::string& path, InferenceReport* report = nullptr,
                     std::vector<std::string>* held = nullptr) {
  StepContent content = read_content(path);
  const InferenceReport found = infer_joints(content, quietly);
  if (report != nullptr) *report = found;
  const std::vector<std::string> fixed = hold_loose_groups(content.model, proposed_ground(content.model, "z").child);
  if (held != nullptr) *held = fixed;
  return content;
}

StepContent sample(const std::string& name) { return inferred(std::string(GELENK_CAD_FILES) + "/" + name); }

StepContent made(StepMaker& maker, InferenceReport* report = nullptr, std::vector<std::string>* held = nullptr) {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/made.step";
  maker.write(path);
  return inferred(path, report, held);
}

std::map<std::string, std::string> types(const StepContent& content) {
  std::map<std::string, std::string> found;
  for (const formats::ImportedJoint& joint : content.model.joints) found[joint.name] = joint.type;
  return found;
}

const formats::ImportedJoint& joint(const StepContent& content, const std::string& name) {
  for (const formats::ImportedJoint& one : content.model.joints) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("no joint " + name);
}

Pose world_frame(const StepContent& content, const formats::ImportedEnd& end) {
  for (const formats::ImportedLeaf& leaf : leaves(content.model)) {
    if (leaf.path == end.path) return leaf.X_WP * end.frame;
  }
  return {};
}

void expect_closed(const StepContent& content) {
  for (const formats::ImportedJoint& one : content.model.joints) {
    const Pose a = world_frame(content, one.ends[0]), b = world_frame(content, one.ends[1]);
    EXPECT_LE((a.rotation - b.rotation).norm(), 1e-9) << one.name;
    EXPECT_LE((a.position - b.position).norm(), 1e-9) << one.name;
  }
}

TEST(Inference, FindsAllTypesOfTheZoo) {
  const StepContent content = sample("joint_zoo.step");
  // The pairs stand beside each other: all but one are held to a neighbor.
  std::map<std::string, std::string> found = types(content);
  for (const formats::ImportedJoint& one : content.model.joints) {
    if (one.origin == formats::Origin::assumed) found.erase(one.name);
  }
  EXPECT_THAT(found, ElementsAre(Pair("ball_stud_socket", "spherical"), Pair("dove_rail_dove_slide", "prismatic"),
                                 Pair("key_shaft_key_hub", "prismatic"), Pair("plate_a_plate_b", "fixed"),
                                 Pair("table_puck", "fixed")));
  expect_closed(content);
}

TEST(Inference, FindsTheJointsOfTheSteamEngine) {
  const StepContent content = sample("steam_engine.step");
  EXPECT_THAT(types(content),
              ElementsAre(Pair("crank_group_con_rod", "revolute"), Pair("piston_group_con_rod", "revolute"),
                          Pair("stator_crank_group", "revolute"), Pair("stator_piston_group", "prismatic")));
  for (const formats::ImportedJoint& one : content.model.joints) EXPECT_GE(one.score, 0.75) << one.name;
  expect_closed(content);
}

TEST(Inference, FindsAHingeOfAnotherProgram) {
  EXPECT_THAT(types(sample("chrono_assembly.stp")), ElementsAre(Pair("body1_body2", "revolute")));
}

const gp_Dir kZ(0, 0, 1);

// A lever on a stud; the radius of the stud, and how far and how much it stands off.
void make_hinge(StepMaker& maker, double stud_radius, double offset, double tilt, bool as_splines = false) {
  gp_Trsf turn;
  turn.SetRotation(gp_Ax1(point(0, 0, 0), gp_Dir(1, 0, 0)), tilt);
  const auto shape = [&](const TopoDS_Shape& exact) {
    return as_splines ? BRepBuilderAPI_NurbsConvert(exact).Shape() : exact;
  };
  const TDF_Label plate = maker.part(
      "Plate", shape(fuse(box(point(-50, -50, -10), point(50, 50, 0)), cylinder(point(0, 0, 0), kZ, stud_radius, 30))));
  const TDF_Label lever =
      maker.part("Lever", shape(cut(box(point(-15, -15, 0), point(100, 15, 20)), cylinder(point(0, 0, 0), kZ, 8, 20))));
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, plate, at(0, 0, 0.0), "Plate");
  maker.put(top, lever, TopLoc_Location(turn) * at(offset, 0, 0, 0.3), "Lever");
}

// S2-19: frames of joints from bores, shafts and faces, found without picking.
TEST(Inference, AxisIsThatOfTheShaft) {
  StepMaker maker;
  make_hinge(maker, 8.0, 0.0, 0.0);
  const StepContent content = made(maker);
  ASSERT_THAT(types(content), ElementsAre(Pair("plate_lever", "revolute")));
  const Pose frame = world_frame(content, joint(content, "plate_lever").ends[0]);
  EXPECT_LE(frame.position.head<2>().norm(), 1e-12);
  EXPECT_LE((frame.rotation.col(2) - Vector3::UnitZ()).norm(), 1e-12);
  expect_closed(content);
}

TEST(Inference, SplinesAreSeenForWhatTheyAre) {
  StepMaker maker;
  make_hinge(maker, 8.0, 0.0, 0.0, true);
  const StepContent content = made(maker);
  ASSERT_THAT(types(content), ElementsAre(Pair("plate_lever", "revolute")));
  EXPECT_LE(world_frame(content, joint(content, "plate_lever").ends[0]).position.head<2>().norm(), 1e-9);
}

TEST(Inference, ALooseFitScoresLess) {
  StepMaker tight, wide;
  make_hinge(tight, 8.0, 0.0, 0.0);
  make_hinge(wide, 6.5, 0.0, 0.0);
  EXPECT_GT(joint(made(tight), "plate_lever").score, joint(made(wide), "plate_lever").score + 0.1);
}

TEST(Inference, AStudThatIsTooThinGuidesNothing) {
  StepMaker maker;
  make_hinge(maker, 5.0, 0.0, 0.0);
  EXPECT_THAT(types(made(maker)), ElementsAre(Pair("plate_lever", "fixed")));
}

TEST(Inference, PartsThatAreDrawnApartAreAGuess) {
  StepMaker maker;
  make_hinge(maker, 8.0, 0.3, 0.02);
  const StepContent content = made(maker);
  ASSERT_THAT(types(content), ElementsAre(Pair("plate_lever", "revolute")));
  EXPECT_LE(joint(content, "plate_lever").score, 0.6);
  EXPECT_THAT(joint(content, "plate_lever").reason, testing::HasSubstr("drawn apart"));
}

TopoDS_Shape hexagon(double across, double height) {
  BRepBuilderAPI_MakePolygon outline;
  for (int i = 0; i < 6; ++i) {
    const double angle = i * std::numbers::pi / 3.0, radius = across / std::numbers::sqrt3;
    outline.Add(point(radius * std::cos(angle), radius * std::sin(angle), 0));
  }
  outline.Close();
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline.Wire()).Face(), gp_Vec(0, 0, height)).Shape();
}

// Two plates, two bolts without a helpful name, and a block far away.
TEST(Inference, BoltsGoWithWhatTheyHoldAndHoldIt) {
  StepMaker maker;
  const auto drilled = [](const TopoDS_Shape& plate) {
    return cut(cut(plate, cylinder(point(-30, 0, -50), kZ, 4, 100)), cylinder(point(30, 0, -50), kZ, 4, 100));
  };
  const TDF_Label lower = maker.part("Lower", drilled(box(point(-50, -20, -10), point(50, 20, 0))));
  const TDF_Label upper = maker.part("Upper", drilled(box(point(-50, -20, 0), point(50, 20, 8))));
  const TDF_Label bolt = maker.part("DIN933", fuse(hexagon(13, 5), cylinder(point(0, 0, -18), kZ, 4, 18)));
  const TDF_Label block = maker.part("Block", box(point(0, 0, 0), point(5, 5, 5)));
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, lower, at(0, 0, 1e-9), "Lower");
  maker.put(top, upper, at(0, 0, 1e-9), "Upper");
  maker.put(top, bolt, at(-30, 0, 8), "");
  maker.put(top, bolt, at(30, 0, 8), "");
  maker.put(top, block, at(200, 200, 200), "Block");
  InferenceReport report;
  std::vector<std::string> held;
  const StepContent content = made(maker, &report, &held);
  EXPECT_EQ(report.fasteners, 2u);
  EXPECT_THAT(held, ElementsAre("block"));
  EXPECT_THAT(types(content), ElementsAre(Pair("lower_upper", "fixed"), Pair("upper_block", "fixed"),
                                          Pair("upper_din933", "fixed"), Pair("upper_din933_2", "fixed")));
  EXPECT_EQ(joint(content, "lower_upper").origin, formats::Origin::inferred);
  EXPECT_EQ(joint(content, "upper_din933").origin, formats::Origin::assumed);
  expect_closed(content);
}

TopoDS_Shape lug(double low) {
  return cut(box(point(-10, -10, low), point(60, 10, low + 10)), cylinder(point(0, 0, low), kZ, 5, 10));
}

TEST(Inference, APinJoinsTwoLugsAndTheirBoresAreNoPair) {
  StepMaker maker;
  const TDF_Label a = maker.part("A", lug(0)), b = maker.part("B", lug(12));
  const TDF_Label pin = maker.part("Pin", cylinder(point(0, 0, -2), kZ, 5, 26));
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, a, at(0, 0, 1e-9), "A");
  maker.put(top, b, at(0, 0, 1e-9, 1.0), "B");
  maker.put(top, pin, at(0, 0, 1e-9), "Pin");
  EXPECT_THAT(types(made(maker)), ElementsAre(Pair("a_pin", "revolute"), Pair("b_pin", "revolute")));
}

// A hinge far from the ground: both of its parts fall, so its nearer one is held.
TEST(Inference, GroupsThatHangOnNothingAreHeld) {
  StepMaker maker;
  const TDF_Label frame = maker.part("Frame", box(point(0, 0, 0), point(200, 200, 20)));
  const TDF_Label a = maker.part("A", lug(0)), b = maker.part("B", lug(12)), top = maker.assembly("Top");
  maker.put(top, frame, at(-100, -100, -100), "Frame");
  maker.put(top, a, at(0, 0, 1e-9), "A");
  maker.put(top, b, at(0, 0, 1e-9, 1.0), "B");
  std::vector<std::string> held;
  const StepContent content = made(maker, nullptr, &held);
  EXPECT_THAT(types(content), ElementsAre(Pair("a_b", "revolute"), Pair("frame_a", "fixed")));
  EXPECT_THAT(held, ElementsAre("a"));
  EXPECT_THAT(content.model.notes,
              testing::Contains("no joint leads from the ground to a and b: a is fixed to frame, the nearest part"));
}

TEST(Inference, AlignedBoresWithoutAPinAreADoubtfulJoint) {
  StepMaker maker;
  const TDF_Label a = maker.part("A", lug(0)), b = maker.part("B", lug(12)), top = maker.assembly("Top");
  maker.put(top, a, at(0, 0, 1e-9), "A");
  maker.put(top, b, at(0, 0, 1e-9, 1.0), "B");
  const StepContent content = made(maker);
  ASSERT_THAT(types(content), ElementsAre(Pair("a_b", "revolute")));
  EXPECT_LE(joint(content, "a_b").score, 0.5);
}

}  // namespace
}  // namespace gelenk::cad::inference_joints_test
