#include "gelenk/formats/step_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/formats/import_request.h"

namespace gelenk::formats::step_request_test {
namespace {

StepRequest sample() {
  StepNode wheel{
      .name = "wheel", .product = "Rad \"30\"", .X_ON = {rotation_with_z({0.6, 0.0, 0.8}), {0.1, 1.0 / 3.0, -2.0}}};
  wheel.shape = StepShape{.source = "a/b.step",
                          .part = "wheel_2",
                          .mirror = Vector3(-1, 1, 1).asDiagonal(),
                          .mass = 0.1 + 0.2,
                          .color = Color{0.1, 0.2, 1.0}};
  auto mesh = std::make_shared<const geometry::TriangleMesh>(geometry::TriangleMesh{
      {{0, 0, 0}, {1.0 / 7.0, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
  StepNode block{.name = "block"};
  block.shape.emplace();
  block.shape->solids = {{geometry::Box{{1, 2, 3}}, {Matrix3::Identity(), {0, 0, 1}}, false},
                         {geometry::Cylinder{0.1, 2.0}, {}, true},
                         {geometry::Tube{0.2, 0.1, 1.0}, {}, false},
                         {geometry::Sphere{0.3}, {}, false},
                         {geometry::Capsule{0.3, 0.4}, {}, false},
                         {geometry::Cone{0.3, 0.0, 0.4}, {}, false},
                         {geometry::Mesh{mesh, 0.001}, {}, false}};
  StepNode group{.name = "group"};
  group.children = {wheel, block};
  StepNode root{.name = "car"};
  root.children = {group};
  return {"out.step", root, 123456789};
}

TEST(StepRequest, ComesBackAsItWasWritten) {
  const std::string text = write_step_request(sample());
  std::string error;
  const std::optional<StepRequest> read = read_step_request(text, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(write_step_request(*read), text);
  EXPECT_EQ(read->file, "out.step");
  EXPECT_EQ(read->memory_limit, 123456789U);
  const StepNode& group = read->root.children.at(0);
  EXPECT_FALSE(group.shape);
  const StepNode &wheel = group.children.at(0), &block = group.children.at(1);
  EXPECT_EQ(wheel.product, "Rad \"30\"");
  EXPECT_EQ(wheel.X_ON.position, Vector3(0.1, 1.0 / 3.0, -2.0));
  EXPECT_EQ(wheel.X_ON.rotation, rotation_with_z({0.6, 0.0, 0.8}));
  EXPECT_EQ(wheel.shape->mass, 0.1 + 0.2);
  EXPECT_EQ(wheel.shape->mirror(0, 0), -1.0);
  EXPECT_EQ(std::get<geometry::Mesh>(block.shape->solids.at(6).primitive).mesh->vertices.at(1).x(), 1.0 / 7.0);
  EXPECT_TRUE(block.shape->solids.at(1).hole);
}

TEST(StepRequest, IsToldFromAnImport) {
  EXPECT_TRUE(is_step_request(write_step_request(sample())));
  ImportRequest import;
  import.name = kStepJob;
  EXPECT_FALSE(is_step_request(write_request(import)));
  EXPECT_FALSE(is_step_request(""));
}

TEST(StepRequest, DamageIsAnError) {
  std::string text = write_step_request(sample()), error;
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), other);
    EXPECT_FALSE(read_step_request(changed, error));
    return error;
  };
  EXPECT_EQ(with("\"kind\": \"cone\"", "\"kind\": \"tree\""), "a solid is of an unknown kind");
  EXPECT_EQ(with("\"vertices\": \"", "\"vertices\": \"A"), "a mesh is damaged");
  EXPECT_EQ(with("\"root\"", "\"boot\""), "file and root are needed");
  EXPECT_THAT(with("\"radius\": 0.1", "\"radius\": -0.1"), testing::HasSubstr("radius must be"));
  EXPECT_FALSE(read_step_request(text.substr(0, text.size() / 2), error));
}

}  // namespace
}  // namespace gelenk::formats::step_request_test
