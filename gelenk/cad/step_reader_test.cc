#include "gelenk/cad/step_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <BRepBuilderAPI_MakeFace.hxx>
#include <XCAFDoc_Location.hxx>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gp_Pln.hxx>
#include <numbers>
#include <sstream>

#include "gelenk/cad/folder_test_support.h"
#include "gelenk/cad/step_labels.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad::step_reader_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kRelative = 1e-9;

class StepReader : public InFolder {
 protected:
  std::string path(const std::string& name) const { return (folder() / name).string(); }
  StepContent read(const std::string& name) const {
    std::string error;
    std::optional<StepContent> content = read_step(
        path(name), [](std::string_view) {}, error);
    EXPECT_EQ(error, "");
    return content ? *std::move(content) : StepContent{};
  }
  std::string error_of(const std::string& name) const {
    std::string error;
    EXPECT_FALSE(read_step(
        path(name), [](std::string_view) {}, error));
    return error;
  }
  void write_text(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(path(name), std::ios::binary).rdbuf();
    return all.str();
  }
};

std::vector<std::string> child_names(const formats::ImportedAssembly& assembly) {
  std::vector<std::string> names;
  for (const formats::ImportedChild& child : assembly.children) names.push_back(child.name);
  return names;
}

void expect_mass(const formats::ImportedPart& part, const MassProperties& expected) {
  SCOPED_TRACE(part.name);
  EXPECT_NEAR(part.mass.mass, expected.mass, kRelative * expected.mass);
  const double length = std::cbrt(part.volume);
  EXPECT_LE((part.mass.center - expected.center).norm(), kRelative * length);
  EXPECT_LE((part.mass.inertia - expected.inertia).norm(), kRelative * expected.inertia.norm());
}

// A crank-slider: frame, crank and rod, and the piston with its pin as a sub-assembly.
void make_crank_slider(StepMaker& maker) {
  const gp_Dir z(0, 0, 1), x(1, 0, 0);
  const TDF_Label frame = maker.part(
      "Frame", cut(box(point(-60, -50, -20), point(300, 50, 0)), cylinder(point(0, 0, -20), z, 12, 20)), 7.2);
  const TDF_Label crank =
      maker.part("Crank", fuse(cylinder(point(0, 0, 0), z, 60, 10), cylinder(point(40, 0, 10), z, 8, 20)), 7.85);
  const TDF_Label rod =
      maker.part("Rod",
                 cut(cut(box(point(-15, -15, 0), point(165, 15, 20)), cylinder(point(0, 0, 0), z, 8, 20)),
                     cylinder(point(150, 0, 0), z, 6, 20)),
                 2.7);
  const TDF_Label piston = maker.part("Piston", cylinder(point(20, 0, 0), x, 25, 40));
  const TDF_Label pin = maker.part("WristPin", cylinder(point(0, 0, -10), z, 6, 20), 7.85);
  maker.paint(crank, 0.8, 0.1, 0.2);
  const TDF_Label slider = maker.assembly("PistonGroup");
  maker.put(slider, piston, at(0, 0, 0), "Piston:1");
  maker.put(slider, pin, at(0, 0, 0.5), "Pin");
  const TDF_Label top = maker.assembly("CrankSlider");
  maker.put(top, frame, at(0, 0, 0), "Frame:1");
  maker.put(top, crank, at(0, 0, 0, 0.5), "Crank:1");
  maker.put(top, rod, at(40, 10, 10, -0.2), "Rod:1");
  maker.put(top, slider, at(190, 0, 20), "Slider");
}

