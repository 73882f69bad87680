#include "gelenk/cad/joint_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>

#include "gelenk/cad/content_test_support.h"
#include "gelenk/cad/folder_test_support.h"
#include "gelenk/cad/inference_joints.h"
#include "gelenk/cad/shape_edges.h"
#include "gelenk/cad/shape_facts.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad::joint_picture_test {
namespace {

constexpr std::size_t kMostBytes = 60'000;
constexpr double kRounding = 0.051;  // px: coordinates have one decimal

const formats::ImportedJoint& joint_named(const StepContent& content, const std::string& name) {
  for (const formats::ImportedJoint& joint : content.model.joints) {
    if (joint.name == name) return joint;
  }
  throw std::invalid_argument("no joint " + name);
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

// Of one of the three pictures: 0 is the machine, 2 is cut open.
pugi::xml_node picture(const pugi::xml_document& document, int number) {
  pugi::xml_node found = document.child("svg").child("g");
  for (int i = 0; i < number; ++i) found = found.next_sibling("g");
  return found;
}

std::vector<Vector3> ends_of_axis(pugi::xml_node drawn) {
  const pugi::xml_node line = drawn.find_child_by_attribute("line", "class", "jp-ink jp-axis");
  const auto number = [&](const char* name) { return line.attribute(name).as_double(); };
  if (!line) return {};
  return {{number("x1"), number("y1"), 0.0}, {number("x2"), number("y2"), 0.0}};
}

// A pin of 10 mm along z in a block of 40 x 40 x 20 mm, whose corner is at (100, 0, 0) mm.
class JointPicture : public InFolder {
 protected:
  StepContent pin_in_block(double tilt = 0.0) {
    StepMaker maker;
    const TDF_Label machine = maker.assembly("machine");
    const TopoDS_Shape hole = cylinder(point(20, 20, -1), gp_Dir(0, 0, 1), 5, 22);
    gp_Trsf lean;
    lean.SetRotation(gp_Ax1(point(120, 20, 10), gp_Dir(1, 0, 0)), tilt);
    maker.put(machine, maker.part("block", cut(box(point(0, 0, 0), point(40, 40, 20)), hole)), at(100, 0, 0), "block");
    maker.put(machine, maker.part("pin", cylinder(point(120, 20, -20), gp_Dir(0, 0, 1), 5, 60)), TopLoc_Location(lean),
              "pin");
    const std::string path = (folder() / "pin.step").string();
    maker.write(path);
    StepContent content = read_content(path);
    infer_joints(content, quietly);
    return content;
  }
};

TEST_F(JointPicture, ShowsTheAxisWhereItIs) {
  const StepContent content = pin_in_block();
  const formats::ImportedJoint& joint = joint_named(content, "block_pin");
  EXPECT_EQ(joint.type, "revolute");
  JointPainter painter(content, "z");
  // Both guide each other from z = 0 to 20 mm, 10 mm wide: that is the place.
  const JointPlace place = painter.place_of(joint);
  EXPECT_LT((place.center - Vector3(0.12, 0.02, 0.01)).norm(), 1e-9);
  EXPECT_NEAR(place.radius, 1.1 * std::sqrt(0.01 * 0.01 * 2.0 + 0.02 * 0.02), 1e-9);
  // Seen from the front: the axis is upright, in the middle of a picture of 330 x 270 px of which 92 % are filled, and
  // 5 % longer than the place on both sides.
  const pugi::xml_document document = parsed(painter.draw(joint));
  const std::vector<Vector3> axis = ends_of_axis(picture(document, 2));
  ASSERT_EQ(axis.size(), 2U);
  const double half = 0.5 * 0.92 * 270.0 * 1.05;
  EXPECT_NEAR(axis[0].x(), 165.0, kRounding);
  EXPECT_NEAR(axis[1].x(), 165.0, kRounding);
  EXPECT_NEAR(std::max(axis[0].y(), axis[1].y()), 135.0 + half, kRounding);
  EXPECT_NEAR(std::min(axis[0].y(), axis[1].y()), 135.0 - half, kRounding);
  // From a corner it is upright, too, and shorter by the cosine of the height of the eye.
  const std::vector<Vector3> from_corner = ends_of_axis(picture(document, 1));
  ASSERT_EQ(from_corner.size(), 2U);
  const double level = std::hypot(0.9, 1.1) / std::sqrt(0.9 * 0.9 + 1.1 * 1.1 + 0.8 * 0.8);
  EXPECT_NEAR(from_corner[0].x(), 165.0, kRounding);
  EXPECT_NEAR(std::abs(from_corner[0].y() - from_corner[1].y()), 2.0 * half * level, 2.0 * kRounding);
}

TEST_F(JointPicture, TurnsWithTheUpwardAxisOfTheDrawing) {
  const StepContent content = pin_in_block();
  const formats::ImportedJoint& joint = joint_named(content, "block_pin");
  const std::vector<Vector3> axis = ends_of_axis(picture(parsed(JointPainter(content, "y").draw(joint)), 2));
  ASSERT_EQ(axis.size(), 2U);
  EXPECT_NEAR(axis[0].y(), axis[1].y(), kRounding);  // z lies now
}

TEST_F(JointPicture, CutsThroughTheAxis) {
  const StepContent content = pin_in_block();
  const geometry::PictureView view = JointPainter(content, "z").cut_view(joint_named(content, "block_pin"));
  EXPECT_NEAR(view.cut, 0.0, 1e-9);
  DepthRaster raster(view);
  for (const formats::ImportedLeaf& leaf : formats::leaves(content.model)) {
    raster.add(content.model.parts[leaf.part].mesh, leaf.X_WP, static_cast<std::uint32_t>(leaf.path.front() + 1));
  }
  // Nothing but cut material: the block left and right of the pin, the pin in the middle. 4 cells for each px².
  EXPECT_EQ(raster.count(1) + raster.count(2), 0U);
  const double px2 = view.scale * view.scale * 4.0;
  EXPECT_NEAR(static_cast<double>(raster.count(1 | DepthRaster::kCut)), 0.030 * 0.020 * px2,
              0.01 * 0.030 * 0.020 * px2);
  const double height = view.height / view.scale;  // of what is seen of the pin, which is longer
  EXPECT_NEAR(static_cast<double>(raster.count(2 | DepthRaster::kCut)), 0.010 * height * px2,
              0.01 * 0.010 * height * px2);
}

// A pin pressed into a disk, both of one body, and a sheet behind the cut: what is cut, what is not.
TEST(DepthRaster, TellsCutMaterialFromSurfaces) {
  geometry::PictureView view;
  view.axes = geometry::viewing_axes(-Vector3::UnitY(), Vector3::UnitZ());
  view.scale = 1000.0;  // 1 px is 1 mm
  view.width = view.height = 100.0;
  view.cut = 0.0;
  DepthRaster raster(view);
  const TopoDS_Shape pin = cylinder(point(0, 0, -20), gp_Dir(0, 0, 1), 10, 40);
  const TopoDS_Shape disk = cut(cylinder(point(0, 0, -20), gp_Dir(0, 0, 1), 30, 40), pin);
  const TopoDS_Shape sheet = box(point(-50, 40, 25), point(50, 41, 45));
  for (const TopoDS_Shape& shape : {pin, disk}) raster.add(triangles_of(shape).mesh, {}, 1);
  raster.add(triangles_of(sheet).mesh, {}, 2);
  // 60 x 40 mm of material, nothing of its surface; the sheet is behind the cut. 4 cells for each px².
  EXPECT_NEAR(static_cast<double>(raster.count(1 | DepthRaster::kCut)), 4.0 * 60.0 * 40.0, 100.0);
  EXPECT_EQ(raster.count(1), 0U);
  EXPECT_EQ(raster.count(2 | DepthRaster::kCut), 0U);
  EXPECT_EQ(raster.count(2), 4U * 100U * 20U);
  EXPECT_TRUE(raster.is_hidden({50.0, 50.0, -5.0}));    // inside of the pin, behind the cut
  EXPECT_FALSE(raster.is_hidden({50.0, 15.0, -40.0}));  // on the sheet
  EXPECT_TRUE(raster.is_hidden({50.0, 15.0, -60.0}));   // behind it
  EXPECT_EQ(raster.border(1 | DepthRaster::kCut).size(), 1U);
}

TEST_F(JointPicture, ShowsBothAxesOfPartsThatAreDrawnApart) {
  const StepContent straight = pin_in_block(), tilted = pin_in_block(0.02);
  const std::string apart = JointPainter(tilted, "z").draw(joint_named(tilted, "block_pin"));
  EXPECT_THAT(apart, testing::HasSubstr("class=\"jp-second\""));
  EXPECT_THAT(JointPainter(straight, "z").draw(joint_named(straight, "block_pin")),
              testing::Not(testing::HasSubstr("class=\"jp-second\"")));
}

TEST_F(JointPicture, EscapesNamesAndDrawsEveryType) {
  StepContent content = pin_in_block();
  formats::ImportedJoint joint = joint_named(content, "block_pin");
  joint.name = "a<b & \"c\"";
  for (const char* type : {"fixed", "revolute", "prismatic", "cylindrical", "spherical", "planar"}) {
    joint.type = type;
    const std::string svg = JointPainter(content, "-x").draw(joint);
    EXPECT_LT(svg.size(), kMostBytes);
    const pugi::xml_document document = parsed(svg);
    EXPECT_EQ(std::string(document.child("svg").child_value("title")), "a<b & \"c\", " + std::string(type));
    EXPECT_EQ(svg, JointPainter(content, "-x").draw(joint)) << "the same bytes again";
  }
}

TEST(JointPictureOfSamples, StaysSmall) {
  for (const char* name : {"joint_zoo.step", "steam_engine.step", "chrono_assembly.stp"}) {
    StepContent content = read_content(std::string(GELENK_CAD_FILES) + "/" + name);
    infer_joints(content, quietly);
    JointPainter painter(content, "z");
    for (const formats::ImportedJoint& joint : content.model.joints) {
      const std::string svg = painter.draw(joint);
      parsed(svg);
      EXPECT_LT(svg.size(), kMostBytes) << name << " " << joint.name;
    }
  }
}

TEST(SharpEdges, LeavesOutSeamsAndSmoothTransitions) {
  const TopoDS_Shape pin = cylinder(point(0, 0, 0), gp_Dir(0, 0, 1), 5, 20);
  triangles_of(pin);
  EXPECT_EQ(sharp_edges(pin).size(), 2U);  // two circles, no seam
  const TopoDS_Shape block = box(point(0, 0, 0), point(10, 20, 30));
  triangles_of(block);
  const std::vector<Polyline> edges = sharp_edges(block);
  EXPECT_EQ(edges.size(), 12U);
  double length = 0.0;
  for (const Polyline& edge : edges) length += (edge.back() - edge.front()).norm();
  EXPECT_NEAR(length, 4.0 * 0.060, 1e-12);
  // A slot with round ends: its planes go on smoothly as half cylinders. 4 edges up and down are not drawn.
  const TopoDS_Shape slot =
      fuse(fuse(box(point(0, -5, 0), point(30, 5, 8)), cylinder(point(0, 0, 0), gp_Dir(0, 0, 1), 5, 8)),
           cylinder(point(30, 0, 0), gp_Dir(0, 0, 1), 5, 8));
  triangles_of(slot);
  const std::vector<Polyline> around = sharp_edges(slot);
  EXPECT_GE(around.size(), 4U);
  for (const Polyline& edge : around) {
    EXPECT_NEAR(edge.front().z(), edge.back().z(), 1e-12) << "an upright edge";
  }
}

TEST(SmoothEdges, OutlineOfAPinIsTwoLines) {
  const TopoDS_Shape pin = cylinder(point(0, 0, 0), gp_Dir(0, 0, 1), 5, 20);
  const std::vector<Polyline> lines = SmoothEdges(triangles_of(pin).mesh).outline(Vector3::UnitX());
  double length = 0.0;
  for (const Polyline& line : lines) {
    for (const Vector3& p : line) EXPECT_NEAR(std::abs(p.y()), 0.005, 0.2e-3);  // left and right of the eye
    length += (line.back() - line.front()).norm();
  }
  EXPECT_NEAR(length, 0.040, 2e-3);
}

}  // namespace
}  // namespace gelenk::cad::joint_picture_test
