#include "gelenk/geometry/glb_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gelenk/geometry/glb_writer.h"
#include "gelenk/geometry/shape.h"
#include "gelenk/geometry/tessellate.h"

namespace gelenk::geometry::glb_reader_test {
namespace {

using testing::HasSubstr;

constexpr double kFloatError = 1e-7;

TriangleMesh box_mesh() { return tessellate({Box{{0.1, 0.2, 0.4}}, {}, false}, 8); }

std::string bytes_of(std::initializer_list<float> numbers) {
  std::string bytes(numbers.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

// One triangle in the plane z = 0, without indices, under the given nodes.
std::string triangle_file(const std::string& nodes, const std::string& more = "") {
  const std::string bytes = bytes_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  return glb_file(R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": )" + nodes + R"(,
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36}])" +
                      more + "}",
                  bytes);
}

TEST(GlbReader, ReadsWhatTheWriterWrites) {
  const TriangleMesh box = box_mesh();
  const TriangleMesh both[] = {box, box};
  const Color color{0.8, 0.25, 0.1};
  const GlbPicture picture = read_glb(write_glb(both, color));
  ASSERT_EQ(picture.error, "");
  ASSERT_EQ(picture.mesh.triangles.size(), 2 * box.triangles.size());
  EXPECT_EQ(picture.mesh.triangles.front(), box.triangles.front());
  EXPECT_NEAR(volume(picture.mesh), 2 * volume(box), kFloatError);
  ASSERT_TRUE(picture.color);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR((*picture.color)[i], color[i], 1e-12);
  EXPECT_FALSE(read_glb(write_glb(both)).color);
}

TEST(GlbReader, NodesPlaceTheirMeshes) {
  // Twice as large, turned a quarter about z, 1 up; the node above shifts by 10 along x.
  const GlbPicture picture = read_glb(triangle_file(
      R"([{"translation": [10, 0, 0], "children": [1]}, {"mesh": 0, "translation": [0, 0, 1],
           "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "scale": [2, 2, 2]}])"));
  ASSERT_EQ(picture.error, "");
  EXPECT_NEAR((picture.mesh.vertices[0] - Vector3(10, 0, 1)).norm(), 0.0, kFloatError);
  EXPECT_NEAR((picture.mesh.vertices[1] - Vector3(10, 2, 1)).norm(), 0.0, kFloatError);
  EXPECT_NEAR((picture.mesh.vertices[2] - Vector3(8, 0, 1)).norm(), 0.0, kFloatError);
  EXPECT_EQ(picture.mesh.triangles.front(), (Triangle{0, 1, 2}));
}

TEST(GlbReader, AMirroredMeshStillFacesOutwards) {
  const GlbPicture picture =
      read_glb(triangle_file(R"([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,3,1]}])"));
  ASSERT_EQ(picture.error, "");
  EXPECT_EQ(picture.mesh.triangles.front(), (Triangle{2, 1, 0}));
  EXPECT_EQ(picture.mesh.vertices[2], Vector3(0, 1, 3));
}

TEST(GlbReader, SaysWhyAFileCannotBeShown) {
  EXPECT_THAT(read_glb("").error, HasSubstr("not binary glTF"));
  EXPECT_THAT(read_glb("solid x\nendsolid x\n").error, HasSubstr("not binary glTF"));
  EXPECT_THAT(read_glb(triangle_file(R"([{"mesh": 1}])")).error, HasSubstr("no entry 1 in 'meshes'"));
  EXPECT_THAT(read_glb(triangle_file(R"([{"mesh": -1}])")).error, HasSubstr("not a whole number"));
  EXPECT_THAT(read_glb(triangle_file(R"([{}])")).error, HasSubstr("no triangles"));
  EXPECT_THAT(read_glb(triangle_file(R"([{"children": [0]}])")).error, HasSubstr("too deeply"));
  EXPECT_THAT(read_glb(triangle_file(R"([{"mesh": 0, "rotation": [0, 0, 0, 0]}])")).error, HasSubstr("not a rotation"));
  EXPECT_THAT(read_glb(triangle_file(R"([{"mesh": 0}])", R"(, "extensionsRequired": ["KHR_draco"])")).error,
              HasSubstr("KHR_draco"));
  std::string cut = triangle_file(R"([{"mesh": 0}])");
  cut.pop_back();
  EXPECT_THAT(read_glb(cut).error, HasSubstr("cut off"));
}

TEST(GlbReader, ANodeNamedAgainAndAgainEnds) {
  // Each node has the next one twice: 2^60 visits, if nobody counted.
  std::string nodes = "[";
  for (int i = 1; i < 60; ++i) nodes += R"({"children": [)" + std::to_string(i) + "," + std::to_string(i) + "]},";
  EXPECT_THAT(read_glb(triangle_file(nodes + R"({"mesh": 0}])")).error, HasSubstr("too many nodes"));
}

// No byte, whatever it becomes, leads outside of the file.
TEST(GlbReader, DamageIsFoundOrHarmless) {
  const TriangleMesh box = box_mesh();
  const std::string whole = write_glb({&box, 1});
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char damage : {'\0', '9', '\xff'}) {
      std::string bytes = whole;
      bytes[i] = damage;
      const GlbPicture picture = read_glb(bytes);
      if (!picture.error.empty()) ++refused;
      for (const Triangle& triangle : picture.mesh.triangles) {
        for (const std::uint32_t corner : triangle) ASSERT_LT(corner, picture.mesh.vertices.size());
      }
    }
  }
  EXPECT_GT(refused, whole.size());
}

}  // namespace
}  // namespace gelenk::geometry::glb_reader_test