// S1-12, S2-12, S2-19: masses from the faces of solids and from densities, as a file of the CAD program has them.
TEST_F(StepReader, MassPropertiesAreExact) {
  StepMaker maker;
  make_crank_slider(maker);
  maker.write(path("crank.step"));
  const StepContent content = read("crank.step");
  ASSERT_EQ(content.model.parts.size(), 5u);
  const Vector3 z = Vector3::UnitZ(), x = Vector3::UnitX();
  const auto hole = [](const MassProperties& body) { return scaled(body, -1.0); };
  const MassProperties frame =
      combined(solid_box({-0.06, -0.05, -0.02}, {0.3, 0.05, 0}), hole(solid_cylinder({0, 0, -0.02}, z, 0.012, 0.02)));
  const MassProperties crank =
      combined(solid_cylinder({0, 0, 0}, z, 0.06, 0.01), solid_cylinder({0.04, 0, 0.01}, z, 0.008, 0.02));
  const MassProperties rod = combined(
      combined(solid_box({-0.015, -0.015, 0}, {0.165, 0.015, 0.02}), hole(solid_cylinder({0, 0, 0}, z, 0.008, 0.02))),
      hole(solid_cylinder({0.15, 0, 0}, z, 0.006, 0.02)));
  for (const formats::ImportedPart& part : content.model.parts) {
    if (part.product == "Frame") expect_mass(part, scaled(frame, 7200));
    if (part.product == "Crank") expect_mass(part, scaled(crank, 7850));
    if (part.product == "Rod") expect_mass(part, scaled(rod, 2700));
    if (part.product == "Piston") expect_mass(part, scaled(solid_cylinder({0.02, 0, 0}, x, 0.025, 0.04), 7850));
    if (part.product == "WristPin") expect_mass(part, scaled(solid_cylinder({0, 0, -0.01}, z, 0.006, 0.02), 7850));
  }
}

// S1-12: geometry and materials as the CAD program has them.
TEST_F(StepReader, TreeNamesPlacementsColorsAndMaterials) {
  StepMaker maker;
  make_crank_slider(maker);
  maker.write(path("crank.step"));
  const formats::ImportedModel model = read("crank.step").model;
  ASSERT_EQ(model.assemblies.size(), 2u);
  // A component in the place of its owner loses its name when OpenCASCADE writes it; the product is called Frame, too.
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("frame", "crank", "rod", "slider"));
  EXPECT_THAT(child_names(model.assemblies[1]), ElementsAre("piston", "pin"));
  EXPECT_EQ(model.assemblies[1].product, "PistonGroup");
  const std::vector<formats::ImportedLeaf> found = leaves(model);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(path_text(model, found[4].path), "slider.pin");
  EXPECT_LE((found[4].X_WP.position - Vector3(0.19, 0, 0.0205)).norm(), 1e-12);
  EXPECT_NEAR(found[1].X_WP.rotation(1, 0), std::sin(0.5), 1e-12);
  const formats::ImportedPart& crank = model.parts[found[1].part];
  ASSERT_TRUE(crank.color);
  EXPECT_NEAR((*crank.color)[0], 0.8, 1e-3);
  EXPECT_EQ(crank.material, "alloy of Crank");
  EXPECT_EQ(crank.density_origin, formats::Origin::cad);
  const formats::ImportedPart& piston = model.parts[found[3].part];
  EXPECT_EQ(piston.density_origin, formats::Origin::assumed);
  EXPECT_EQ(piston.density, 7850.0);
  EXPECT_NEAR(model.size.upper.x(), 0.3, 1e-6);
}

TEST_F(StepReader, OneProductPlacedTwiceIsOnePart) {
  StepMaker maker;
  const TDF_Label bolt = maker.part("Bolt M8", cylinder(point(0, 0, 0), gp_Dir(0, 0, 1), 4, 30));
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, bolt, at(10, 0, 0), "");
  maker.put(top, bolt, at(20, 0, 0), "");
  maker.write(path("bolts.step"), "AP214IS");
  const formats::ImportedModel model = read("bolts.step").model;
  EXPECT_EQ(model.parts.size(), 1u);
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("bolt_m8", "bolt_m8_2"));
}

