#include "gelenk/geometry/mesh_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "gelenk/geometry/tessellate.h"

namespace gelenk::geometry::mesh_reader_test {
namespace {

using testing::HasSubstr;

// Coordinates of the cubes are exact in single precision; what remains is double rounding.
constexpr double kRounding = 1e-13;

TriangleMesh cube() { return tessellate({Box{{2, 2, 2}}, {Matrix3::Identity(), {1, 1, 1}}, false}, 3); }

std::string text_stl(const TriangleMesh& mesh) {
  std::string text = "solid a cube, facet for facet\n";
  for (const Triangle& t : mesh.triangles) {
    text += "  facet normal nan 0 1e0\n    outer loop\n";
    for (const std::uint32_t v : t) {
      const Vector3& p = mesh.vertices[v];
      text +=
          "      vertex " + std::to_string(p.x()) + " +" + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\r\n";
    }
    text += "    endloop\n  ENDFACET\n";
  }
  return text + "endsolid a cube\n";
}

void add_uint32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xffU));
}

std::string binary_stl(const TriangleMesh& mesh, std::uint32_t count, const std::string& header = "binary") {
  std::string bytes = header;
  bytes.resize(80, '\0');
  add_uint32(bytes, count);
  for (const Triangle& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) add_uint32(bytes, 0);
    for (const std::uint32_t v : t) {
      for (int i = 0; i < 3; ++i) {
        add_uint32(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(mesh.vertices[v][i])));
      }
    }
    bytes += "\x07\x07";
  }
  return bytes;
}

const char* const kCubeObj =
    "# a cube of quads\n"
    "mtllib cube.mtl\n"
    "o cube\n"
    "v 0 0 0\nv 2 0 0 # right\nv 2 2 0 1.0\nv 0 2 0\n"
    "v 0 0 2 0.5 0.5 0.5\nv 2 0 2\nv 2 2 2\r\nv 0 2 2\n"
    "vn 0 0 1\nvt 0 0\n"
    "f 1 4 3 2\n"
    "f 5//1 6//1 7//1 8//1\n"
    "f 1/1 2/1 6/1 5/1\n"
    "f -7/1/1 -6/1/1 -2/1/1 -3/1/1\n"
    "f 3 4 \\\n 8 7\n"
    "usemtl steel\ns off\n"
    "f 4 1 5 8";

void expect_cube(const MeshReadResult& result) {
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.problem, "");
  EXPECT_TRUE(result.has_volume());
  EXPECT_EQ(result.mesh->vertices.size(), 8U);
  EXPECT_EQ(result.mesh->triangles.size(), 12U);
  const MassProperties body = mass_properties(*result.mesh, 1.0);
  EXPECT_NEAR(body.mass, 8.0, kRounding);
  EXPECT_LT((body.center - Vector3::Ones()).norm(), kRounding);
  EXPECT_LT((body.inertia - 16.0 / 3.0 * Matrix3::Identity()).norm(), kRounding);
}

std::string stl_error(std::string_view bytes) {
  const MeshReadResult result = read_mesh(bytes, MeshFormat::stl);
  EXPECT_EQ(result.mesh, nullptr);
  return result.error;
}

std::string obj_error(std::string_view bytes) {
  const MeshReadResult result = read_mesh(bytes, MeshFormat::obj);
  EXPECT_EQ(result.mesh, nullptr);
  return result.error;
}

TEST(MeshReader, FormatComesFromTheExtension) {
  EXPECT_EQ(mesh_format("a/b.stl"), MeshFormat::stl);
  EXPECT_EQ(mesh_format("B.Obj"), MeshFormat::obj);
  EXPECT_EQ(mesh_format("b.step"), std::nullopt);
  EXPECT_EQ(mesh_format(""), std::nullopt);
}

// S3-35: pictures from files, STL among them.
TEST(MeshReader, CubeInEveryFormat) {
  expect_cube(read_mesh(text_stl(cube()), MeshFormat::stl));
  expect_cube(read_mesh(binary_stl(cube(), 12), MeshFormat::stl));
  expect_cube(read_mesh(binary_stl(cube(), 12, "solid, but binary"), MeshFormat::stl));
  expect_cube(read_mesh(kCubeObj, MeshFormat::obj));
  expect_cube(read_mesh(std::string("\xef\xbb\xbf") + kCubeObj, MeshFormat::obj));
}

