#include "gelenk/model/expand/parts.h"

#include <gmock/gmock.h>

#include <numbers>

#include "gelenk/model/expand/stage_test_support.h"

namespace gelenk::model::expanding::parts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> frame_paths(const Machine& machine) {
  std::vector<std::string> paths;
  for (const NamedFrame& frame : machine.frames) paths.push_back(frame.path);
  return paths;
}

TEST(Parts, ListedBeforeTheyAreFilled) {
  Stage stage("{gelenk: 1, parts: {a: {" + kOneKilogram + "}, b: {" + kOneKilogram + ", enabled: false}, c: {}}}");
  stage.build_tree();
  list_parts(stage.instances(), stage.machine, stage.elements);
  ASSERT_EQ(stage.machine.parts.size(), 2U);
  EXPECT_EQ(stage.machine.disabled_count, 1U);
  EXPECT_FALSE(stage.root().part_ids[1].is_set());
  EXPECT_EQ(stage.root().part_ids[2].index(), 1U);
  EXPECT_EQ(stage.elements.at("c").index, 1U);
}

TEST(Parts, FramesOfPartsGroundAndAssembly) {
  Stage stage("{gelenk: 1, ground: {frames: {post: [0, 0, 0]}}, frames: {mark: [0, 0, 0]}, parts: {a: {" +
              kOneKilogram + ", frames: {x: [1, 0, 0], y: [2, 0, 0]}}}}");
  stage.add_all_parts();
  EXPECT_THAT(frame_paths(stage.machine), ElementsAre("a.x", "a.y", "ground.post", "mark"));
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Parts, MassFromShapeAndDensity) {
  Stage stage(
      "{gelenk: 1, parts: {box: {shape: {box: {size: [1, 2, 3]}}, density: 10}, "
      "scaled: {shape: {sphere: {radius: 2}}, mass: 5}}}");
  stage.add_all_parts();
  const PartNode& box = stage.machine.parts[0];
  EXPECT_DOUBLE_EQ(box.mass_properties.mass, 60.0);
  EXPECT_DOUBLE_EQ(box.mass_properties.inertia(0, 0), 60.0 / 12.0 * (4.0 + 9.0));
  EXPECT_EQ(box.mass_source, MassSource::shape);
  const PartNode& scaled = stage.machine.parts[1];
  EXPECT_DOUBLE_EQ(scaled.mass_properties.mass, 5.0);
  EXPECT_NEAR(scaled.mass_properties.inertia(2, 2), 0.4 * 5.0 * 4.0, 1e-14);  // 2/5 m r²
  EXPECT_EQ(scaled.mass_source, MassSource::given);
  EXPECT_THAT(stage.messages(), IsEmpty());
}

TEST(Parts, MirroredInertiaAndVelocity) {
  Stage stage({{"machine", "{gelenk: 1, assemblies: {l: {use: one, at: [0, 1, 0]}, r: {mirror_of: l, plane: xz}}}"},
               {"one",
                "{parts: {p: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1, xy: 0.1}, "
                "start: {velocity: [1, 2, 3], angular_velocity: [1, 2, 3]}}}}"}});
  stage.add_all_parts();
  const PartNode& part = stage.machine.parts[1];
  EXPECT_EQ(part.mass_properties.inertia(0, 1), -0.1);
  EXPECT_EQ(part.start_velocity, Vector3(1.0, -2.0, 3.0));
  EXPECT_EQ(part.start_angular_velocity, Vector3(-1.0, 2.0, -3.0)) << "an axial vector";
  EXPECT_EQ(part.X_WP.position, Vector3(0.0, -1.0, 0.0));
}

TEST(Parts, WhatIsWrongWithMasses) {
  Stage stage(
      "{gelenk: 1, parts: {none: {}, only_mass: {mass: 1}, lost: {shape: {sphere: {radius: 1}}, material: stel}, "
      "turned: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1, xy: 2}}, huge: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, "
      "shape: {box: {size: [0.01, 0.01, 0.01]}}}}}");
  stage.add_all_parts();
  std::vector<Code> codes;
  for (const Diagnostic& d : stage.diagnostics().all()) codes.push_back(d.code);
  EXPECT_THAT(codes, ElementsAre(Code::no_mass_properties, Code::no_mass_properties, Code::unknown_material,
                                 Code::inertia_not_positive, Code::inertia_out_of_scale));
}

TEST(Parts, ShapesBetweenFrames) {
  Stage stage(
      "{gelenk: 1, parts: {rod: {density: 1, frames: {a: [1, 0, 0], b: [1, 4, 0]}, "
      "shape: {cylinder: {radius: 0.5, from: a, to: b}}}}}");
  stage.add_all_parts();
  const PartNode& rod = stage.machine.parts.front();
  EXPECT_NEAR(rod.mass_properties.mass, std::numbers::pi * 0.25 * 4.0, 1e-14);
  EXPECT_TRUE(rod.mass_properties.center.isApprox(Vector3(1.0, 2.0, 0.0), 1e-15));
}

TEST(Parts, EachMeshIsReadOnce) {
  int reads = 0;
  ExpandOptions options;
  options.read = [&reads](const std::string&, std::size_t) {
    ++reads;
    return ReadResult{{}, Code::file_not_found, "there is none"};
  };
  Stage stage({{"machine",
                "{gelenk: 1, parts: {a: {density: 1, shape: {mesh: {file: none.stl}}}, "
                "b: {density: 1, shape: {mesh: {file: none.stl}}}}}"}},
              options);
  stage.add_all_parts();
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(stage.messages().size(), 1U);
}

TEST(Ports, OfTheRootAreThoseOfTheMachine) {
  Stage stage({{"machine", "{gelenk: 1, ports: {out: sub.in}, assemblies: {sub: {use: inner, at: [0, 0, 5]}}}"},
               {"inner", "{ports: {in: p.f, bad: p.g}, parts: {p: {" + kOneKilogram + ", frames: {f: [1, 0, 0]}}}}"}});
  stage.add_all_parts();
  ASSERT_EQ(stage.machine.ports.size(), 1U);
  EXPECT_EQ(stage.machine.ports.front().name, "out");
  EXPECT_EQ(stage.machine.ports.front().frame.X_PF.position, Vector3(1.0, 0.0, 0.0));
  EXPECT_EQ(stage.machine.ports.front().X_AF.position, Vector3(1.0, 0.0, 5.0));
  EXPECT_THAT(stage.messages(), ElementsAre("sub.bad: there is no frame 'p.g'")) << "checked even when not used";
}

}  // namespace
}  // namespace gelenk::model::expanding::parts_test