TEST_F(StepReader, InchesAreConverted) {
  StepMaker maker;
  maker.part("Block", box(point(0, 0, 0), point(25.4, 50.8, 76.2)));
  maker.write(path("inch.step"), "AP203", "INCH");
  ASSERT_THAT(text("inch.step"), HasSubstr("INCH"));
  const formats::ImportedModel model = read("inch.step").model;
  ASSERT_EQ(model.parts.size(), 1u);
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("block"));
  expect_mass(model.parts[0], scaled(solid_box({0, 0, 0}, {0.0254, 0.0508, 0.0762}), 7850));
}

// OpenCASCADE would take kilograms for grams.
TEST_F(StepReader, DensitiesInKilogramsAreRead) {
  StepMaker maker;
  maker.part("Block", box(point(0, 0, 0), point(10, 10, 10)), 0.00785);
  maker.write(path("gram.step"));
  std::string changed = text("gram.step");
  const std::size_t gram = changed.find("SI_UNIT($,.GRAM.)");
  ASSERT_NE(gram, std::string::npos);
  write_text("kilogram.step", changed.replace(gram, 17, "SI_UNIT(.KILO.,.GRAM.)"));
  expect_mass(read("kilogram.step").model.parts.at(0), scaled(solid_box({0, 0, 0}, {0.01, 0.01, 0.01}), 7850));
}

TEST_F(StepReader, ADensityOfNoSolidIsNotBelieved) {
  StepMaker maker;
  maker.part("Block", box(point(0, 0, 0), point(10, 10, 10)), 0.001);
  maker.write(path("gas.step"));
  const formats::ImportedModel model = read("gas.step").model;
  EXPECT_THAT(model.notes, ElementsAre(HasSubstr("1 kg/m^3, is not that of a solid")));
  EXPECT_EQ(model.parts.at(0).density, 7850.0);
}

TEST_F(StepReader, APartWithoutANameIsCalledLikeItsOwner) {
  StepMaker maker;
  const TDF_Label solid = maker.part("SOLID", box(point(0, 0, 0), point(10, 10, 10)));
  const TDF_Label plate = maker.assembly("Plate");
  maker.put(plate, solid, at(1, 0, 0), "SOLID");
  const TDF_Label bolt = maker.part("Bolt", box(point(0, 0, 0), point(1, 1, 1)));
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, plate, at(0, 2, 0), "");
  maker.put(top, bolt, at(0, 0, 3), "");
  maker.write(path("unnamed.step"));
  const formats::ImportedModel model = read("unnamed.step").model;
  EXPECT_EQ(model.assemblies.size(), 1u);
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("plate", "bolt"));
  EXPECT_LE((leaves(model)[0].X_WP.position - Vector3(0.001, 0.002, 0)).norm(), 1e-12);
}

TEST_F(StepReader, FilesThatAreReferredToAreReadFromBesideTheFirst) {
  StepMaker maker;
  make_crank_slider(maker);
  maker.write(path("whole.step"), "AP214IS", "MM", "part_");
  ASSERT_GE(std::distance(std::filesystem::directory_iterator(path("")), {}), 6);
  const formats::ImportedModel model = read("whole.step").model;
  EXPECT_EQ(leaves(model).size(), 5u);
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("frame", "crank", "rod", "slider"));
}

TEST_F(StepReader, ShellsAreLeftOutWithANote) {
  StepMaker maker;
  const TDF_Label block = maker.part("Block", box(point(0, 0, 0), point(10, 10, 10)));
  const TDF_Label sheet = maker.part("Sheet", BRepBuilderAPI_MakeFace(gp_Pln(), 0, 10, 0, 10).Shape());
  const TDF_Label empty = maker.assembly("Nothing");
  const TDF_Label top = maker.assembly("Top");
  maker.put(top, block, at(1, 0, 0), "Block");
  maker.put(top, sheet, at(0, 0, 30), "Sheet");
  maker.put(top, empty, at(0, 0, 50), "Nothing");
  maker.write(path("mixed.step"));
  const formats::ImportedModel model = read("mixed.step").model;
  EXPECT_THAT(child_names(model.assemblies[0]), ElementsAre("block"));
  EXPECT_THAT(model.notes, testing::Contains(HasSubstr("'Sheet' has 1 faces but no solid")));
}