TEST(MeshReader, CleanFileNeedsNoRemark) {
  const MeshReadResult result = read_mesh(binary_stl(cube(), 12), MeshFormat::stl);
  EXPECT_TRUE(result.remarks.empty());
  EXPECT_EQ(result.turned_shells + result.dropped_triangles, 0U);
  EXPECT_FALSE(result.welded_with_tolerance);
}

TEST(MeshReader, ConcavePolygonIsExact) {
  // An L of area 3, one unit high; the fan from the first corner leaves the polygon and comes back.
  const char* const text =
      "v 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\n"
      "v 1 2 1\nv 0 2 1\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\n"
      "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n"
      "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
  const MeshReadResult result = read_mesh(text, MeshFormat::obj);
  ASSERT_TRUE(result.has_volume()) << result.error << result.problem;
  const MassProperties body = mass_properties(*result.mesh, 1.0);
  EXPECT_NEAR(body.mass, 3.0, kRounding);
  EXPECT_LT((body.center - Vector3(5.0 / 6.0, 5.0 / 6.0, 0.5)).norm(), kRounding);
}

TEST(MeshReader, InwardSurfaceIsTurnedAndSaidSo) {
  TriangleMesh mesh = cube();
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const MeshReadResult result = read_mesh(binary_stl(mesh, 12), MeshFormat::stl);
  expect_cube(result);
  EXPECT_EQ(result.turned_shells, 1U);
  EXPECT_THAT(result.remarks, testing::ElementsAre("1 surface facing inwards turned around"));
}

TEST(MeshReader, TrianglesWithoutExtentAreLeftOut) {
  TriangleMesh mesh = cube();
  mesh.triangles.push_back({3, 3, 5});
  mesh.triangles.push_back({1, 1, 1});
  const MeshReadResult result = read_mesh(binary_stl(mesh, 14), MeshFormat::stl);
  expect_cube(result);
  EXPECT_EQ(result.dropped_triangles, 2U);
  EXPECT_THAT(result.remarks, testing::ElementsAre("2 triangles without area left out"));
}

TEST(MeshReader, RoundedCoordinatesAreWeldedWithTolerance) {
  // One corner of one triangle 1e-6 away; the tolerance is 3.5e-6.
  std::string text = text_stl(cube());
  text.replace(text.find("0.000000"), 8, "0.000001");
  const MeshReadResult result = read_mesh(text, MeshFormat::stl);
  ASSERT_TRUE(result.has_volume()) << result.error << result.problem;
  EXPECT_TRUE(result.welded_with_tolerance);
  EXPECT_EQ(result.mesh->vertices.size(), 8U);
  EXPECT_THAT(result.remarks, testing::ElementsAre("vertices closer than 3.46e-06 were joined to close gaps"));
}

TEST(MeshReader, HoleIsAProblemButTheMeshCanBeShown) {
  TriangleMesh mesh = cube();
  // Corners (0, 0, 0), (0, 0, 2), (0, 2, 2).
  mesh.triangles.erase(mesh.triangles.begin());
  const MeshReadResult result = read_mesh(binary_stl(mesh, 11), MeshFormat::stl);
  ASSERT_NE(result.mesh, nullptr);
  EXPECT_FALSE(result.has_volume());
  EXPECT_EQ(result.edges.open_edges, 3U);
  EXPECT_EQ(result.problem,
            "the surface is not closed: 3 edges have a triangle on one side only, one of them is near (0, 1, 1)");
}

TEST(MeshReader, FlippedTriangleIsAProblem) {
  TriangleMesh mesh = cube();
  std::swap(mesh.triangles[5][1], mesh.triangles[5][2]);
  const MeshReadResult result = read_mesh(binary_stl(mesh, 12), MeshFormat::stl);
  EXPECT_FALSE(result.has_volume());
  EXPECT_THAT(result.problem, HasSubstr("3 edges lie between triangles facing opposite ways"));
}

TEST(MeshReader, FlatSurfaceEnclosesNothing) {
  const MeshReadResult result = read_mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n", MeshFormat::obj);
  EXPECT_FALSE(result.has_volume());
  EXPECT_THAT(result.problem, HasSubstr("encloses no volume"));
}

TEST(MeshReader, TruncatedFilesAreRefused) {
  const std::string binary = binary_stl(cube(), 12);
  EXPECT_THAT(stl_error(binary.substr(0, binary.size() - 1)),
              HasSubstr("announces 12 triangles, but there are bytes for 11"));
  EXPECT_THAT(stl_error(binary.substr(0, 40)), HasSubstr("its 40 bytes are too few"));
  const std::string text = text_stl(cube());
  for (std::size_t size = 6; size + 12 < text.size(); size += 7) {
    EXPECT_THAT(stl_error(text.substr(0, size)), HasSubstr("line ")) << size;
  }
}

