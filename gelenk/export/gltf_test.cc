#include "gelenk/export/gltf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gelenk/base/json_reader.h"
#include "gelenk/base/signing.h"
#include "gelenk/export/scene_test_support.h"
#include "gelenk/geometry/glb_reader.h"

namespace gelenk::exporting::gltf_test {
namespace {

using testing::HasSubstr;

constexpr const char* kMachine = R"(up: z
parts:
  base: {at: [0, 0, 1], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: {box: {size: [1, 1, 2]}}}
definitions:
  side:
    parts:
      arm: {at: [0, 2, 0], mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, shape: {box: {size: [1, 1, 2]}}}
assemblies:
  left: {use: side}
joints:
  weld: {type: fixed, between: [ground, base], at: [0, 0, 0]}
)";

// A file with its numbers inside as text, read.
struct Gltf {
  JsonValue root;
  std::string bytes;

  explicit Gltf(const std::string& text) {
    std::string error;
    root = read_json(text, error).value_or(JsonValue{});
    EXPECT_EQ(error, "");
    const JsonValue* buffers = root.find("buffers");
    if (buffers == nullptr) return;
    const std::string uri = buffers->items.at(0).text_or("uri", "");
    bytes = from_base64(uri.substr(uri.find(',') + 1)).value_or("");
  }
  const JsonValue& node(const std::string& name) const {
    for (const JsonValue& one : root.find("nodes")->items) {
      if (one.text_or("name", "") == name) return one;
    }
    ADD_FAILURE() << "no node " << name;
    return root;
  }
  std::vector<float> floats(std::size_t accessor, std::size_t width) const {
    const JsonValue& it = root.find("accessors")->items.at(accessor);
    const JsonValue& view = root.find("bufferViews")->items.at(static_cast<std::size_t>(it.number_or("bufferView", 0)));
    std::vector<float> values(static_cast<std::size_t>(it.number_or("count", 0)) * width);
    std::memcpy(values.data(), bytes.data() + static_cast<std::size_t>(view.number_or("byteOffset", 0)),
                values.size() * sizeof(float));
    return values;
  }
};

std::string text_of(const DrawnScene& drawing, const SceneMotion* motion = nullptr, bool has_symbols = false) {
  std::string file;
  const GltfOptions options{.is_binary = false, .has_symbols = has_symbols};
  EXPECT_EQ(write_gltf(drawing.scene, drawing.poses, motion, options, file), "");
  return file;
}

TEST(GltfFile, NodesAreTheTreeOfTheMachine) {
  const DrawnScene drawing = drawn(kMachine);
  const Gltf file(text_of(drawing));
  const JsonValue& root = file.root.find("nodes")->items.at(0);
  EXPECT_EQ(root.text_or("name", ""), "test");
  // z becomes y: a quarter turn about -x.
  EXPECT_NEAR(root.find("rotation")->items.at(0).number, -std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(root.find("rotation")->items.at(3).number, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(file.node("base").find("translation")->items.at(2).number, 1.0);
  const JsonValue& left = file.node("left");
  const auto child = static_cast<std::size_t>(left.find("children")->items.at(0).number);
  EXPECT_EQ(file.root.find("nodes")->items.at(child).text_or("name", ""), "left.arm");
  EXPECT_EQ(file.root.find("meshes")->items.size(), 2U) << "one for each color";
  EXPECT_EQ(file.root.find("accessors")->items.size(), 3U) << "one surface for both";
  EXPECT_EQ(file.root.find("animations"), nullptr);
}

TEST(GltfFile, EqualShapesOfTwoColorsAreOneSurface) {
  const Gltf file(text_of(drawn(R"(parts:
  balls:
    mass: 1
    inertia: {xx: 1, yy: 1, zz: 1}
    shape: [{sphere: {radius: 0.1}}, {sphere: {radius: 0.1, at: [1, 0, 0], color: "#ff0000"}}]
)")));
  EXPECT_EQ(file.root.find("meshes")->items.size(), 2U);
  EXPECT_EQ(file.root.find("accessors")->items.size(), 3U);
  const JsonValue& painted = file.root.find("materials")->items.at(1);
  EXPECT_EQ(painted.find("pbrMetallicRoughness")->find("baseColorFactor")->items.at(0).number, 1.0);
  EXPECT_EQ(painted.find("pbrMetallicRoughness")->find("baseColorFactor")->items.at(1).number, 0.0);
}

TEST(GltfFile, TheBinaryFormHoldsTheSame) {
  const DrawnScene drawing = drawn(kMachine);
  std::string file;
  ASSERT_EQ(write_gltf(drawing.scene, drawing.poses, nullptr, {}, file), "");
  const geometry::GlbPicture picture = geometry::read_glb(file);
  ASSERT_EQ(picture.error, "");
  const geometry::Bounds box = bounds(picture.mesh);
  // In the machine x -0.5..0.5, y -0.5..2.5, z -1..2; y is up in the file, z towards the viewer.
  EXPECT_NEAR((box.lower - Vector3(-0.5, -1.0, -2.5)).norm(), 0.0, 1e-6);
  EXPECT_NEAR((box.upper - Vector3(0.5, 2.0, 0.5)).norm(), 0.0, 1e-6);
  EXPECT_NEAR(volume(picture.mesh), 4.0, 1e-5);
}

TEST(GltfFile, SymbolsAreShownWhenAskedFor) {
  const DrawnScene drawing = drawn(kMachine);
  EXPECT_THAT(text_of(drawing), testing::Not(HasSubstr("\"weld\"")));
  const std::string with_symbols = text_of(drawing, nullptr, true);
  EXPECT_THAT(with_symbols, HasSubstr("\"weld\""));
  EXPECT_THAT(with_symbols, HasSubstr("\"ground\""));
}

TEST(GltfFile, OnlyWhatMovesHasTracks) {
  const DrawnScene drawing = drawn(kMachine);
  SceneMotion motion;
  motion.part_count = 2;
  // The second part turns about x by 100 degrees a row; its quaternions come with changing signs.
  for (int row = 0; row < 4; ++row) {
    const double half = 0.5 * row * 100.0 * 3.14159265358979 / 180.0, sign = row % 2 == 0 ? 1.0 : -1.0;
    motion.times.push_back(10.0 + 0.5 * row);
    motion.poses.insert(motion.poses.end(), {0, 0, 1, 1, 0, 0, 0});
    motion.poses.insert(motion.poses.end(), {0, 2, 0, sign * std::cos(half), sign * std::sin(half), 0, 0});
  }
  // A row that floats cannot distinguish from the one before, and one that is not a pose.
  motion.times.insert(motion.times.end(), {11.5 + 1e-12, 12.0});
  motion.poses.insert(motion.poses.end(), motion.poses.end() - 14, motion.poses.end());
  motion.poses.insert(motion.poses.end(), 14, std::nan(""));
  const Gltf file(text_of(drawing, &motion));
  const JsonValue& animation = file.root.find("animations")->items.at(0);
  ASSERT_EQ(animation.find("channels")->items.size(), 1U);
  const JsonValue& target = *animation.find("channels")->items[0].find("target");
  EXPECT_EQ(target.text_or("path", ""), "rotation");
  const auto node = static_cast<std::size_t>(target.number_or("node", 0));
  EXPECT_EQ(file.root.find("nodes")->items.at(node).text_or("name", ""), "left.arm");
  const JsonValue& sampler = animation.find("samplers")->items.at(0);
  EXPECT_EQ(sampler.text_or("interpolation", ""), "LINEAR");
  EXPECT_THAT(file.floats(static_cast<std::size_t>(sampler.number_or("input", 0)), 1),
              testing::ElementsAre(0.0F, 0.5F, 1.0F, 1.5F));
  const std::vector<float> turns = file.floats(static_cast<std::size_t>(sampler.number_or("output", 0)), 4);
  ASSERT_EQ(turns.size(), 16U);
  for (std::size_t row = 1; row < 4; ++row) {
    float dot = 0.0F;
    for (std::size_t i = 0; i < 4; ++i) dot += turns[4 * row + i] * turns[4 * row - 4 + i];
    EXPECT_NEAR(dot, std::cos(50.0 * 3.14159265358979 / 180.0), 1e-6) << "the short way";
  }
}

TEST(GltfFile, ASceneWithoutPartsIsStillAFile) {
  std::string file;
  ASSERT_EQ(write_gltf(Scene{}, {}, nullptr, {}, file), "");
  EXPECT_THAT(file, HasSubstr("\"asset\""));
  EXPECT_THAT(file, testing::Not(HasSubstr("buffers")));
}

}  // namespace
}  // namespace gelenk::exporting::gltf_test
