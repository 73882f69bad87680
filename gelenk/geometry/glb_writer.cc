#include "gelenk/geometry/glb_writer.h"

#include <cstddef>

#include "gelenk/geometry/gltf_buffer.h"

namespace gelenk::geometry {

// Two accessors for each mesh: vertices, triangles.
std::string write_glb(std::span<const TriangleMesh> meshes, const std::optional<std::array<double, 3>>& color) {
  GltfBuffer buffer;
  std::size_t count = 0;
  for (const TriangleMesh& mesh : meshes) {
    if (mesh.triangles.empty()) continue;
    buffer.add_points(mesh.vertices);
    buffer.add_triangles(mesh.triangles);
    ++count;
  }
  JsonWriter json;
  json.begin_object().key("asset").begin_object().member("version", "2.0").end_object().member("scene", 0);
  json.key("scenes").begin_array().begin_object().key("nodes").begin_array();
  for (std::size_t i = 0; i < count; ++i) json.value(i);
  json.end_array().end_object().end_array().key("nodes").begin_array();
  for (std::size_t i = 0; i < count; ++i) json.begin_object().member("mesh", i).end_object();
  json.end_array().key("meshes").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    json.begin_object().key("primitives").begin_array().begin_object().key("attributes").begin_object();
    json.member("POSITION", 2 * i).end_object().member("indices", 2 * i + 1);
    if (color) json.member("material", 0);
    json.end_object().end_array().end_object();
  }
  json.end_array();
  if (color) {
    json.key("materials").begin_array();
    write_gltf_material(json, *color);
    json.end_array();
  }
  buffer.write(json);
  return glb_file(json.end_object().take(), buffer.bytes());
}

}  // namespace gelenk::geometry
