#include "gelenk/cad/step_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "gelenk/base/platform.h"
#include "gelenk/cad/content_test_support.h"
#include "gelenk/cad/folder_test_support.h"
#include "gelenk/cad/step_reader.h"
#include "gelenk/cad/step_test_support.h"
#include "gelenk/model/materials.h"

namespace gelenk::cad::step_writer_test {
namespace {

using formats::StepNode;
using formats::StepRequest;
using geometry::Shape;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kSame = 1e-9;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_same(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, kSame * b.mass);
  EXPECT_LT((a.center - b.center).norm(), kSame);
  EXPECT_LT((a.inertia - b.inertia).norm(), kSame * b.inertia.norm());
}

// As the program does it.
StepWriting write(const StepRequest& request) {
  StepWriting made = step_text(request, quietly);
  if (made.error.empty()) made.error = write_file_atomically(request.file, made.text);
  return made;
}

// All placed parts by their paths.
std::map<std::string, formats::ImportedLeaf> leaves_of(const formats::ImportedModel& model) {
  std::map<std::string, formats::ImportedLeaf> found;
  for (const formats::ImportedLeaf& leaf : formats::leaves(model)) found.emplace(path_text(model, leaf.path), leaf);
  return found;
}

void expect_pose(const Pose& a, const Pose& b) {
  EXPECT_LT((a.position - b.position).norm(), kSame);
  EXPECT_LT((a.rotation - b.rotation).norm(), kSame);
}

// A node of the machine as the importer reports it, every child turned and shifted a little: another pose.
StepNode moved(const formats::ImportedModel& model, const std::string& file, std::size_t assembly,
               const std::string& name, double& turn) {
  StepNode node;
  node.name = name;
  for (const formats::ImportedChild& child : model.assemblies[assembly].children) {
    StepNode inside;
    if (child.is_part) {
      const formats::ImportedPart& part = model.parts[child.index];
      inside.name = child.name;
      inside.product = part.product;
      inside.shape.emplace();
      inside.shape->source = file;
      inside.shape->part = part.name;
      inside.shape->mass = 0.3 * part.mass.mass;
      inside.shape->color = formats::Color{0.2, 0.4, 0.8};
    } else {
      inside = moved(model, file, child.index, child.name, turn);
    }
    turn += 0.1;
    inside.X_ON = child.placement * Pose{*rotation_from_axis_angle({1, 2, 3}, turn), {turn, -0.01, 1.0 / 3.0}};
    node.children.push_back(std::move(inside));
  }
  return node;
}

class StepWriter : public InFolder {
 protected:
  std::string path(const char* name) const { return (folder() / name).string(); }
};

TEST_F(StepWriter, EngineInAnotherPoseComesBack) {
  const std::string source = std::string(GELENK_CAD_FILES) + "/steam_engine.step";
  const StepContent before = read_content(source);
  double turn = 0.0;
  const StepRequest request{path("moved.step"), moved(before.model, source, 0, "steam_engine", turn), 0};
  const StepWriting written = write(request);
  EXPECT_EQ(written.error, "");
  EXPECT_THAT(written.notes, IsEmpty());
  const StepContent after = read_content(request.file);
  EXPECT_EQ(after.model.parts.size(), before.model.parts.size());
  EXPECT_EQ(after.model.assemblies.size(), before.model.assemblies.size());
  const std::map<std::string, formats::ImportedLeaf> old = leaves_of(before.model), now = leaves_of(after.model);
  ASSERT_EQ(now.size(), old.size());
  // Where each of them was put
  const std::function<void(const StepNode&, const std::string&, const Pose&)> check =
      [&](const StepNode& node, const std::string& owner, const Pose& X_WO) {
        const std::string name = owner.empty() ? node.name : owner + "." + node.name;
        const Pose X_WN = X_WO * node.X_ON;
        for (const StepNode& child : node.children) check(child, name, X_WN);
        if (!node.shape) return;
        SCOPED_TRACE(name);
        ASSERT_TRUE(now.contains(name));
        expect_pose(now.at(name).X_WP, X_WN);
        const formats::ImportedPart& part = after.model.parts[now.at(name).part];
        const formats::ImportedPart& original = before.model.parts[old.at(name).part];
        expect_same(part.mass, scaled(original.mass, 0.3));
        EXPECT_EQ(part.product, original.product);
        ASSERT_TRUE(part.color);
        EXPECT_NEAR((*part.color)[2], 0.8, 1e-6);
      };
  for (const StepNode& child : request.root.children) check(child, "", Pose{});
  EXPECT_NE(bytes_of(request.file).find("AUTOMOTIVE_DESIGN"), std::string::npos) << "AP214";
}

TEST_F(StepWriter, PiecesOfOneProductShareIt) {
  StepMaker maker;
  maker.part("Roller", cylinder(point(0, 0, 0), gp_Dir(0, 0, 1), 5, 10));
  maker.write(path("roller.step"));
  StepNode root{.name = "table"};
  for (int i = 0; i < 3; ++i) {
    StepNode node{.name = "roller_" + std::to_string(i), .product = "Roller"};
    node.X_ON.position = {0.1 * i, 0.0, 0.0};  // the first stands in the axes of the table
    node.shape.emplace();
    node.shape->source = path("roller.step");
    node.shape->part = "roller";
    root.children.push_back(node);
  }
  const StepRequest request{path("table.step"), root, 0};
  EXPECT_EQ(write(request).error, "");
  const StepContent content = read_content(request.file);
  std::vector<std::string> names;
  for (const formats::ImportedChild& child : content.model.assemblies.front().children) names.push_back(child.name);
  EXPECT_THAT(names, ElementsAre("roller_0", "roller_1", "roller_2"));
  EXPECT_EQ(content.model.parts.size(), 2U);  // one for its name
}

TEST_F(StepWriter, SolidsAreExact) {
  const auto mesh = std::make_shared<const geometry::TriangleMesh>(geometry::TriangleMesh{
      {{0, 0, 0}, {30, 0, 0}, {0, 40, 0}, {0, 0, 50}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
  const Pose tilted{*rotation_from_axis_angle({1, -2, 0.5}, 0.7), {0.1, 0.2, -0.3}};
  const std::map<std::string, std::vector<Shape>> kinds{
      {"ball", {{geometry::Sphere{0.03}, tilted, false}}},
      {"block", {{geometry::Box{{0.1, 0.2, 0.3}}, tilted, false}}},
      {"capsule", {{geometry::Capsule{0.02, 0.1}, tilted, false}}},
      {"cone", {{geometry::Cone{0.05, 0.02, 0.1}, tilted, false}}},
      {"drilled",
       {{geometry::Box{{0.1, 0.1, 0.1}}, {}, false},
        {geometry::Cylinder{0.02, 0.1}, {Matrix3::Identity(), {0.0, 0.0, -0.05}}, true}}},
      {"mesh", {{geometry::Mesh{mesh, 0.001}, tilted, false}}},
      {"rod", {{geometry::Cylinder{0.01, 0.5}, tilted, false}}},
      {"straight", {{geometry::Cone{0.05, 0.05, 0.1}, {}, false}}},
      {"tip", {{geometry::Cone{0.05, 0.0, 0.1}, {}, false}}},
      {"tube", {{geometry::Tube{0.05, 0.04, 0.1}, tilted, false}}},
      {"two", {{geometry::Sphere{0.03}, {}, false}, {geometry::Sphere{0.02}, tilted, false}}},
  };
  StepNode root{.name = "solids"};
  constexpr double kDensity = 2700.0;
  for (const auto& [name, solids] : kinds) {
    StepNode node{.name = name};
    node.shape.emplace();
    node.shape->solids = solids;
    node.shape->mass = geometry::mass_properties(solids, kDensity).mass;
    root.children.push_back(node);
  }
  const StepRequest request{path("solids.step"), root, 0};
  const StepWriting written = write(request);
  EXPECT_EQ(written.error, "");
  EXPECT_THAT(written.notes, IsEmpty());
  const StepContent content = read_content(request.file);
  ASSERT_EQ(content.model.parts.size(), kinds.size());
  for (const formats::ImportedPart& part : content.model.parts) {
    SCOPED_TRACE(part.name);
    // OpenCASCADE does not find the material again that it wrote for several solids in one part.
    const double density = part.name == "two" ? model::kAssumedDensity : kDensity;
    expect_same(part.mass, geometry::mass_properties(kinds.at(part.name), density));
  }
}

TEST_F(StepWriter, MirroredPartsAreMirrored) {
  StepMaker maker;
  maker.part("hook", fuse(box(point(0, 0, 0), point(40, 10, 10)), box(point(30, 0, 0), point(40, 30, 10))));
  maker.write(path("hook.step"));
  StepNode node{.name = "hook"};
  node.shape.emplace();
  node.shape->source = path("hook.step");
  node.shape->part = "hook";
  node.shape->mirror = Vector3(-1, 1, 1).asDiagonal();
  StepNode root{.name = "machine"};
  root.children = {node};
  EXPECT_EQ(write({path("mirrored.step"), root, 0}).error, "");
  const formats::ImportedPart before = read_content(path("hook.step")).model.parts.at(0);
  const formats::ImportedPart after = read_content(path("mirrored.step")).model.parts.at(0);
  const Vector3 c = before.mass.center;
  EXPECT_LT((after.mass.center - Vector3(-c.x(), c.y(), c.z())).norm(), kSame);
  EXPECT_NEAR(after.mass.inertia(0, 1), -before.mass.inertia(0, 1), kSame * before.mass.inertia.norm());
}

TEST_F(StepWriter, WhatCannotBeWrittenIsTold) {
  StepNode lost{.name = "lost"};
  lost.shape.emplace();
  lost.shape->source = std::string(GELENK_CAD_FILES) + "/joint_zoo.step";
  lost.shape->part = "no_such_part";
  StepNode nowhere = lost;
  nowhere.name = "nowhere";
  nowhere.shape->source = path("none.step");
  StepNode ball{.name = "ball"};
  ball.shape.emplace();
  ball.shape->solids = {{geometry::Sphere{0.1}, {}, false}};
  StepNode root{.name = "machine"}, empty{.name = "empty"};
  root.children = {lost, nowhere, ball, empty};
  const StepWriting written = write({path("some.step"), root, 0});
  EXPECT_EQ(written.error, "");
  EXPECT_THAT(written.notes,
              ElementsAre(testing::HasSubstr("has no part 'no_such_part'"), testing::HasSubstr("cannot be opened")));
  EXPECT_EQ(leaves(read_content(path("some.step")).model).size(), 1U);
  root.children = {empty};
  EXPECT_THAT(write({path("none.step"), root, 0}).error, testing::HasSubstr("nothing to write"));
  EXPECT_FALSE(std::filesystem::exists(path("none.step")));
}

}  // namespace
}  // namespace gelenk::cad::step_writer_test
