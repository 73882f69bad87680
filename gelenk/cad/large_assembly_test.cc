#include <gtest/gtest.h>

#include <BRep_Builder.hxx>
#include <TopoDS_Compound.hxx>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "gelenk/base/private_folder.h"
#include "gelenk/cad/inference_joints.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad::large_assembly_test {
namespace {

const gp_Dir kZ(0, 0, 1);

// A long bed with a row of stations: each has a post that is bolted to the bed by two bolts, and an arm on the stud of
// the post, with a collar. 60 stations of 5 parts and the bed: 301 parts of 5 products.
void make_row(StepMaker& maker, int stations) {
  constexpr double kPitch = 120.0;
  BRep_Builder builder;
  TopoDS_Compound holes;
  builder.MakeCompound(holes);
  for (int i = 0; i < stations; ++i) {
    for (const double y : {-30.0, 30.0}) builder.Add(holes, cylinder(point(i * kPitch, y, -20), kZ, 4, 20));
  }
  const TopoDS_Shape plate = cut(box(point(-60, -50, -20), point(stations * kPitch, 50, 0)), holes);
  const TDF_Label bed = maker.part("Bed", plate);
  TopoDS_Shape foot = fuse(box(point(-40, -45, 0), point(40, 45, 10)), cylinder(point(0, 0, 10), kZ, 10, 40));
  for (const double y : {-30.0, 30.0}) foot = cut(foot, cylinder(point(0, y, 0), kZ, 4, 10));
  const TDF_Label post = maker.part("Post", foot);
  const TDF_Label bolt =
      maker.part("Bolt M8", fuse(cylinder(point(0, 0, 0), kZ, 7, 6), cylinder(point(0, 0, -25), kZ, 4, 25)));
  const TDF_Label arm =
      maker.part("Arm", cut(box(point(-15, -15, 10), point(15, 60, 30)), cylinder(point(0, 0, 10), kZ, 10, 20)));
  const TDF_Label nut =
      maker.part("Collar Nut", cut(cylinder(point(0, 0, 30), kZ, 14, 8), cylinder(point(0, 0, 30), kZ, 10, 8)));
  const TDF_Label top = maker.assembly("Row");
  maker.put(top, bed, at(0, 0, 1e-9), "Bed");
  for (int i = 0; i < stations; ++i) {
    const double x = i * kPitch;
    maker.put(top, post, at(x, 0, 1e-9), "");
    maker.put(top, bolt, at(x, -30, 10), "");
    maker.put(top, bolt, at(x, 30, 10), "");
    maker.put(top, arm, at(x, 0, 1e-9, 0.1 * i), "");
    maker.put(top, nut, at(x, 0, 1e-9), "");
  }
}

TEST(LargeAssembly, ThreeHundredPartsAreImported) {
  constexpr int kStations = 60;
  const PrivateFolder folder;
  const std::string path = folder.path() + "/large_assembly.step";
  StepMaker maker;
  make_row(maker, kStations);
  maker.write(path);
  const auto begin = std::chrono::steady_clock::now();
  std::string error;
  std::optional<StepContent> content = read_step(
      path, [](std::string_view) {}, error);
  ASSERT_TRUE(content) << error;
  const auto read = std::chrono::steady_clock::now();
  const InferenceReport report = infer_joints(*content, [](std::string_view) {});
  const auto end = std::chrono::steady_clock::now();
  const auto seconds = [](auto duration) { return std::chrono::duration<double>(duration).count(); };
  std::printf("%zu parts, %ju bytes: read in %.2f s, joints in %.2f s\n", leaves(content->model).size(),
              std::filesystem::file_size(path), seconds(read - begin), seconds(end - read));

  EXPECT_EQ(leaves(content->model).size(), 5u * kStations + 1);
  EXPECT_EQ(content->model.parts.size(), 5u);
  EXPECT_EQ(report.fasteners, 3u * kStations);
  EXPECT_EQ(report.bodies, 2u * kStations + 1);
  std::size_t fixed = 0, revolute = 0, other = 0;
  for (const formats::ImportedJoint& joint : content->model.joints) {
    if (joint.origin == formats::Origin::assumed) continue;
    (joint.type == "fixed" ? fixed : joint.type == "revolute" ? revolute : other) += 1;
  }
  EXPECT_EQ(fixed, static_cast<std::size_t>(kStations));     // posts on the bed
  EXPECT_EQ(revolute, static_cast<std::size_t>(kStations));  // arms on the posts
  EXPECT_EQ(other, 0u);
}

}  // namespace
}  // namespace gelenk::cad::large_assembly_test
