#include "gelenk/model/expand/shapes.h"

#include <fmt/format.h>

#include <utility>

#include "gelenk/base/similar_file.h"
#include "gelenk/geometry/dxf_reader.h"
#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {

std::optional<Pose> Shapes::place(const Value& value, const Field& field, Instance& scope,
                                  std::optional<std::size_t> part) {
  return part ? places_.placement_on_part(value, field, scope, *part) : places_.placement_in(value, field, scope);
}

std::optional<double> Shapes::along_axis(const Object& written, Instance& scope, std::optional<std::size_t> part,
                                         Pose& X_PS) {
  const Value* from = written.value("from");
  const Value* to = written.value("to");
  const Value* length = written.value("length");
  if ((from != nullptr) != (to != nullptr) || (to != nullptr) == (length != nullptr)) {
    if (written.is_incomplete) return std::nullopt;
    diagnostics_.error(to != nullptr && length != nullptr ? Code::conflicting_keys : Code::missing_key, written.range,
                       fmt::format("a {} needs either `from` and `to`, or `length`", written.type->name));
    return std::nullopt;
  }
  if (length != nullptr) return numbers_.number(*length, field_of(written, "length"), scope);
  const auto point = [&](const Value& value, std::string_view key) -> std::optional<Vector3> {
    const std::optional<Pose> pose = place(value, field_of(written, key), scope, part);
    if (!pose) return std::nullopt;
    return pose->position;
  };
  const std::optional<Vector3> a = point(*from, "from");
  const std::optional<Vector3> b = point(*to, "to");
  if (!a || !b) return std::nullopt;
  const Vector3 axis = *b - *a;
  const std::optional<Vector3> z = unit_vector(axis);
  if (!z) {
    diagnostics_.error(Code::bad_shape, to->range,
                       fmt::format("the two ends of the {} are in the same place", written.type->name));
    return std::nullopt;
  }
  X_PS = X_PS * Pose{rotation_with_z(*z), *a};
  return axis.norm();
}

std::optional<std::string> Shapes::read(const std::string& path, const std::string& file, std::string_view kind,
                                        std::size_t most, const SourceRange& where) {
  ReadResult read = options_.read(path, most);
  if (read.text) return std::move(read.text);
  const bool is_missing = read.code == Code::file_not_found;
  std::string hint = is_missing ? did_you_mean_file(path) : std::string();
  if (is_missing && !hint.starts_with("did")) {
    hint = "paths are relative to the folder of the file they are written in";
  }
  diagnostics_.error(
      read.code, where,
      is_missing ? fmt::format("there is no file '{}'", path) : fmt::format("{} '{}': {}", kind, file, read.reason),
      std::move(hint));
  return std::nullopt;
}

std::shared_ptr<const geometry::TriangleMesh> Shapes::read_mesh(const std::string& path, const std::string& file,
                                                                const SourceRange& where) {
  const std::optional<geometry::MeshFormat> format = geometry::mesh_format(path);
  if (!format) {
    diagnostics_.error(Code::mesh_unreadable, where, fmt::format("'{}' is neither .stl nor .obj", file),
                       "export it as STL or OBJ; the outline of a DXF drawing is an `extrusion`");
    return nullptr;
  }
  const std::optional<std::string> bytes = read(path, file, "mesh", geometry::kMaxMeshBytes, where);
  if (!bytes) return nullptr;
  geometry::MeshReadResult result = geometry::read_mesh(*bytes, *format);
  if (!result.has_volume()) {
    diagnostics_.error(result.mesh == nullptr ? Code::mesh_unreadable : Code::mesh_not_closed, where,
                       fmt::format("mesh '{}': {}", file, result.mesh == nullptr ? result.error : result.problem),
                       result.mesh == nullptr ? "" : "repair it, or give mass, center_of_mass and inertia");
    return nullptr;
  }
  return result.mesh;
}

std::optional<geometry::Primitive> Shapes::mesh(const Object& written, Instance& scope) {
  const std::string* file = written.text("file");
  const std::optional<double> scale = numbers_.number_or(written, "scale", 1.0, scope);
  if (file == nullptr || !scale) return std::nullopt;
  const SourceRange where = written.range_of("file");
  const std::string path = model_.resolve_path(*file, where);
  auto known = meshes_.find(path);
  if (known == meshes_.end()) known = meshes_.emplace(path, read_mesh(path, *file, where)).first;
  if (known->second == nullptr) return std::nullopt;
  return geometry::Mesh{known->second, *scale};
}

std::optional<geometry::Outline> Shapes::drawing(const Object& written, const std::string& file, Instance& scope) {
  const SourceRange where = written.range_of("file");
  const std::optional<std::string> bytes =
      read(model_.resolve_path(file, where), file, "drawing", geometry::kMaxDxfBytes, where);
  if (!bytes) return std::nullopt;
  geometry::DxfReadResult result = geometry::read_dxf(*bytes);
  if (!result.error.empty()) {
    diagnostics_.error(Code::mesh_unreadable, where, fmt::format("drawing '{}': {}", file, result.error),
                       "it should have closed lines of the plate alone, as text DXF");
    return std::nullopt;
  }
  const bool has_scale = written.value("scale") != nullptr;
  if (!has_scale && !result.unit) {
    diagnostics_.error(Code::missing_key, written.range, fmt::format("drawing '{}' does not say its unit", file),
                       "give `scale`, meters per unit: 0.001 for millimeters");
    return std::nullopt;
  }
  const std::optional<double> scale =
      has_scale ? numbers_.number_or(written, "scale", 1.0, scope) : std::optional(*result.unit);
  if (!scale) return std::nullopt;
  for (geometry::Loop& loop : result.outline) {
    for (geometry::PlanePoint& corner : loop) corner = {*scale * corner.x, *scale * corner.y};
  }
  return std::move(result.outline);
}

