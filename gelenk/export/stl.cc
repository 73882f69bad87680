#include "gelenk/export/stl.h"

#include <cstdint>
#include <cstring>

#include "gelenk/export/scene_shapes.h"

namespace gelenk::exporting {
namespace {

using geometry::Triangle;
using geometry::TriangleMesh;

constexpr std::size_t kHeaderBytes = 80, kTriangleBytes = 50;

template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

void put_vector(std::string& bytes, const Vector3& vector) {
  for (int i = 0; i < 3; ++i) put(bytes, static_cast<float>(vector[i]));
}

void add_shape(const SceneShape& shape, const Scene& scene, const Pose& X, TriangleMesh& mesh) {
  const TriangleMesh surface_S = surface(shape, scene.meshes);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const Pose X_S = X * shape.X_PS;
  for (const Vector3& vertex : surface_S.vertices) mesh.vertices.push_back(X_S * vertex);
  for (const Triangle& t : surface_S.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace

std::string write_stl(const TriangleMesh& mesh, double scale, std::string_view title) {
  // A file that begins with "solid" would be taken for text.
  std::string bytes = "binary STL: " + std::string(title);
  bytes.resize(kHeaderBytes, ' ');
  bytes.reserve(kHeaderBytes + 4 + kTriangleBytes * mesh.triangles.size());
  put(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& triangle : mesh.triangles) {
    const Vector3 &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]], &c = mesh.vertices[triangle[2]];
    put_vector(bytes, unit_vector((b - a).cross(c - a)).value_or(Vector3::Zero()));
    for (const Vector3& corner : {a, b, c}) put_vector(bytes, scale * corner);
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

TriangleMesh surface_of_part(const Scene& scene, std::size_t part) {
  TriangleMesh mesh;
  for (const SceneShape& shape : scene.parts[part].shapes) add_shape(shape, scene, {}, mesh);
  return mesh;
}

TriangleMesh surface_of_machine(const Scene& scene, std::span<const Pose> poses) {
  TriangleMesh mesh;
  for (const SceneShape& shape : scene.ground_shapes) add_shape(shape, scene, {}, mesh);
  for (std::size_t i = 0; i < scene.parts.size(); ++i) {
    for (const SceneShape& shape : scene.parts[i].shapes) {
      add_shape(shape, scene, i < poses.size() ? poses[i] : scene.parts[i].X_WP, mesh);
    }
  }
  return mesh;
}

}  // namespace gelenk::exporting
