#include "gelenk/formats/imported_writer.h"
#include "gelenk/formats/imported_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/formats/import_request.h"
#include "gelenk/formats/imported_choices.h"
#include "gelenk/formats/memory_files_test_support.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/mobility.h"

namespace gelenk::formats::imported_writer_test {
namespace {

using testing::HasSubstr;

ImportedPart part(const std::string& name, double mass) {
  ImportedPart result;
  result.name = name;
  result.product = name;
  result.density = 7850.0;
  result.volume = mass / result.density;
  result.solids = 1;
  result.mass = {mass, Vector3(0.01, 0.02, 0.03), Vector3(1e-3, 2e-3, 2.5e-3).asDiagonal()};
  result.mass.inertia(0, 1) = result.mass.inertia(1, 0) = 1e-4;
  result.mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  return result;
}

ImportedChild placed(const std::string& name, bool is_part, std::size_t index, const Pose& placement) {
  return {.name = name, .source = name, .is_part = is_part, .index = index, .placement = placement};
}

Pose turned(double angle, const Vector3& position) {
  return {*rotation_from_axis_angle(Vector3(1, 2, 3), angle), position};
}

// A frame and two equal wheels of two parts each; the first wheel turns, the second is held.
ImportedModel two_wheels() {
  ImportedModel model;
  model.source = "wheels.step";
  model.parts = {part("frame", 3.0), part("disk", 2.0), part("hub", 1.0)};
  model.assemblies.push_back({"wheels", "Wheels", {placed("frame", true, 0, {})}});
  model.assemblies.push_back(
      {"wheel", "Wheel", {placed("hub", true, 2, turned(0.3, {0, 0, 0.1})), placed("disk", true, 1, {})}});
  model.assemblies[0].children.push_back(placed("wheel", false, 1, turned(0.5, {1, 0, 0})));
  model.assemblies[0].children.push_back(placed("wheel_2", false, 1, turned(-0.7, {-1, 0, 0})));
  const std::vector<ImportedLeaf> all = leaves(model);
  // The axis of the first wheel: through its hub, as the hub and as the frame see it.
  const Pose X_PF = turned(1.1, {0.01, 0, 0});
  ImportedJoint axle{.name = "frame_wheel",
                     .type = "revolute",
                     .ends = {},
                     .origin = Origin::inferred,
                     .score = 0.9,
                     .is_enabled = true,
                     .limits = {},
                     .reason = "bore and shaft"};
  axle.ends[0] = {all[0].path, all[0].X_WP.inverse() * all[1].X_WP * X_PF};
  axle.ends[1] = {all[1].path, X_PF};
  ImportedJoint hold = axle;
  hold.name = "frame_wheel_2";
  hold.type = "fixed";
  hold.origin = Origin::assumed;
  hold.ends[0].frame = all[0].X_WP.inverse() * all[3].X_WP * X_PF;
  hold.ends[1].path = all[3].path;
  model.joints = {axle, hold};
  name_frames(model);
  return model;
}

struct Loaded {
  LoadedModel model;
  std::optional<model::Machine> machine;
  std::string problems;
};

void load(const std::vector<ImportedFile>& files, Loaded& loaded) {
  MemoryFiles texts;
  for (const ImportedFile& file : files) texts["/m/" + file.path] = file.content;
  Diagnostics diagnostics;
  loaded.model = load_model("/m/wheels.yaml", reading_from(texts), diagnostics);
  if (!diagnostics.has_errors()) loaded.machine = model::expand(loaded.model.model, {}, diagnostics);
  loaded.problems = print_diagnostics(diagnostics, loaded.model.sources, {});
}

TEST(ImportedWriter, ModelIsTheMachineThatWasImported) {
  const ImportedModel model = two_wheels();
  Loaded loaded;
  load(write_imported(model, {.name = "wheels", .up = "y", .ground = 0}), loaded);
  ASSERT_EQ(loaded.problems, "");
  const model::Machine& machine = *loaded.machine;
  ASSERT_EQ(machine.parts.size(), 5u);
  for (const ImportedLeaf& leaf : leaves(model)) {
    const auto found = std::find_if(machine.parts.begin(), machine.parts.end(), [&](const model::PartNode& node) {
      return node.path == path_text(model, leaf.path);
    });
    ASSERT_NE(found, machine.parts.end()) << path_text(model, leaf.path);
    EXPECT_LE((found->X_WP.position - leaf.X_WP.position).norm(), 1e-12);
    EXPECT_LE((found->X_WP.rotation - leaf.X_WP.rotation).norm(), 1e-12);
    const MassProperties& mass = model.parts[leaf.part].mass;
    EXPECT_EQ(found->mass_properties.mass, mass.mass);
    EXPECT_LE((found->mass_properties.center - mass.center).norm(), 1e-15);
    EXPECT_LE((found->mass_properties.inertia - mass.inertia).norm(), 1e-15);
  }
  for (const model::JointNode& joint : machine.joints) {
    EXPECT_LE(model::drawn_gap(machine, joint).distance, 1e-12) << joint.path;
    EXPECT_LE(model::drawn_gap(machine, joint).angle, 1e-9) << joint.path;
  }
  EXPECT_EQ(model::expected_mobility(machine).free_motions, 1u);
}

TEST(ImportedWriter, EqualFramesOfEqualAssembliesAreOne) {
  const std::vector<ImportedFile> files = write_imported(two_wheels(), {.name = "wheels", .up = "z", .ground = 0});
  ASSERT_EQ(files.size(), 6u);
  EXPECT_EQ(files[0].path, "wheels.yaml");
  EXPECT_TRUE(files[0].is_users);
  EXPECT_EQ(files[2].path, "wheels.cad/wheel.yaml");
  EXPECT_THAT(files[2].content, HasSubstr("hub_axis_1: hub.axis_1"));
  EXPECT_THAT(files[2].content, HasSubstr("hub_seat_2: hub.seat_2"));
  EXPECT_THAT(files[2].content, HasSubstr("base: disk"));
  EXPECT_THAT(files[1].content, HasSubstr("origin: inferred"));
  EXPECT_THAT(files[1].content, testing::StartsWith("# Generated"));
  EXPECT_EQ(files[3].content.substr(0, 4), "glTF");
}

TEST(ImportedWriter, WithoutGroundItSaysHowToHaveOne) {
  Loaded loaded;
  const std::vector<ImportedFile> files = write_imported(two_wheels(), {.name = "wheels", .up = "z", .ground = {}});
  load(files, loaded);
  ASSERT_EQ(loaded.problems, "");
  EXPECT_EQ(model::expected_mobility(*loaded.machine).free_motions, 7u);
  EXPECT_THAT(files[0].content, HasSubstr("# Nothing is fixed to the ground"));
}

TEST(ImportedChoices, MaterialAndMassScaleTheInertia) {
  ImportedModel model = two_wheels();
  EXPECT_EQ(choose_material(model, {"di*", "ABS"}), "");
  EXPECT_NEAR(model.parts[1].mass.mass, 2.0 * 1050 / 7850, 1e-15);
  EXPECT_NEAR(model.parts[1].mass.inertia(1, 1), 2e-3 * 1050 / 7850, 1e-18);
  EXPECT_EQ(choose_mass(model, {"Hub", 4.0}), "");
  EXPECT_NEAR(model.parts[2].mass.inertia(2, 2), 1e-2, 1e-15);
  EXPECT_NEAR(mass_of(model).mass, 3.0 + 2 * (4.0 + 2.0 * 1050 / 7850), 1e-12);
  EXPECT_EQ(mass_of(model).assumed, 3.0);
  EXPECT_THAT(choose_material(model, {"hub", "stele"}), HasSubstr("did you mean 'steel'"));
  EXPECT_THAT(choose_mass(model, {"hbu", 1.0}), HasSubstr("did you mean 'hub'"));
  EXPECT_THAT(choose_mass(model, {"hub", -1.0}), HasSubstr("greater than 0"));
}

TEST(ImportedChoices, GroundByNameThenJointsThenMass) {
  ImportedModel model = two_wheels();
  EXPECT_THAT(proposed_ground(model, "z").reason, HasSubstr("contains frame"));
  model.assemblies[0].children[0].name = "plate";
  model.joints[1].origin = Origin::inferred;
  EXPECT_EQ(proposed_ground(model, "z").child, 0u);
  EXPECT_THAT(proposed_ground(model, "z").reason, HasSubstr("most joints"));
  model.joints.clear();
  model.parts[0].mass.mass = 1.0;
  EXPECT_EQ(proposed_ground(model, "z").child, 1u);
  EXPECT_THAT(proposed_ground(model, "z").reason, HasSubstr("heaviest"));
  std::string error;
  EXPECT_EQ(named_ground(model, "wheel_2", error)->child, 2u);
  EXPECT_EQ(named_ground(model, "wheel_2.hub", error)->child, 2u);
  EXPECT_EQ(named_ground(model, "hub", error)->child, 1u);
  EXPECT_FALSE(named_ground(model, "weel", error));
  EXPECT_THAT(error, HasSubstr("did you mean 'wheel'"));
}

TEST(ImportRequest, ReadsWhatItWrites) {
  ImportRequest request;
  request.file = "a \"b\".step";
  request.folder = "out";
  request.name = "a_b";
  request.up = "-y";
  request.ground = "none";
  request.infers_joints = false;
  request.materials = {{"cover*", "abs"}};
  request.masses = {{"press", 38.0}};
  request.memory_limit = 1'000'000;
  std::string error;
  const std::optional<ImportRequest> back = read_request(write_request(request), error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(write_request(*back), write_request(request));
  EXPECT_EQ(back->masses.front().mass, 38.0);
  EXPECT_FALSE(read_request("{}", error));
  EXPECT_FALSE(read_request("", error));
}

}  // namespace
}  // namespace gelenk::formats::imported_writer_test