TEST_F(StepReader, FeaturesTellBoreFromShaft) {
  StepMaker maker;
  make_crank_slider(maker);
  maker.write(path("crank.step"));
  const StepContent content = read("crank.step");
  for (std::size_t i = 0; i < content.model.parts.size(); ++i) {
    const std::string& name = content.model.parts[i].product;
    std::vector<double> bores, shafts;
    for (const Feature& feature : content.features[i]) {
      if (feature.kind != Feature::Kind::cylinder) continue;
      EXPECT_NEAR(feature.coverage, 2 * std::numbers::pi, 1e-9);
      (feature.is_hollow ? bores : shafts).push_back(feature.radius);
    }
    std::sort(bores.begin(), bores.end());
    const std::vector<double> expected = name == "Rod"     ? std::vector<double>{0.006, 0.008}
                                         : name == "Frame" ? std::vector<double>{0.012}
                                                           : std::vector<double>{};
    EXPECT_THAT(bores, testing::Pointwise(testing::DoubleNear(1e-12), expected)) << name;
    EXPECT_EQ(shafts.size(), name == "Crank" ? 2u : name == "Rod" || name == "Frame" ? 0u : 1u) << name;
  }
}

TEST_F(StepReader, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(error_of("none.step"), HasSubstr("cannot be opened"));
  write_text("empty.step", "");
  EXPECT_THAT(error_of("empty.step"), HasSubstr("is empty"));
  write_text("text.step", "solid cube\nfacet normal 0 0 1\n");
  EXPECT_THAT(error_of("text.step"), HasSubstr("is not a STEP file"));
  StepMaker maker;
  make_crank_slider(maker);
  maker.write(path("whole.step"));
  const std::string whole = text("whole.step");
  write_text("cut.step", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(error_of("cut.step"), HasSubstr("is cut off"));
  // The end is there, the middle is not.
  write_text("hole.step", whole.substr(0, whole.size() / 3) + "\nENDSEC;\nEND-ISO-10303-21;\n");
  std::string error;
  const std::optional<StepContent> damaged = read_step(
      path("hole.step"), [](std::string_view) {}, error);
  EXPECT_EQ(damaged.has_value(), error.empty());
}

TEST_F(StepReader, AFileWithoutSolidsIsAnError) {
  StepMaker maker;
  maker.part("Sheet", BRepBuilderAPI_MakeFace(gp_Pln(), 0, 10, 0, 10).Shape());
  maker.write(path("sheet.step"));
  EXPECT_THAT(error_of("sheet.step"), HasSubstr("has no solid"));
}

// OpenCASCADE refuses to place a part by a mirror or a scale, or crashes when a file does; what it lets through
// is not a placement of ours.
TEST(StepLabels, MirrorsAndScalesAreNoPlacements) {
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("BinXCAF", document);
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const TDF_Label machine = shapes->NewShape();
  const TDF_Label part = shapes->AddShape(box(point(10, 0, 0), point(40, 10, 20)), Standard_False);
  const TDF_Label piece = shapes->AddComponent(machine, part, at(1, 2, 3, 0.5));
  const StepLabels labels(document, 1.0);
  const std::optional<Pose> placed = labels.placement(piece);
  ASSERT_TRUE(placed);
  EXPECT_LT((placed->position - Vector3(1e-3, 2e-3, 3e-3)).norm(), 1e-15);
  EXPECT_NEAR(placed->rotation(1, 0), std::sin(0.5), 1e-15);
  gp_Trsf mirror, scale;
  mirror.SetMirror(gp_Ax2(point(0, 0, 0), gp_Dir(1, 0, 0)));
  scale.SetScale(point(0, 0, 0), 2.0);
  for (const gp_Trsf& other : {mirror, scale}) {
    XCAFDoc_Location::Set(piece, TopLoc_Location(other));
    EXPECT_FALSE(labels.placement(piece));
  }
  XCAFApp_Application::GetApplication()->Close(document);
}

}  // namespace
}  // namespace gelenk::cad::step_reader_test
