#include "gelenk/geometry/glb_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "gelenk/base/json_reader.h"
#include "gelenk/geometry/gltf_numbers.h"
#include "gelenk/geometry/mesh_reader.h"

namespace gelenk::geometry {
namespace {

constexpr std::size_t kGlbHeaderBytes = 12, kChunkHeaderBytes = 8;
// Nodes that are visited, and how deep: a file may name a node again and again.
constexpr std::size_t kMostNodes = 100'000, kMostDepth = 64;

// Leaves the reader; nobody outside of this file sees it.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& why) { throw Refused(why); }

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// A whole number that is not negative. Doubles hold more of them than any file has bytes.
std::size_t whole(const JsonValue& value, std::string_view what) {
  constexpr double kMost = 1e15;
  if (value.kind != JsonValue::Kind::number || !(value.number >= 0.0) || value.number > kMost ||
      std::floor(value.number) != value.number) {
    refuse(fmt::format("'{}' is not a whole number", what));
  }
  return static_cast<std::size_t>(value.number);
}

std::size_t whole_or(const JsonValue& object, std::string_view key, std::size_t other) {
  const JsonValue* value = object.find(key);
  return value == nullptr ? other : whole(*value, key);
}

std::size_t needed(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  if (value == nullptr) refuse(fmt::format("'{}' is missing", key));
  return whole(*value, key);
}

// Up to `N` numbers.
template <std::size_t N>
bool numbers(const JsonValue& object, std::string_view key, std::array<double, N>& values) {
  const JsonValue* list = object.find(key);
  if (list == nullptr) return false;
  if (list->kind != JsonValue::Kind::array || list->items.size() != N) refuse(fmt::format("'{}' is damaged", key));
  for (std::size_t i = 0; i < N; ++i) {
    if (list->items[i].kind != JsonValue::Kind::number) refuse(fmt::format("'{}' is damaged", key));
    values[i] = list->items[i].number;
  }
  return true;
}

// p_parent = linear p + offset; with any scales.
struct Placement {
  Matrix3 linear = Matrix3::Identity();
  Vector3 offset = Vector3::Zero();
};

Placement operator*(const Placement& a, const Placement& b) {
  return {a.linear * b.linear, a.linear * b.offset + a.offset};
}

Placement placement(const JsonValue& node) {
  Placement result;
  std::array<double, 16> matrix{};
  if (numbers(node, "matrix", matrix)) {  // column by column
    for (int column = 0; column < 4; ++column) {
      const Vector3 part = Vector3::Map(&matrix[4 * static_cast<std::size_t>(column)]);
      if (column < 3) result.linear.col(column) = part;
      if (column == 3) result.offset = part;
    }
    return result;
  }
  std::array<double, 4> q{0.0, 0.0, 0.0, 1.0};
  std::array<double, 3> scale{1.0, 1.0, 1.0}, translation{};
  numbers(node, "rotation", q);
  numbers(node, "scale", scale);
  numbers(node, "translation", translation);
  const std::optional<Matrix3> rotation = rotation_from_quaternion(Quaternion(q[3], q[0], q[1], q[2]));
  if (!rotation) refuse("the rotation of a node is not a rotation");
  result.linear = *rotation * Vector3(scale[0], scale[1], scale[2]).asDiagonal();
  result.offset = Vector3(translation[0], translation[1], translation[2]);
  return result;
}

class Reading {
 public:
  Reading(const JsonValue& root, std::string_view binary) : root_(root), binary_(binary) {}

  GlbPicture run() {
    const JsonValue* asset = root_.find("asset");
    if (asset == nullptr || !asset->text_or("version", "").starts_with("2.")) refuse("it is not version 2 of glTF");
    if (!root_.texts("extensionsRequired").empty()) {
      refuse(fmt::format("it needs the extension '{}'", root_.texts("extensionsRequired").front()));
    }
    const JsonValue& scene = item("scenes", whole_or(root_, "scene", 0));
    visit_all(scene, "nodes", {}, 0);
    if (picture_.mesh.triangles.empty()) refuse("there are no triangles in it");
    return std::move(picture_);
  }