TEST(MeshReader, WrongCountIsRefusedWithoutAllocation) {
  EXPECT_THAT(stl_error(binary_stl(cube(), 11)), HasSubstr("announces 11 triangles, but there are bytes for 12"));
  EXPECT_THAT(stl_error(binary_stl(cube(), 0xffffffffU)), HasSubstr("announces 4294967295 triangles"));
}

TEST(MeshReader, NumbersThatAreNoneAreRefused) {
  TriangleMesh mesh = cube();
  mesh.vertices[0].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(stl_error(binary_stl(mesh, 12)), "triangle 1 of 12: coordinate 'nan' is not a finite number");
  mesh.vertices[0].x() = std::numeric_limits<double>::infinity();
  EXPECT_THAT(stl_error(text_stl(mesh)), HasSubstr("coordinate 'inf' is not a finite number"));
  EXPECT_EQ(obj_error("v 0 0 0\nv 1 x 0\n"), "line 2: coordinate 'x' is not a finite number");
  EXPECT_EQ(obj_error("v 1e300 0 0\n"), "line 1: coordinate 1e+300 is too large");
  EXPECT_EQ(obj_error("v 1e999 0 0\n"), "line 1: coordinate '1e999' is not a finite number");
  EXPECT_EQ(obj_error("v +-1 0 0\n"), "line 1: coordinate '+-1' is not a finite number");
}

TEST(MeshReader, FacesMustNameVerticesThatExist) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(obj_error(vertices + "f 1 2 4\n"), "line 4: the face names vertex 4, but the file has 3");
  EXPECT_EQ(obj_error(vertices + "f 1 2 -4\n"), "line 4: the face names vertex -4, but the file has 3 so far");
  EXPECT_EQ(obj_error(vertices + "f 1 2 99999999999\n"),
            "line 4: the face names vertex 99999999999, but the file has 3 so far");
  EXPECT_EQ(obj_error(vertices + "f 0 1 2\n"), "line 4: '0' is not a vertex number");
  EXPECT_EQ(obj_error(vertices + "f 1 2 /3\n"), "line 4: '/3' is not a vertex number");
  EXPECT_EQ(obj_error(vertices + "f 1 2\n"), "line 4: a face needs at least 3 corners, but has 2");
  EXPECT_EQ(obj_error("v 1 2\n"), "line 1: a vertex needs 3 coordinates, but has 2");
}

TEST(MeshReader, VerticesMayFollowTheFaces) {
  const MeshReadResult result = read_mesh("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", MeshFormat::obj);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.edges.open_edges, 3U);
}

TEST(MeshReader, EmptyAndRubbishAreRefused) {
  EXPECT_EQ(stl_error(""), "the file is empty");
  EXPECT_EQ(obj_error(""), "the file is empty");
  EXPECT_EQ(obj_error("# nothing\n\n"), "the file has no triangles");
  EXPECT_EQ(stl_error("solid nothing\nendsolid\n"), "the file has no triangles");
  EXPECT_EQ(stl_error(binary_stl({}, 0)), "the file has no triangles");
  EXPECT_EQ(obj_error("v 1 1 1\nf 1 1 1\n"), "the file has no triangles with an area");
  EXPECT_EQ(stl_error("solid x\nfacett"), "line 2: 'facet or endsolid' is expected, but there is 'facett'");
  EXPECT_THAT(stl_error("rubbish"), HasSubstr("does not begin with 'solid'"));
  EXPECT_EQ(obj_error("\x01!\xff"), "line 1: '?!?' is not a statement of an OBJ file");
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 4096; ++i) noise.push_back(static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U));
  EXPECT_THAT(stl_error(noise), HasSubstr("not an STL file"));
  EXPECT_THAT(obj_error(noise), HasSubstr("not a statement of an OBJ file"));
}

TEST(MeshReader, TooLargeIsRefusedBeforeReading) {
  const std::string bytes(kMaxMeshBytes + 1, ' ');
  EXPECT_EQ(stl_error(bytes), "the file is 256 MiB, more than the limit of 256");
}

}  // namespace
}  // namespace gelenk::geometry::mesh_reader_test
