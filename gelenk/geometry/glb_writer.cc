#include "gelenk/geometry/glb_writer.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gelenk/base/json.h"

namespace gelenk::geometry {
namespace {

// Numbers of the format (glTF 2.0, sections 4.4 and 5).
constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr int kFloat = 5126, kUnsigned = 5125, kVertexBuffer = 34962, kIndexBuffer = 34963;

// Little endian, as all platforms that we know.
template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

// A place in the binary chunk.
struct View {
  std::size_t begin = 0, size = 0, count = 0;
  int target = 0;
  std::array<float, 3> min{}, max{};  // of vertices
};

View put_vertices(std::string& bytes, const TriangleMesh& mesh) {
  View view{bytes.size(), 0, mesh.vertices.size(), kVertexBuffer, {}, {}};
  view.min.fill(std::numeric_limits<float>::max());
  view.max.fill(std::numeric_limits<float>::lowest());
  for (const Vector3& vertex : mesh.vertices) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto number = static_cast<float>(vertex[static_cast<int>(i)]);
      view.min[i] = std::fmin(view.min[i], number);
      view.max[i] = std::fmax(view.max[i], number);
      put(bytes, number);
    }
  }
  view.size = bytes.size() - view.begin;
  return view;
}

View put_triangles(std::string& bytes, const TriangleMesh& mesh) {
  View view{bytes.size(), 0, 3 * mesh.triangles.size(), kIndexBuffer, {}, {}};
  for (const Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t vertex : triangle) put(bytes, vertex);
  }
  view.size = bytes.size() - view.begin;
  return view;
}

void write_accessor(JsonWriter& json, const View& view, std::size_t number) {
  const bool is_vertices = view.target == kVertexBuffer;
  json.begin_object().member("bufferView", number).member("componentType", is_vertices ? kFloat : kUnsigned);
  json.member("count", view.count).member("type", is_vertices ? "VEC3" : "SCALAR");
  if (is_vertices) {
    for (const auto& [key, corner] : {std::pair{"min", view.min}, std::pair{"max", view.max}}) {
      json.key(key).begin_array();
      for (const float number_at : corner) json.value(static_cast<double>(number_at));
      json.end_array();
    }
  }
  json.end_object();
}

// The format has linear colors (glTF 2.0, section 3.9.2); this is the transfer function of IEC 61966-2-1.
double linear(double component) {
  return component <= 0.04045 ? component / 12.92 : std::pow((component + 0.055) / 1.055, 2.4);
}

void write_material(JsonWriter& json, const std::array<double, 3>& color) {
  constexpr double kMetallic = 0.2, kRoughness = 0.6;  // looks like a machined part
  json.key("materials").begin_array().begin_object().key("pbrMetallicRoughness").begin_object();
  json.key("baseColorFactor").begin_array();
  for (const double component : color) json.value(linear(component));
  json.value(1.0).end_array().member("metallicFactor", kMetallic).member("roughnessFactor", kRoughness);
  json.end_object().end_object().end_array();
}

// Two views for each mesh: vertices, triangles.
std::string description(std::span<const View> views, std::size_t size,
                        const std::optional<std::array<double, 3>>& color) {
  const std::size_t meshes = views.size() / 2;
  JsonWriter json;
  json.begin_object().key("asset").begin_object().member("version", "2.0").end_object().member("scene", 0);
  json.key("scenes").begin_array().begin_object().key("nodes").begin_array();
  for (std::size_t i = 0; i < meshes; ++i) json.value(i);
  json.end_array().end_object().end_array().key("nodes").begin_array();
  for (std::size_t i = 0; i < meshes; ++i) json.begin_object().member("mesh", i).end_object();
  json.end_array().key("meshes").begin_array();
  for (std::size_t i = 0; i < meshes; ++i) {
    json.begin_object().key("primitives").begin_array().begin_object().key("attributes").begin_object();
    json.member("POSITION", 2 * i).end_object().member("indices", 2 * i + 1);
    if (color) json.member("material", 0);
    json.end_object().end_array().end_object();
  }
  json.end_array();
  if (color) write_material(json, *color);
  json.key("accessors").begin_array();
  for (std::size_t i = 0; i < views.size(); ++i) write_accessor(json, views[i], i);
  json.end_array().key("bufferViews").begin_array();
  for (const View& view : views) {
    json.begin_object().member("buffer", 0).member("byteOffset", view.begin).member("byteLength", view.size);
    json.member("target", view.target).end_object();
  }
  json.end_array().key("buffers").begin_array().begin_object().member("byteLength", size).end_object().end_array();
  return json.end_object().take();
}

void put_chunk(std::string& file, std::uint32_t kind, std::string_view content, char filler) {
  const std::size_t padded = (content.size() + 3) / 4 * 4;
  put(file, static_cast<std::uint32_t>(padded));
  put(file, kind);
  file += content;
  file.append(padded - content.size(), filler);
}

}  // namespace

std::string write_glb(std::span<const TriangleMesh> meshes, const std::optional<std::array<double, 3>>& color) {
  std::string binary;
  std::vector<View> views;
  for (const TriangleMesh& mesh : meshes) {
    if (mesh.triangles.empty()) continue;
    views.push_back(put_vertices(binary, mesh));
    views.push_back(put_triangles(binary, mesh));
  }
  std::string chunks;
  put_chunk(chunks, kJsonChunk, description(views, binary.size(), color), ' ');
  put_chunk(chunks, kBinaryChunk, binary, '\0');
  constexpr std::size_t kHeaderBytes = 12;
  std::string file;
  put(file, kMagic);
  put(file, kVersion);
  put(file, static_cast<std::uint32_t>(kHeaderBytes + chunks.size()));
  return file + chunks;
}

}  // namespace gelenk::geometry
