#include "gelenk/formats/step_request.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/signing.h"

namespace gelenk::formats {
namespace {

using geometry::Shape;

void write_numbers(JsonWriter& json, std::string_view key, std::span<const double> numbers) {
  json.key(key).begin_array();
  for (const double number : numbers) json.value(number);
  json.end_array();
}

void write_pose(JsonWriter& json, const Pose& pose) {
  std::vector<double> numbers;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) numbers.push_back(pose.rotation(i, j));
  }
  for (int i = 0; i < 3; ++i) numbers.push_back(pose.position[i]);
  write_numbers(json, "at", numbers);
}

template <class T>
std::string packed(const std::vector<T>& items) {
  static_assert(std::endian::native == std::endian::little);  // both programs run on one machine
  return to_base64({reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)});
}

template <class T>
std::optional<std::vector<T>> unpacked(const std::string& text) {
  const std::optional<std::string> bytes = from_base64(text);
  if (!bytes || bytes->size() % sizeof(T) != 0) return std::nullopt;
  std::vector<T> items(bytes->size() / sizeof(T));
  if (!items.empty()) std::memcpy(static_cast<void*>(items.data()), bytes->data(), bytes->size());
  return items;
}

struct PrimitiveWriter {
  JsonWriter& json;

  void operator()(const geometry::Box& it) const {
    json.member("kind", "box");
    write_numbers(json, "size", {it.size.data(), 3});
  }
  void operator()(const geometry::Cylinder& it) const {
    json.member("kind", "cylinder").member("radius", it.radius).member("length", it.length);
  }
  void operator()(const geometry::Tube& it) const {
    json.member("kind", "tube").member("radius", it.radius).member("inner", it.inner_radius);
    json.member("length", it.length);
  }
  void operator()(const geometry::Sphere& it) const { json.member("kind", "sphere").member("radius", it.radius); }
  void operator()(const geometry::Capsule& it) const {
    json.member("kind", "capsule").member("radius", it.radius).member("length", it.length);
  }
  void operator()(const geometry::Cone& it) const {
    json.member("kind", "cone").member("radius", it.radius).member("end", it.end_radius).member("length", it.length);
  }
  void operator()(const geometry::Mesh& it) const {
    json.member("kind", "mesh").member("scale", it.scale);
    json.member("vertices", packed(it.mesh->vertices)).member("triangles", packed(it.mesh->triangles));
  }
};

void write_shape(JsonWriter& json, const StepShape& shape) {
  json.key("shape").begin_object();
  if (!shape.source.empty()) json.member("source", shape.source).member("part", shape.part);
  if (!shape.mirror.isIdentity(0.0)) {
    const Matrix3 rows = shape.mirror.transpose();  // stored by columns
    write_numbers(json, "mirror", {rows.data(), 9});
  }
  json.key("solids").begin_array();
  for (const Shape& solid : shape.solids) {
    json.begin_object();
    std::visit(PrimitiveWriter{json}, solid.primitive);
    write_pose(json, solid.X_PS);
    json.member("hole", solid.hole).end_object();
  }
  json.end_array().member("mass", shape.mass);
  if (shape.color) write_numbers(json, "color", *shape.color);
  json.end_object();
}

void write_node(JsonWriter& json, const StepNode& node) {
  json.begin_object().member("name", node.name).member("product", node.product);
  write_pose(json, node.X_ON);
  if (node.shape) write_shape(json, *node.shape);
  json.key("children").begin_array();
  for (const StepNode& child : node.children) write_node(json, child);
  json.end_array().end_object();
}

// Collects what is wrong: the first thing counts.
class RequestReader {
 public:
  explicit RequestReader(std::string& error) : error_(error) {}

  StepNode node(const JsonValue& json) {
    StepNode node;
    node.name = json.text_or("name", "");
    node.product = json.text_or("product", "");
    node.X_ON = pose(json);
    if (const JsonValue* found = json.find("shape")) node.shape = shape(*found);
    if (const JsonValue* children = json.find("children")) {
      for (const JsonValue& child : children->items) node.children.push_back(this->node(child));
    }
    return node;
  }

