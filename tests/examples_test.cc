// Every example is a good model, and is the machine that its README promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "gelenk/expression/evaluate.h"
#include "gelenk/model/mobility.h"
#include "tests/support/load_example.h"
#include "tests/support/source_folder.h"

namespace gelenk::examples_test {
namespace {

using model::Machine;
using test::Example;
using test::find_element;
using test::load_example;

// Lengths of about 1 m, computed in a few operations from numbers in the file.
constexpr double kRounding = 1e-12;

struct ExampleCase {
  const char* file;
  std::size_t assemblies;  // without the machine itself
  std::size_t parts, joints, rows, rank, free_motions;
};
void PrintTo(const ExampleCase& example, std::ostream* out) { *out << example.file; }

// free motions = 6 × parts - rank. Rows: couplings 1, revolute and prismatic 5, cylindrical 4, spherical 3, planar 3,
// rolling 3, fixed 6, knife_edge 1.
constexpr std::array kExamples{
    ExampleCase{"crank_slider/crank_slider.yaml", 0, 3, 4, 20, 17, 1},
    ExampleCase{"double_pendulum/double_pendulum.yaml", 0, 2, 2, 10, 10, 2},
    ExampleCase{"four_bar/four_bar.yaml", 0, 3, 4, 20, 17, 1},
    ExampleCase{"h_frame/h_frame.yaml", 0, 1, 2, 10, 5, 1},
    ExampleCase{"rolling/rolling_disk.yaml", 0, 1, 1, 3, 3, 3},
    ExampleCase{"rolling/sleigh.yaml", 0, 1, 2, 4, 4, 2},
    ExampleCase{"servo/servo.yaml", 0, 2, 2, 10, 10, 2},
    ExampleCase{"gears/gears.yaml", 0, 6, 6, 34, 34, 2},
    ExampleCase{"car/suspension.yaml", 2, 4, 3, 12, 12, 12},
    ExampleCase{"car/car.yaml", 12, 17, 20, 88, 84, 18},
    ExampleCase{"car/car_redundant.yaml", 12, 17, 20, 100, 88, 14},
    ExampleCase{"steam_engine/steam_engine.yaml", 6, 13, 19, 101, 77, 1},
};

class Examples : public ::testing::TestWithParam<ExampleCase> {};

TEST_P(Examples, IsLoadedWithoutComplaints) {
  const Example example = load_example(GetParam().file);
  EXPECT_TRUE(example.loaded.is_read);
  EXPECT_EQ(example.complaints(), "");
}

// S0-27, S0-30, S1-22: 13 parts and 19 joints of the steam engine, 17 and 20 of the car with its twelve assemblies.
TEST_P(Examples, HasThePromisedSize) {
  const ExampleCase& expected = GetParam();
  const Example example = load_example(expected.file);
  const Machine& machine = example.machine;
  EXPECT_EQ(machine.assemblies.size(), expected.assemblies + 1);
  EXPECT_EQ(machine.parts.size(), expected.parts);
  EXPECT_EQ(machine.joints.size(), expected.joints);
  int rows = 0;
  for (const model::JointNode& joint : machine.joints) {
    for (const model::Primitive primitive : joint.type->primitives) rows += model::row_count(primitive);
  }
  rows += static_cast<int>(machine.couplings.size());
  EXPECT_EQ(static_cast<std::size_t>(rows), expected.rows);
}

// S0-27: the steam engine has redundant joints. S2-09: mechanisms, engines and vehicles; robots: import_robot_test.py.
TEST_P(Examples, MovesAsPromised) {
  const ExampleCase& expected = GetParam();
  const Example example = load_example(expected.file);
  const Machine& machine = example.machine;
  const model::MobilityReport mobility = model::expected_mobility(machine);
  EXPECT_EQ(mobility.rows, expected.rows);
  EXPECT_EQ(mobility.rank, expected.rank);
  EXPECT_EQ(mobility.free_motions, expected.free_motions);
  EXPECT_TRUE(mobility.loose_parts.empty());
}

TEST_P(Examples, IsDrawnClosed) {
  const Example example = load_example(GetParam().file);
  const Machine& machine = example.machine;
  for (const model::JointNode& joint : machine.joints) {
    const model::JointGap gap = model::drawn_gap(machine, joint);
    EXPECT_LT(gap.distance, kRounding) << joint.path;
    EXPECT_LT(gap.angle, kRounding) << joint.path;
  }
}

std::string case_name(const ::testing::TestParamInfo<ExampleCase>& info) {
  return std::filesystem::path(info.param.file).stem().string();
}

INSTANTIATE_TEST_SUITE_P(All, Examples, ::testing::ValuesIn(kExamples), case_name);

TEST(ExamplesFolder, HasAReadmeInEveryFolderAndACaseForEveryModel) {
  const std::filesystem::path root = test::source_folder() + "/examples";
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::filesystem::path folder = entry.path().parent_path().filename();
    if (folder == "gallery" || folder == "contact") continue;  // gallery_test.cc, contact_test.py
    if (entry.is_directory()) {
      EXPECT_TRUE(std::filesystem::exists(entry.path() / "README.md")) << entry.path();
    } else if (entry.path().extension() == ".yaml") {
      ++models;
      const std::string file = std::filesystem::relative(entry.path(), root).generic_string();
      const bool is_known =
          std::any_of(kExamples.begin(), kExamples.end(), [&](const ExampleCase& known) { return file == known.file; });
      EXPECT_TRUE(is_known) << file;
    }
  }
  EXPECT_EQ(models, kExamples.size());
}

TEST(CrankSlider, IsDrivenInItsOnlyFreeMotion) {
  const Example example = load_example("crank_slider/crank_slider.yaml");
  const Machine& machine = example.machine;
  const model::MobilityReport mobility = model::expected_mobility(machine);
  EXPECT_EQ(mobility.free_motions, 1u);
  EXPECT_EQ(mobility.driven_motions, 1u);
}

// Five of the ten directions that the hinges hold are held twice, and the center of mass is in the middle of both, so
// that each must carry half of the load.
TEST(HFrame, IsRedundantAndSymmetric) {
  const Example example = load_example("h_frame/h_frame.yaml");
  const Machine& machine = example.machine;
  EXPECT_EQ(model::expected_mobility(machine).redundant(), 5u);
  ASSERT_EQ(machine.parts.size(), 1u);
  const MassProperties& body = machine.parts.front().mass_properties;
  // Steel bars of 40 mm × 40 mm: two of 0.8 m, and one of 0.96 m between them.
  constexpr double kSteel = 7850.0;
  EXPECT_NEAR(body.mass, kSteel * 0.04 * 0.04 * (0.8 + 0.8 + 0.96), kRounding * kSteel);
  EXPECT_NEAR((body.center - Vector3(0.0, 0.0, -0.4)).norm(), 0.0, kRounding);
}

// Coupler of 1 m from (0, 0, 0.3) to (0.8, 0, 0.9), the end of a rocker of 0.9 m: a 3-4-5 triangle.
TEST(FourBar, IsACrankRocker) {
  const Example example = load_example("four_bar/four_bar.yaml");
  const Machine& machine = example.machine;
  const auto length = [&](const char* frame) {
    const model::NamedFrame* found = find_element(machine.frames, frame);
    return found == nullptr ? 0.0 : found->frame.X_PF.position.norm();
  };
  EXPECT_NEAR(length("crank.pin"), 0.3, kRounding);
  EXPECT_NEAR(length("coupler.pin"), 1.0, kRounding);
  EXPECT_NEAR(length("rocker.pin"), 0.9, kRounding);
  EXPECT_LT(length("crank.pin") + length("coupler.pin"), length("rocker.pin") + length("ground.rocker_bearing"));
}

// The drawing is computed from one angle, and the loops close for each: one turn in steps that meet no dead center.
TEST(SteamEngine, IsDrawnClosedAtEveryAngle) {
  constexpr int kSteps = 7;
  for (int step = 0; step < kSteps; ++step) {
    const double angle = 0.1 + 2.0 * 3.14159265358979323846 * step / kSteps;
    model::Value value;
    value.data = expression::Expression::constant(angle);
    value.is_bare = true;
    const Example example = load_example("steam_engine/steam_engine.yaml", {{{"drawn_angle", value}}});
    ASSERT_EQ(example.complaints(), "");
    for (const model::JointNode& joint : example.machine.joints) {
      const model::JointGap gap = model::drawn_gap(example.machine, joint);
      EXPECT_LT(std::max(gap.distance, gap.angle), kRounding) << joint.path << " at " << angle;
    }
    EXPECT_EQ(model::expected_mobility(example.machine).rank, 77u) << angle;
    const model::PartNode* conrod = find_element(example.machine.parts, "unit.0.conrod");
    ASSERT_NE(conrod, nullptr);
    // The center of mass of the rod is at 0.4 of its length: 0.6 of the crank pin's place along x.
    EXPECT_NEAR(conrod->X_WP.position.x(), 0.6 * 0.15 * std::sin(angle), kRounding);
  }
}

// The closed form in the file's outputs against the places of frames turned by the two angles.
TEST(DoublePendulum, KnowsWhereItsTipIs) {
  const Example example = load_example("double_pendulum/double_pendulum.yaml");
  const Machine& machine = example.machine;
  ASSERT_GE(machine.outputs.size(), 2u);
  const double shoulder = 1.1;
  const double elbow = -0.7;
  const auto turn = [](double angle) { return *rotation_from_axis_angle(Vector3::UnitY(), angle); };
  const Vector3 tip = turn(shoulder) * (Vector3(0, 0, -0.4) + turn(elbow) * Vector3(0, 0, -0.3));
  const auto value = [&](const model::Signal& signal) {
    std::vector<double> symbols;
    for (const model::SymbolUse& use : signal.symbols) {
      const bool is_channel = use.kind == model::SymbolUse::Kind::channel;
      const std::string joint = is_channel ? machine.joints[static_cast<std::size_t>(use.channel.index)].path : "";
      symbols.push_back(joint == "shoulder" ? shoulder : joint == "elbow" ? elbow : use.value);
    }
    return expression::evaluate(signal.formula, symbols);
  };
  EXPECT_NEAR(value(machine.outputs[0].value), tip.x(), kRounding);
  EXPECT_NEAR(value(machine.outputs[1].value), tip.z(), kRounding);
}

}  // namespace
}  // namespace gelenk::examples_test
