#include "gelenk/geometry/mesh_normals.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace gelenk::geometry {
namespace {

using Place = std::array<double, 3>;

Place place_of(const Vector3& v) { return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0}; }  // -0 is 0

// For every vertex the number of the first one in the same place.
std::vector<std::uint32_t> welded(const std::vector<Vector3>& vertices) {
  std::map<Place, std::uint32_t> first;
  std::vector<std::uint32_t> result(vertices.size());
  for (std::uint32_t i = 0; i < vertices.size(); ++i) result[i] = first.emplace(place_of(vertices[i]), i).first->second;
  return result;
}

}  // namespace

ShadedMesh shaded(const TriangleMesh& mesh, double crease_angle) {
  const std::vector<std::uint32_t> weld = welded(mesh.vertices);
  const double smooth = std::cos(crease_angle);
  std::vector<std::size_t> faces;          // triangles with an area
  std::vector<Vector3> directions, areas;  // of these: unit normal, and normal times twice the area
  std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corners = mesh.triangles[t];
    const Vector3& origin = mesh.vertices[corners[0]];
    const Vector3 area = (mesh.vertices[corners[1]] - origin).cross(mesh.vertices[corners[2]] - origin);
    const std::optional<Vector3> direction = unit_vector(area);
    if (!direction) continue;
    for (const std::uint32_t corner : corners) around[weld[corner]].push_back(static_cast<std::uint32_t>(faces.size()));
    faces.push_back(t);
    directions.push_back(*direction);
    areas.push_back(area);
  }
  ShadedMesh result;
  // Corners with the same place and the same normal share a vertex.
  std::vector<std::vector<std::uint32_t>> made(mesh.vertices.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    Triangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t corner = weld[mesh.triangles[faces[f]][k]];
      Vector3 sum = Vector3::Zero();
      for (const std::uint32_t other : around[corner]) {
        if (directions[other].dot(directions[f]) >= smooth) sum += areas[other];
      }
      const Vector3 normal = unit_vector(sum).value_or(directions[f]);
      std::optional<std::uint32_t> vertex;
      for (const std::uint32_t known : made[corner]) {
        if (result.normals[known] == normal) vertex = known;
      }
      if (!vertex) {
        vertex = static_cast<std::uint32_t>(result.vertices.size());
        result.vertices.push_back(mesh.vertices[corner]);
        result.normals.push_back(normal);
        made[corner].push_back(*vertex);
      }
      triangle[k] = *vertex;
    }
    result.triangles.push_back(triangle);
  }
  return result;
}

}  // namespace gelenk::geometry
