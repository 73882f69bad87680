#include "gelenk/export/stl.h"

#include <gtest/gtest.h>

#include "gelenk/export/scene_test_support.h"
#include "gelenk/geometry/mesh_reader.h"

namespace gelenk::exporting::stl_test {
namespace {

constexpr const char* kMachine = R"(parts:
  rod: {at: [0, 0, 5], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: [{box: {size: [1, 2, 3]}}, {box: {size: [1, 1, 1], at: [4, 0, 0]}}]}
  pin: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: {box: {size: [1, 1, 1]}}}
)";

geometry::MeshReadResult read_back(const std::string& bytes) {
  geometry::MeshReadResult read = read_mesh(bytes, geometry::MeshFormat::stl);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.problem, "");
  return read;
}

TEST(Stl, APartIsInItsOwnAxes) {
  const DrawnScene drawing = drawn(kMachine);
  const geometry::MeshReadResult read = read_back(write_stl(surface_of_part(drawing.scene, 0), 1000.0, "rod in mm"));
  ASSERT_NE(read.mesh, nullptr);
  const geometry::Bounds box = bounds(*read.mesh);
  EXPECT_NEAR((box.lower - Vector3(-500, -1000, -1500)).norm(), 0.0, 1e-3);
  EXPECT_NEAR((box.upper - Vector3(4500, 1000, 1500)).norm(), 0.0, 1e-3);
  EXPECT_NEAR(volume(*read.mesh), 7e9, 1e3);
}

TEST(Stl, TheMachineIsInItsPose) {
  const DrawnScene drawing = drawn(kMachine);
  std::vector<Pose> poses = drawing.poses;
  poses[1].position = Vector3(0, 0, -10);
  const std::string bytes = write_stl(surface_of_machine(drawing.scene, poses), 1.0, std::string(200, 'x'));
  EXPECT_EQ(bytes.size(), 84U + 36U * 50U) << "a long title is cut";
  const geometry::Bounds box = bounds(*read_back(bytes).mesh);
  EXPECT_NEAR(box.lower.z(), -10.5, 1e-6);
  EXPECT_NEAR(box.upper.z(), 6.5, 1e-6);
}

}  // namespace
}  // namespace gelenk::exporting::stl_test
