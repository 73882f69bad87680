// Parts: where they are, what they weigh.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/base/platform.h"
#include "gelenk/base/similar_file.h"
#include "gelenk/base/text.h"
#include "gelenk/geometry/mesh_reader.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/materials.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

// A given mass that differs by more than this from that of the shape is worth a word.
constexpr double kMassDifferenceToMention = 0.1;

std::string in_kilograms(double mass) { return format_rounded(mass, 4) + " kg"; }

}  // namespace

std::optional<double> Expansion::along_axis(const Object& written, Instance& scope, std::optional<std::size_t> part,
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
  if (length != nullptr) return number(*length, field_of(written, "length"), scope);
  const auto point = [&](const Value& value, std::string_view key) -> std::optional<Vector3> {
    if (part) return point_on_part(value, field_of(written, key), scope, *part);
    const std::optional<Pose> pose = placement(value, field_of(written, key), scope, {}, frames_of(scope));
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

std::optional<geometry::Primitive> Expansion::mesh(const Object& written, Instance& scope) {
  const std::string* file = written.text("file");
  const std::optional<double> scale = number_or(written, "scale", 1.0, scope);
  if (file == nullptr || !scale) return std::nullopt;
  const SourceRange where = written.range_of("file");
  const std::string path = model_.resolve_path(*file, where);
  const auto known = meshes_.find(path);
  if (known != meshes_.end()) {
    if (known->second == nullptr) return std::nullopt;
    return geometry::Mesh{known->second, *scale};
  }
  std::shared_ptr<const geometry::TriangleMesh>& slot = meshes_[path];
  const std::optional<geometry::MeshFormat> format = geometry::mesh_format(path);
  if (!format) {
    diagnostics_.error(Code::mesh_unreadable, where, fmt::format("'{}' is neither .stl nor .obj", *file),
                       "export it as STL or OBJ");
    return std::nullopt;
  }
  const ReadResult read = options_.read(path, geometry::kMaxMeshBytes);
  if (!read.text) {
    const bool is_missing = read.code == Code::file_not_found;
    std::string hint = is_missing ? did_you_mean_file(path) : std::string();
    if (is_missing && !hint.starts_with("did"))
      hint = "paths are relative to the folder of the file they are written in";
    diagnostics_.error(
        read.code, where,
        is_missing ? fmt::format("there is no file '{}'", path) : fmt::format("mesh '{}': {}", *file, read.reason),
        std::move(hint));
    return std::nullopt;
  }
  geometry::MeshReadResult result = geometry::read_mesh(*read.text, *format);
  if (!result.has_volume()) {
    diagnostics_.error(result.mesh == nullptr ? Code::mesh_unreadable : Code::mesh_not_closed, where,
                       fmt::format("mesh '{}': {}", *file, result.mesh == nullptr ? result.error : result.problem),
                       result.mesh == nullptr ? "" : "repair it, or give mass, center_of_mass and inertia");
    return std::nullopt;
  }
  slot = result.mesh;
  return geometry::Mesh{slot, *scale};
}

std::optional<geometry::Primitive> Expansion::primitive(const Object& written, Instance& scope,
                                                        std::optional<std::size_t> part, Pose& X_PS) {
  const auto get = [&](std::string_view key) { return number_or(written, key, 0.0, scope); };
  const ObjectType* type = written.type;
  if (type == &kBoxType) {
    const Value* size = written.value("size");
    const std::optional<Vector3> edges =
        size == nullptr ? std::nullopt : vector(*size, field_of(written, "size"), scope);
    if (!edges) return std::nullopt;
    return geometry::Box{*edges};
  }
  if (type == &kMeshType) return mesh(written, scope);
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

std::optional<geometry::Shape> Expansion::shape(const Object& written, Instance& scope,
                                                std::optional<std::size_t> part) {
  geometry::Shape result;
  if (const Value* at = written.value("at")) {
    std::optional<Pose> pose;
    if (part) {
      pose = placement_on_part(*at, field_of(written, "at"), scope, *part);
    } else {
      pose = placement(*at, field_of(written, "at"), scope, {}, frames_of(scope));
    }
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

std::vector<geometry::Shape> Expansion::shapes(const Object& owner, Instance& scope, std::optional<std::size_t> part) {
  std::vector<geometry::Shape> result;
  const Value* value = owner.value("shape");
  if (value == nullptr) return result;
  for (const Object& written : *value->get<Value::Objects>()) {
    std::optional<geometry::Shape> one = shape(written, scope, part);
    if (one) result.push_back(*std::move(one));
  }
  return result;
}

std::optional<Expansion::DensityUsed> Expansion::density(const Object& part, Instance& scope) {
  const Value* given = part.value("density");
  const std::string* name = part.text("material");
  if (given != nullptr && name != nullptr) {
    diagnostics_.error(Code::conflicting_keys, given->range, "`density` and `material` cannot be combined",
                       "keep one of them");
    return std::nullopt;
  }
  if (given != nullptr) {
    const std::optional<double> value = number(*given, field_of(part, "density"), scope);
    if (!value) return std::nullopt;
    return DensityUsed{*value, false};
  }
  if (name == nullptr) {
    diagnostics_.warning(Code::assumed_density, part.range_of("shape"),
                         fmt::format("no material given: {} ({} kg/m^3) is assumed", kAssumedMaterial, kAssumedDensity),
                         "give a `material`, a `density` or a `mass`");
    return DensityUsed{kAssumedDensity, true};
  }
  for (const Object& material : scope.object().section("materials")) {
    if (material.name != *name) continue;
    const Value* value = material.value("density");
    if (value == nullptr) return std::nullopt;
    const std::optional<double> own = number(*value, field_of(material, "density"), scope);
    if (!own) return std::nullopt;
    return DensityUsed{*own, false};
  }
  if (const Material* material = find_built_in_material(*name)) return DensityUsed{material->density, false};
  std::vector<std::string> names;
  for (const Object& material : scope.object().section("materials")) names.push_back(material.name);
  for (const Material& material : built_in_materials()) names.emplace_back(material.name);
  std::string hint = did_you_mean(*name, names);
  if (hint.empty()) hint = "define it under `materials:`, or see `gelenk help materials`";
  diagnostics_.error(Code::unknown_material, part.range_of("material"), fmt::format("unknown material '{}'", *name),
                     hint);
  return std::nullopt;
}

bool Expansion::has_sound_mass(const MassProperties& from_shape, const Object& part) {
  if (from_shape.mass > 0.0 && std::isfinite(from_shape.mass) && from_shape.inertia.allFinite()) return true;
  const auto& written = part.section("shape");
  const bool has_hole =
      std::any_of(written.begin(), written.end(), [](const Object& o) { return o.flag("hole", false); });
  if (!std::isfinite(from_shape.mass) || !from_shape.inertia.allFinite()) {
    diagnostics_.error(Code::not_finite, part.range_of("shape"), "the mass of the shape is not finite",
                       "it is far too large: check the units");
  } else {
    diagnostics_.error(Code::bad_shape, part.range_of("shape"),
                       has_hole ? "the holes remove more than there is" : "the shape is too small to have a mass",
                       has_hole ? "" : "check the units");
  }
  return false;
}

std::optional<MassProperties> Expansion::mass_properties(Instance& scope, std::size_t number_of_part, PartNode& part) {
  const Object& written = scope.object().section("parts")[number_of_part];
  const Value* mass_value = written.value("mass");
  const Object* inertia = written.object("inertia");
  const bool has_shape = written.find("shape") != nullptr;
  const bool has_density = written.find("density") != nullptr || written.find("material") != nullptr;
  const bool is_absent = !has_shape && (mass_value == nullptr || inertia == nullptr);
  // Every piece is looked at, whatever is wrong with the others: a user mends them all at once.
  bool is_sound = true;
  std::optional<DensityUsed> used = DensityUsed{kAssumedDensity, false};
  const bool needs_density = has_shape && mass_value == nullptr && !written.is_incomplete;
  if (needs_density || (has_density && (has_shape || written.is_incomplete))) used = density(written, scope);
  is_sound = is_sound && used;
  std::optional<double> mass;
  if (mass_value != nullptr) mass = number(*mass_value, field_of(written, "mass"), scope);
  is_sound = is_sound && (mass || mass_value == nullptr);
  std::optional<Vector3> center;
  if (const Value* point = written.value("center_of_mass")) {
    center = point_on_part(*point, field_of(written, "center_of_mass"), scope, number_of_part);
    is_sound = is_sound && center;
  }
  std::optional<Matrix3> tensor;
  if (inertia != nullptr) tensor = inertia_tensor(*inertia, scope);
  is_sound = is_sound && (tensor || inertia == nullptr);

  if (written.is_incomplete && (is_absent || has_shape || inertia->is_incomplete)) return std::nullopt;
  if (is_absent) {
    diagnostics_.error(Code::no_mass_properties, written.name_range,
                       mass_value == nullptr ? "the part has no mass" : "the part has a mass, but no inertia",
                       "give `mass` and `inertia`, or `shape` and `material`");
    return std::nullopt;
  }
  // A shape that is missing here was reported already.
  if (has_shape && part.shapes.size() != written.value("shape")->get<Value::Objects>()->size()) return std::nullopt;
  if (!is_sound) return std::nullopt;

  MassProperties result;
  if (has_shape) {
    result = geometry::mass_properties(part.shapes, used->value);
    if (!has_sound_mass(result, written)) return std::nullopt;
  }
  part.mass_source = has_shape && used->is_assumed ? MassSource::shape_with_assumed_density : MassSource::shape;
  if (mass) {
    part.mass_source = MassSource::given;
    if (has_shape) {
      const double relative = std::abs(*mass - result.mass) / result.mass;
      if (has_density && relative > kMassDifferenceToMention) {
        diagnostics_.warning(Code::given_differs_from_shape, mass_value->range,
                             fmt::format("the given mass is {}, but shape and material give {}: a difference of {} %",
                                         in_kilograms(*mass), in_kilograms(result.mass), std::round(100.0 * relative)),
                             "the given mass is used");
      }
      const Vector3 of_shape = result.center;
      result = scaled(result, *mass / result.mass);
      result.center = of_shape;
    }
    result.mass = *mass;
  }
  if (center) result.center = *center;
  if (tensor) result.inertia = *tensor;
  return result;
}

std::optional<Matrix3> Expansion::inertia_tensor(const Object& inertia, Instance& scope) {
  const std::array<std::string_view, 6> keys{"xx", "yy", "zz", "xy", "xz", "yz"};
  std::array<double, 6> values{};
  bool is_sound = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::optional<double> value = number_or(inertia, keys[i], 0.0, scope);
    is_sound = is_sound && value;
    values[i] = value.value_or(0.0);
  }
  if (!is_sound) return std::nullopt;
  Matrix3 tensor;
  tensor << values[0], values[3], values[4], values[3], values[1], values[5], values[4], values[5], values[2];
  return tensor;
}

void Expansion::check_mass_properties(const Object& written, const PartNode& part) {
  const InertiaCheck check = check_inertia(part.mass_properties.inertia);
  const SourceRange where = written.range_of("inertia");
  const auto moments =
      fmt::format("{}, {}, {} kg*m^2", format_rounded(check.principal_moments[0], 4),
                  format_rounded(check.principal_moments[1], 4), format_rounded(check.principal_moments[2], 4));
  if (!check.positive_definite) {
    const bool is_bad_diagonal = !(part.mass_properties.inertia.diagonal().minCoeff() > 0.0);
    diagnostics_.error(Code::inertia_not_positive, where,
                       fmt::format("the inertia is not positive definite: its principal moments are {}", moments),
                       is_bad_diagonal
                           ? "xx, yy and zz are positive for every body"
                           : "xy is the tensor element -∫xy dm; some programs write it with the other sign");
    return;
  }
  // The equations of motion take such a tensor as any other, and textbooks use them: told, not refused.
  if (!check.triangle_inequality) {
    diagnostics_.warning(
        Code::inertia_triangle, where,
        fmt::format("no body can have the principal moments {}: the largest exceeds the sum of the others", moments),
        "it is used as given; check the axes and that the inertia is about the center of mass");
    return;
  }
  if (written.find("inertia") == nullptr) return;
  // Radius of gyration against what is known of the size of the part: its shape, else its frames.
  geometry::Bounds bounds = geometry::bounds(part.shapes);
  const bool has_shape = !bounds.is_empty();
  if (!has_shape) {
    bounds.add(Vector3(Vector3::Zero()));
    bounds.add(part.mass_properties.center);
    // Its frames were added last.
    for (auto it = machine_.frames.rbegin(); it != machine_.frames.rend(); ++it) {
      if (!it->frame.part.is_set() || &machine_.parts[it->frame.part.index()] != &part) break;
      bounds.add(it->frame.X_PF.position);
    }
  }
  const double size = bounds.diagonal();
  const double gyration = std::sqrt(check.principal_moments[2] / part.mass_properties.mass);
  // mm/m confusion is a factor 1000 in length; a factor 30 either way leaves room for odd but honest parts.
  constexpr double kOutOfScale = 30.0;
  constexpr double kAlwaysSuspect = 1000.0;  // m: no machine part turns like that
  // Frames and center of mass may all be near the origin of an honest part; a radius of gyration of more than 1 mm that
  // was written in the wrong unit is more than this, m.
  constexpr double kSuspectWithoutShape = 1.0;
  const bool is_beyond_size = size > 0.0 && gyration > kOutOfScale * size;
  const bool is_large = (is_beyond_size && (has_shape || gyration > kSuspectWithoutShape)) || gyration > kAlwaysSuspect;
  // A small weight far from its pivot is honest: only a shape tells that the inertia is too small.
  const bool is_small = has_shape && gyration * kOutOfScale < size;
  if (!is_large && !is_small) return;
  diagnostics_.warning(Code::inertia_out_of_scale, where,
                       fmt::format("the inertia is that of a body about {} m across, but the part is about {} m",
                                   format_rounded(2.0 * gyration, 2), format_rounded(size, 2)),
                       is_large ? "is it in kg*mm^2? numbers without a unit are in kg*m^2, a million times as much"
                                : "check the unit: 1 kg*m^2 is 1e6 kg*mm^2");
}

void Expansion::fill_part(Instance& instance, std::size_t number_of_part) {
  const Object& written = instance.object().section("parts")[number_of_part];
  const PartId id = instance.part_ids[number_of_part];
  if (!id.is_set()) return;
  const ElementScope element(diagnostics_, element_path(instance, written.name), "part");
  AssemblyNode& node = machine_.assemblies[instance.id.index()];
  PartNode part = machine_.parts[id.index()];
  const std::optional<Pose> X_AP = part_pose(instance, number_of_part);
  if (X_AP) part.X_WP = node.X_WA * mirrored(*X_AP, node.mirror);
  if (!part.X_WP.position.allFinite() || !part.X_WP.rotation.allFinite()) {
    diagnostics_.error(Code::not_finite, written.range_of("at"), "its position is not finite",
                       "it is much too far away: check the units");
  }
  for (const Object& frame : written.section("frames")) {
    const std::optional<Pose> X_PF = frame_on_part(instance, number_of_part, frame);
    if (X_PF) {
      machine_.frames.push_back({part.path + "." + frame.name, {id, mirrored(*X_PF, node.mirror)}, frame.name_range});
    }
  }
  part.shapes = shapes(written, instance, number_of_part);
  if (const std::optional<MassProperties> mass = mass_properties(instance, number_of_part, part)) {
    part.mass_properties = mass->mirrored(node.mirror);
    for (geometry::Shape& one : part.shapes) one = geometry::mirrored(one, node.mirror);
    machine_.parts[id.index()] = part;
    check_mass_properties(written, machine_.parts[id.index()]);
  }
  if (const Object* start = written.object("start")) {
    const auto velocity = [&](std::string_view key, bool is_axial) -> Vector3 {
      const Value* value = start->value(key);
      if (value == nullptr) return Vector3::Zero();
      const Vector3 as_written = vector(*value, field_of(*start, key), instance).value_or(Vector3::Zero());
      const double sign = is_axial && node.is_mirrored ? -1.0 : 1.0;
      return sign * (node.world_mirror * as_written);
    };
    PartNode& stored = machine_.parts[id.index()];
    stored.start_velocity = velocity("velocity", false);
    stored.start_angular_velocity = velocity("angular_velocity", true);
    stored.has_start_velocity = start->value("velocity") != nullptr;
    stored.has_start_angular_velocity = start->value("angular_velocity") != nullptr;
  }
}

void Expansion::add_parts(Instance& instance) {
  const std::vector<Object>& written = instance.object().section("parts");
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i].flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const PartId id(machine_.parts.size());
    instance.part_ids[i] = id;
    machine_.assemblies[instance.id.index()].parts.push_back(id);
    PartNode& part = machine_.parts.emplace_back();
    part.path = element_path(instance, written[i].name);
    part.assembly = instance.id;
    part.where = written[i].name_range;
    elements_.emplace(part.path, ElementRef{ChannelUse::Element::part, id.index()});
  }
}

}  // namespace gelenk::model::expanding
