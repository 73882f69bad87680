#include "gelenk/geometry/gltf_buffer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gelenk/base/signing.h"
#include "gelenk/geometry/gltf_numbers.h"

namespace gelenk::geometry {
namespace {

// Little endian, as all platforms that we know.
template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

void put_chunk(std::string& file, std::uint32_t kind, std::string_view content, char filler) {
  const std::size_t padded = (content.size() + 3) / 4 * 4;
  put(file, static_cast<std::uint32_t>(padded));
  put(file, kind);
  file += content;
  file.append(padded - content.size(), filler);
}

// The transfer function of IEC 61966-2-1 (glTF 2.0, section 3.9.2), and back.
double linear(double component) {
  return component <= 0.04045 ? component / 12.92 : std::pow((component + 0.055) / 1.055, 2.4);
}
double from_linear(double component) {
  return component <= 0.0031308 ? 12.92 * component : 1.055 * std::pow(component, 1.0 / 2.4) - 0.055;
}

void write_bounds(JsonWriter& json, std::string_view key, const std::vector<float>& corner) {
  json.key(key).begin_array();
  for (const float number : corner) json.value(static_cast<double>(number));
  json.end_array();
}

std::string_view type_of_width(std::size_t width) {
  return width == 1 ? gltf::kScalar : width == 3 ? gltf::kVector3 : gltf::kVector4;
}

}  // namespace

std::size_t GltfBuffer::close(Accessor accessor) {
  accessor.size = bytes_.size() - accessor.begin;
  accessors_.push_back(std::move(accessor));
  return accessors_.size() - 1;
}

std::size_t GltfBuffer::add_floats(std::span<const float> values, std::size_t width, int target, bool has_bounds) {
  Accessor accessor;
  accessor.begin = bytes_.size();
  accessor.count = values.size() / width;
  accessor.component = gltf::kFloat;
  accessor.target = target;
  accessor.type = type_of_width(width);
  if (has_bounds) {
    accessor.min.assign(width, std::numeric_limits<float>::max());
    accessor.max.assign(width, std::numeric_limits<float>::lowest());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    put(bytes_, values[i]);
    if (!has_bounds) continue;
    accessor.min[i % width] = std::min(accessor.min[i % width], values[i]);
    accessor.max[i % width] = std::max(accessor.max[i % width], values[i]);
  }
  return close(std::move(accessor));
}

std::size_t GltfBuffer::add_vectors(std::span<const Vector3> vectors, bool has_bounds) {
  std::vector<float> values;
  values.reserve(3 * vectors.size());
  for (const Vector3& vector : vectors) {
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(vector[i]));
  }
  return add_floats(values, 3, gltf::kVertexBuffer, has_bounds);
}

std::size_t GltfBuffer::add_points(std::span<const Vector3> points) { return add_vectors(points, true); }

std::size_t GltfBuffer::add_normals(std::span<const Vector3> normals) { return add_vectors(normals, false); }

std::size_t GltfBuffer::add_triangles(std::span<const Triangle> triangles) {
  Accessor accessor;
  accessor.begin = bytes_.size();
  accessor.count = 3 * triangles.size();
  accessor.component = gltf::kUnsigned;
  accessor.target = gltf::kIndexBuffer;
  accessor.type = gltf::kScalar;
  for (const Triangle& triangle : triangles) {
    for (const std::uint32_t vertex : triangle) put(bytes_, vertex);
  }
  return close(std::move(accessor));
}

std::size_t GltfBuffer::add_times(std::span<const float> times) { return add_floats(times, 1, 0, true); }

std::size_t GltfBuffer::add_track(std::span<const float> values, std::size_t width) {
  return add_floats(values, width, 0, false);
}

// One view for each accessor.
void GltfBuffer::write(JsonWriter& json, std::string_view uri) const {
  json.key("accessors").begin_array();
  for (std::size_t i = 0; i < accessors_.size(); ++i) {
    const Accessor& accessor = accessors_[i];
    json.begin_object().member("bufferView", i).member("componentType", accessor.component);
    json.member("count", accessor.count).member("type", accessor.type);
    if (!accessor.min.empty()) {
      write_bounds(json, "min", accessor.min);
      write_bounds(json, "max", accessor.max);
    }
    json.end_object();
  }
  json.end_array().key("bufferViews").begin_array();
  for (const Accessor& accessor : accessors_) {
    json.begin_object().member("buffer", 0).member("byteOffset", accessor.begin).member("byteLength", accessor.size);
    if (accessor.target != 0) json.member("target", accessor.target);
    json.end_object();
  }
  json.end_array().key("buffers").begin_array().begin_object().member("byteLength", bytes_.size());
  if (!uri.empty()) json.member("uri", uri);
  json.end_object().end_array();
}

void write_gltf_material(JsonWriter& json, const Color& color) {
  constexpr double kMetallic = 0.2, kRoughness = 0.6;
  json.begin_object().key("pbrMetallicRoughness").begin_object().key("baseColorFactor").begin_array();
  for (const double component : color) json.value(linear(component));
  json.value(1.0).end_array().member("metallicFactor", kMetallic).member("roughnessFactor", kRoughness);
  json.end_object().end_object();
}

Color color_from_linear(const Color& linear_color) {
  Color color = linear_color;
  for (double& component : color) component = from_linear(std::clamp(component, 0.0, 1.0));
  return color;
}

std::string glb_file(std::string_view description, std::string_view bytes) {
  constexpr std::size_t kHeaderBytes = 12;
  std::string chunks;
  put_chunk(chunks, gltf::kJsonChunk, description, ' ');
  if (!bytes.empty()) put_chunk(chunks, gltf::kBinaryChunk, bytes, '\0');
  std::string file;
  put(file, gltf::kMagic);
  put(file, gltf::kVersion);
  put(file, static_cast<std::uint32_t>(kHeaderBytes + chunks.size()));
  return file + chunks;
}

std::string gltf_data_uri(std::string_view bytes) { return "data:application/octet-stream;base64," + to_base64(bytes); }

}  // namespace gelenk::geometry