 private:
  const JsonValue& item(std::string_view list, std::size_t index) const {
    const JsonValue* all = root_.find(list);
    if (all == nullptr || all->kind != JsonValue::Kind::array || index >= all->items.size()) {
      refuse(fmt::format("there is no entry {} in '{}'", index, list));
    }
    return all->items[index];
  }

  void visit_all(const JsonValue& owner, std::string_view key, const Placement& place, std::size_t depth) {
    const JsonValue* children = owner.find(key);
    if (children == nullptr) return;
    if (depth > kMostDepth) refuse("its nodes are nested too deeply");
    for (const JsonValue& child : children->items) {
      if (++visited_ > kMostNodes) refuse("it has too many nodes");
      const JsonValue& node = item("nodes", whole(child, key));
      const Placement own = place * placement(node);
      if (const JsonValue* mesh = node.find("mesh")) add_mesh(item("meshes", whole(*mesh, "mesh")), own);
      visit_all(node, "children", own, depth + 1);
    }
  }

  void add_mesh(const JsonValue& mesh, const Placement& place) {
    const JsonValue* primitives = mesh.find("primitives");
    if (primitives == nullptr) return;
    for (const JsonValue& primitive : primitives->items) {
      if (whole_or(primitive, "mode", gltf::kTriangles) != gltf::kTriangles) continue;  // points and lines
      const JsonValue* attributes = primitive.find("attributes");
      if (attributes == nullptr) refuse("a mesh has no positions");
      add_triangles(needed(*attributes, "POSITION"), primitive.find("indices"), place);
      if (const JsonValue* material = primitive.find("material"))
        note_color(item("materials", whole(*material, "material")));
    }
  }

  void note_color(const JsonValue& material) {
    const JsonValue* surface = material.find("pbrMetallicRoughness");
    std::array<double, 4> factor{};
    if (picture_.color || surface == nullptr || !numbers(*surface, "baseColorFactor", factor)) return;
    picture_.color = color_from_linear({factor[0], factor[1], factor[2]});
  }

  // Where the numbers of an accessor are; all of them inside the binary chunk.
  struct Numbers {
    const char* data = nullptr;
    std::size_t stride = 0, count = 0;
    int component = 0;
  };

  Numbers find(std::size_t index, std::string_view type) const {
    const JsonValue& accessor = item("accessors", index);
    if (accessor.find("sparse") != nullptr || accessor.find("bufferView") == nullptr)
      refuse("it uses sparse accessors");
    if (accessor.text_or("type", "") != type) refuse("an accessor has the wrong type");
    const JsonValue& view = item("bufferViews", needed(accessor, "bufferView"));
    const JsonValue& buffer = item("buffers", needed(view, "buffer"));
    if (needed(view, "buffer") != 0 || buffer.find("uri") != nullptr) refuse("its data is in another file");
    Numbers result;
    result.component = static_cast<int>(needed(accessor, "componentType"));
    result.count = needed(accessor, "count");
    const std::size_t width = (type == gltf::kVector3 ? 3 : 1) * component_bytes(result.component);
    result.stride = whole_or(view, "byteStride", width);
    const std::size_t begin = whole_or(view, "byteOffset", 0), size = needed(view, "byteLength");
    const std::size_t offset = whole_or(accessor, "byteOffset", 0);
    // All of these are below 1e15, their products are not.
    const bool is_inside = begin <= binary_.size() && size <= binary_.size() - begin && offset <= size &&
                           result.count >= 1 && width <= size - offset && result.stride >= width &&
                           result.count - 1 <= (size - offset - width) / result.stride;
    if (!is_inside) refuse("an accessor reaches beyond its data");
    result.data = binary_.data() + begin + offset;
    return result;
  }

