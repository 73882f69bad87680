#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/geometry/mesh.h"

namespace gelenk::geometry {

enum class MeshFormat { stl, obj };

// From the extension of the file name, in any case; nothing when it is neither .stl nor .obj.
std::optional<MeshFormat> mesh_format(std::string_view path);

// Larger files are refused: they are scans, not parts, and checking them would take more memory than a laptop has.
inline constexpr std::size_t kMaxMeshBytes = 256U << 20U;
inline constexpr std::size_t kMaxMeshTriangles = 5'000'000;
inline constexpr std::size_t kMaxMeshVertices = 3 * kMaxMeshTriangles;
// Beyond any machine in any unit; fifth powers of it stay far from overflow.
inline constexpr double kMaxMeshCoordinate = 1e15;
// Of the diagonal of the bounding box. Exporters round coordinates to single precision (6e-8) or to six digits.
inline constexpr double kWeldTolerance = 1e-6;

// Texts are for people; places and lengths in them are numbers of the file, which knows no unit.
struct MeshReadResult {
  std::shared_ptr<const TriangleMesh> mesh;  // null when the file cannot be read
  std::string error;                         // why there is no mesh
  std::string problem;                       // why the mesh encloses no proper volume; it can still be shown
  std::vector<std::string> remarks;          // what was repaired, and is no error

  EdgeReport edges;
  std::size_t dropped_triangles = 0;   // two corners in the same place
  std::size_t turned_shells = 0;       // faced inwards
  bool welded_with_tolerance = false;  // equal coordinates alone left gaps

  bool has_volume() const { return mesh != nullptr && problem.empty(); }
};

// Reads the bytes of a mesh file, welds its vertices, drops triangles without extent, checks that the surface is closed
// and turns it outwards. Polygons of OBJ files are cut into fans: exact when they are flat, convex or not.
MeshReadResult read_mesh(std::string_view bytes, MeshFormat format);

}  // namespace gelenk::geometry