 private:
  void complain(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  std::vector<double> numbers(const JsonValue& json, std::string_view key, std::size_t count) {
    std::vector<double> found;
    if (const JsonValue* list = json.find(key)) {
      for (const JsonValue& item : list->items) found.push_back(item.number);
    }
    if (found.size() != count) complain(fmt::format("'{}' needs {} numbers", key, count));
    found.resize(count);
    return found;
  }

  Pose pose(const JsonValue& json) {
    const std::vector<double> found = numbers(json, "at", 12);
    Pose pose;
    auto number = found.begin();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose.rotation(i, j) = *number++;
    }
    for (int i = 0; i < 3; ++i) pose.position[i] = *number++;
    return pose;
  }

  StepShape shape(const JsonValue& json) {
    StepShape shape;
    shape.source = json.text_or("source", "");
    shape.part = json.text_or("part", "");
    shape.mass = json.number_or("mass", 0.0);
    if (json.find("mirror") != nullptr) {
      const std::vector<double> found = numbers(json, "mirror", 9);
      for (int i = 0; i < 9; ++i) shape.mirror(i / 3, i % 3) = found[static_cast<std::size_t>(i)];
    }
    if (json.find("color") != nullptr) {
      const std::vector<double> found = numbers(json, "color", 3);
      shape.color = Color{found[0], found[1], found[2]};
    }
    if (const JsonValue* solids = json.find("solids")) {
      for (const JsonValue& solid : solids->items) {
        shape.solids.push_back({primitive(solid), pose(solid), solid.truth_or("hole", false)});
        if (const std::string wrong = geometry::problem(shape.solids.back()); !wrong.empty()) complain(wrong);
      }
    }
    return shape;
  }

  geometry::Primitive primitive(const JsonValue& json) {
    const std::string kind = json.text_or("kind", "");
    const double radius = json.number_or("radius", 0.0), length = json.number_or("length", 0.0);
    if (kind == "box") {
      const std::vector<double> size = numbers(json, "size", 3);
      return geometry::Box{{size[0], size[1], size[2]}};
    }
    if (kind == "cylinder") return geometry::Cylinder{radius, length};
    if (kind == "tube") return geometry::Tube{radius, json.number_or("inner", 0.0), length};
    if (kind == "sphere") return geometry::Sphere{radius};
    if (kind == "capsule") return geometry::Capsule{radius, length};
    if (kind == "cone") return geometry::Cone{radius, json.number_or("end", 0.0), length};
    if (kind != "mesh") complain("a solid is of an unknown kind");
    return mesh(json);
  }

  geometry::Mesh mesh(const JsonValue& json) {
    const auto vertices = unpacked<Vector3>(json.text_or("vertices", ""));
    const auto triangles = unpacked<geometry::Triangle>(json.text_or("triangles", ""));
    geometry::TriangleMesh mesh;
    if (vertices && triangles) mesh = {*vertices, *triangles};
    bool is_whole = vertices && triangles;
    for (const geometry::Triangle& triangle : mesh.triangles) {
      for (const std::uint32_t vertex : triangle) is_whole = is_whole && vertex < mesh.vertices.size();
    }
    if (!is_whole) complain("a mesh is damaged");
    return {std::make_shared<const geometry::TriangleMesh>(is_whole ? std::move(mesh) : geometry::TriangleMesh{}),
            json.number_or("scale", 1.0)};
  }

  std::string& error_;
};

}  // namespace

std::string write_step_request(const StepRequest& request) {
  JsonWriter json;
  json.begin_object().member("job", kStepJob).member("file", request.file);
  json.member("memoryLimit", request.memory_limit).key("root");
  write_node(json, request.root);
  return json.end_object().take();
}

std::optional<StepRequest> read_step_request(std::string_view text, std::string& error) {
  // From our own program: as large as the machine.
  constexpr JsonLimits kLimits{std::numeric_limits<std::size_t>::max(), 2000, 100'000'000};
  const std::optional<JsonValue> json = read_json(text, error, kLimits);
  if (!json) return std::nullopt;
  StepRequest request;
  request.file = json->text_or("file", "");
  request.memory_limit = static_cast<std::size_t>(json->number_or("memoryLimit", 0.0));
  const JsonValue* root = json->find("root");
  if (request.file.empty() || root == nullptr) {
    error = "file and root are needed";
    return std::nullopt;
  }
  request.root = RequestReader(error).node(*root);
  if (!error.empty()) return std::nullopt;
  return request;
}

bool is_step_request(std::string_view text) {
  JsonWriter beginning;
  beginning.begin_object().member("job", kStepJob);
  const std::string wanted = beginning.end_object().take();
  return text.substr(0, wanted.rfind('"')) == std::string_view(wanted).substr(0, wanted.rfind('"'));
}

}  // namespace gelenk::formats