  static std::size_t component_bytes(int component) {
    switch (component) {
      case gltf::kByte:
        return 1;
      case gltf::kShort:
        return 2;
      case gltf::kUnsigned:
      case gltf::kFloat:
        return 4;
      default:
        refuse("it has an unknown number type");
    }
  }

  void add_triangles(std::size_t positions, const JsonValue* indices, const Placement& place) {
    const Numbers points = find(positions, gltf::kVector3);
    if (points.component != gltf::kFloat) refuse("positions are not floats");
    TriangleMesh& mesh = picture_.mesh;
    const std::size_t base = mesh.vertices.size();
    if (points.count > kMaxMeshVertices - base) refuse("it is too large");
    for (std::size_t i = 0; i < points.count; ++i) {
      std::array<float, 3> raw{};
      std::memcpy(raw.data(), points.data + i * points.stride, sizeof raw);
      const Vector3 point = place.linear * Vector3(raw[0], raw[1], raw[2]) + place.offset;
      if (!point.allFinite() || point.cwiseAbs().maxCoeff() > kMaxMeshCoordinate)
        refuse("a position is not finite, or too large");
      mesh.vertices.push_back(point);
    }
    const Numbers corners = indices == nullptr ? Numbers{nullptr, 0, points.count, gltf::kUnsigned}
                                               : find(whole(*indices, "indices"), gltf::kScalar);
    if (corners.component == gltf::kFloat) refuse("indices are not whole numbers");
    if (corners.count / 3 > kMaxMeshTriangles - mesh.triangles.size()) refuse("it is too large");
    const bool is_mirrored = place.linear.determinant() < 0.0;
    for (std::size_t i = 0; i + 2 < corners.count; i += 3) {
      Triangle triangle{};
      for (std::size_t k = 0; k < 3; ++k) {
        std::uint32_t corner = 0;
        if (corners.data == nullptr) {
          corner = static_cast<std::uint32_t>(i + k);
        } else {
          std::memcpy(&corner, corners.data + (i + k) * corners.stride, component_bytes(corners.component));
        }
        if (corner >= points.count) refuse("a triangle refers to a missing vertex");
        triangle[is_mirrored ? 2 - k : k] = static_cast<std::uint32_t>(base + corner);
      }
      mesh.triangles.push_back(triangle);
    }
  }

  const JsonValue& root_;
  std::string_view binary_;
  GlbPicture picture_;
  std::size_t visited_ = 0;
};

GlbPicture read(std::string_view bytes) {
  if (bytes.size() > kMaxMeshBytes) refuse("it is too large");
  if (bytes.size() < kGlbHeaderBytes || word(bytes, 0) != gltf::kMagic) refuse("it is not binary glTF");
  if (word(bytes, 4) != gltf::kVersion) refuse("it is not version 2 of glTF");
  if (word(bytes, 8) != bytes.size()) refuse("it is cut off, or has data after its end");
  std::string_view description, binary;
  for (std::size_t at = kGlbHeaderBytes; at < bytes.size();) {
    if (bytes.size() - at < kChunkHeaderBytes) refuse("it is cut off");
    const std::size_t size = word(bytes, at);
    const std::uint32_t kind = word(bytes, at + 4);
    at += kChunkHeaderBytes;
    if (size > bytes.size() - at) refuse("it is cut off");
    if (kind == gltf::kJsonChunk && description.empty()) description = bytes.substr(at, size);
    if (kind == gltf::kBinaryChunk && binary.empty()) binary = bytes.substr(at, size);
    at += size;
  }
  std::string error;
  const std::optional<JsonValue> root = read_json(description, error);
  if (!root) refuse("its description cannot be read: " + error);
  return Reading(*root, binary).run();
}

}  // namespace

GlbPicture read_glb(std::string_view bytes) {
  try {
    return read(bytes);
  } catch (const Refused& refused) {
    GlbPicture nothing;
    nothing.error = refused.what();
    return nothing;
  }
}

}  // namespace gelenk::geometry