std::optional<geometry::Outline> Shapes::outline(const Object& written, Instance& scope) {
  const std::string* file = written.text("file");
  const Value* x = written.value("x");
  const Value* y = written.value("y");
  if ((x == nullptr) != (y == nullptr) || (x == nullptr) == (file == nullptr)) {
    if (!written.is_incomplete) {
      diagnostics_.error(x != nullptr && file != nullptr ? Code::conflicting_keys : Code::missing_key, written.range,
                         "an extrusion needs either `x` and `y`, or `file`");
    }
    return std::nullopt;
  }
  if (file != nullptr) return drawing(written, *file, scope);
  const auto& xs = *x->get<Value::List>();
  const auto& ys = *y->get<Value::List>();
  if (xs.size() != ys.size()) {
    diagnostics_.error(Code::bad_shape, y->range,
                       fmt::format("`x` has {} numbers, `y` has {}: each corner needs both", xs.size(), ys.size()));
    return std::nullopt;
  }
  geometry::Loop loop;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const std::optional<double> at_x = numbers_.number(xs[i], field_of(written, "x"), scope);
    const std::optional<double> at_y = numbers_.number(ys[i], field_of(written, "y"), scope);
    if (!at_x || !at_y) return std::nullopt;
    loop.push_back({*at_x, *at_y});
  }
  std::string problem = geometry::problem(geometry::Outline{loop});
  if (!problem.empty()) {
    diagnostics_.error(Code::bad_shape, x->range,
                       fmt::format("extrusion: {}{}", problem, problem.ends_with(')') ? " m" : ""));
    return std::nullopt;
  }
  return geometry::Outline{std::move(loop)};
}

std::optional<geometry::Primitive> Shapes::extrusion(const Object& written, Instance& scope) {
  const std::optional<geometry::Outline> region = outline(written, scope);
  const Value* height = written.value("height");
  const std::optional<double> size =
      height == nullptr ? std::nullopt : numbers_.number(*height, field_of(written, "height"), scope);
  if (!region || !size) return std::nullopt;
  return geometry::Mesh{std::make_shared<const geometry::TriangleMesh>(geometry::extruded(*region, *size)), 1.0};
}

std::optional<geometry::Primitive> Shapes::primitive(const Object& written, Instance& scope,
                                                     std::optional<std::size_t> part, Pose& X_PS) {
  const auto get = [&](std::string_view key) { return numbers_.number_or(written, key, 0.0, scope); };
  const ObjectType* type = written.type;
  if (type == &kBoxType) {
    const Value* size = written.value("size");
    const std::optional<Vector3> edges =
        size == nullptr ? std::nullopt : numbers_.vector(*size, field_of(written, "size"), scope);
    if (!edges) return std::nullopt;
    return geometry::Box{*edges};
  }
  if (type == &kMeshType) return mesh(written, scope);
  if (type == &kExtrusionType) return extrusion(written, scope);
  const std::optional<double> radius = written.value("radius") == nullptr ? std::nullopt : get("radius");
  if (type == &kSphereType) {
    if (!radius) return std::nullopt;
    return geometry::Sphere{*radius};
  }
  const std::optional<double> length = along_axis(written, scope, part, X_PS);
  if (!radius || !length) return std::nullopt;
  if (type == &kCylinderType) return geometry::Cylinder{*radius, *length};
  if (type == &kCapsuleType) return geometry::Capsule{*radius, *length};
  const std::optional<double> second = get(type == &kTubeType ? "inner_radius" : "end_radius");
  if (!second) return std::nullopt;
  if (type == &kTubeType) return geometry::Tube{*radius, *second, *length};
  return geometry::Cone{*radius, *second, *length};
}

std::optional<geometry::Shape> Shapes::shape(const Object& written, Instance& scope, std::optional<std::size_t> part) {
  geometry::Shape result;
  if (const Value* at = written.value("at")) {
    const std::optional<Pose> pose = place(*at, field_of(written, "at"), scope, part);
    if (!pose) return std::nullopt;
    result.X_PS = *pose;
  }
  const std::optional<geometry::Primitive> solid = primitive(written, scope, part, result.X_PS);
  if (!solid) return std::nullopt;
  result.primitive = *solid;
  result.hole = written.flag("hole", false);
  if (const std::string* text = written.text("color")) {
    result.color = geometry::color_from_text(*text);
    if (!result.color) {
      diagnostics_.error(Code::wrong_kind, written.range_of("color"), fmt::format("'{}' is not a color", *text),
                         "write red, green and blue as two hexadecimal digits each: \"#c8102e\"");
    }
  }
  const std::string problem = geometry::problem(result);
  if (!problem.empty()) {
    diagnostics_.error(Code::bad_shape, written.range, fmt::format("{}: {}", written.type->name, problem));
    return std::nullopt;
  }
  return result;
}

std::vector<geometry::Shape> Shapes::shapes(const Object& owner, Instance& scope, std::optional<std::size_t> part) {
  std::vector<geometry::Shape> result;
  const Value* value = owner.value("shape");
  if (value == nullptr) return result;
  for (const Object& written : *value->get<Value::Objects>()) {
    std::optional<geometry::Shape> one = shape(written, scope, part);
    if (one) result.push_back(*std::move(one));
  }
  return result;
}

}  // namespace gelenk::model::expanding
