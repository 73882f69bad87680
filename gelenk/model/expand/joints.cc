// Joints: their frames on the two parts, mirrored where the assembly is, and their start values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/named_values.h"

namespace gelenk::model::expanding {
namespace {

// Two axes of a universal joint may miss the right angle by what rounded numbers in a file leave, not more.
constexpr double kPerpendicularTolerance = 1e-6;

Matrix3 sign_matrix(const AxisSigns& signs) { return Vector3(signs.x, signs.y, signs.z).asDiagonal(); }

// The joint frame after the assembly's coordinates went through S. A mirror would make it left-handed: the joint type
// says which of its axes to turn around so that its coordinates keep their meaning.
Pose through_mirror(const Pose& X_AJ, const Matrix3& S, const ObjectType& type) {
  const Matrix3 R = S * X_AJ.rotation;
  const Vector3 p = S * X_AJ.position;
  return {S.determinant() < 0.0 ? Matrix3(R * sign_matrix(type.mirror_axes)) : R, p};
}

}  // namespace

std::optional<Expansion::JointAxes> Expansion::axes_on_both(const Object& written, Instance& scope) {
  const std::optional<Matrix3> axes = joint_axes(written, scope);
  if (!axes || written.type != &kRolling) return axes ? std::optional(JointAxes{*axes, *axes}) : std::nullopt;
  const Value* normal = written.value("normal");
  if (normal == nullptr) return JointAxes{Matrix3::Identity(), *axes};
  const std::optional<Vector3> z = direction(*normal, "normal", scope);
  if (!z) return std::nullopt;
  return JointAxes{rotation_with_z(*z), *axes};
}

// X_AB: the disk in the frame of the plane.
void Expansion::check_disk(const Object& written, const Pose& X_AB) {
  if (X_AB.position.z() < 0.0) {
    diagnostics_.warning(Code::out_of_range,
                         written.find("normal") != nullptr ? written.range_of("normal") : written.name_range,
                         fmt::format("its disk is drawn behind the plane: the center is at {} along `normal`",
                                     shown_quantity(machine_.display, X_AB.position.z(), Quantity::length, 4)),
                         "`normal` points from the plane to the disk: reverse it, or check the two frames");
  }
  const double sine = X_AB.rotation.col(2).head<2>().norm();
  if (sine >= kFlattestDisk) return;
  diagnostics_.error(Code::disk_lies_flat, written.range_of("axis"),
                     fmt::format("its disk is drawn flat on the plane: the angle between `axis` and `normal` is {} deg",
                                 format_rounded(std::asin(sine) * 180.0 / 3.14159265358979323846, 3)),
                     "a disk that lies flat has no lowest point to roll on: turn the disk up, or check `axis` (in the "
                     "axes of the second frame) and `normal` (in those of the first)");
}

// A blade holds its part sideways only: without another joint the part floats.
void Expansion::check_blades() {
  std::vector<char> is_carried(machine_.parts.size(), 0);
  const auto carry = [&](const FrameOnPart& frame) {
    if (frame.part.is_set()) is_carried[frame.part.index()] = 1;
  };
  for (const JointNode& joint : machine_.joints) {
    if (joint.type == &kKnifeEdge) continue;
    carry(joint.a);
    carry(joint.b);
  }
  for (const PortNode& port : machine_.ports) carry(port.frame);
  for (const JointNode& blade : machine_.joints) {
    if (blade.type != &kKnifeEdge) continue;
    const PartId part = blade.b.part.is_set() ? blade.b.part : blade.a.part;
    if (!part.is_set() || is_carried[part.index()] != 0) continue;
    const ElementScope element(diagnostics_, blade.path, "joint");
    diagnostics_.warning(Code::blade_without_plane, blade.where,
                         fmt::format("nothing keeps its blade on a plane: part '{}' has no other joint",
                                     machine_.parts[part.index()].path),
                         "add a `planar` joint between the same two parts, or another one that carries the part");
  }
}

std::optional<Matrix3> Expansion::joint_axes(const Object& written, Instance& scope) {
  const Value* axis = written.value("axis");
  if (axis == nullptr) return Matrix3::Identity();
  const std::optional<Vector3> z = direction(*axis, "axis", scope);
  if (!z) return std::nullopt;
  const Value* second = written.value("second_axis");
  if (second == nullptr) {
    // x of a planar joint: the first of x, y, z that is not along the normal.
    for (int i = 0; i < 3; ++i) {
      if (std::abs((*z)[i]) < 0.9) return rotation_with_z_x(*z, Vector3::Unit(i));
    }
    return rotation_with_z(*z);
  }
  const std::optional<Vector3> x = direction(*second, "second_axis", scope);
  if (!x) return std::nullopt;
  const double cosine = std::abs(z->dot(*x));
  if (cosine > kPerpendicularTolerance) {
    diagnostics_.error(
        Code::axes_not_perpendicular, second->range,
        fmt::format("`axis` and `second_axis` must be perpendicular, but are at {} deg",
                    format_rounded(std::acos(std::min(1.0, cosine)) * 180.0 / 3.14159265358979323846, 4)));
    return std::nullopt;
  }
  return rotation_with_z_x(*z, *x);
}

bool Expansion::is_usable(const Object& written, const FrameInAssembly& a, const FrameInAssembly& b) {
  if (a.is_disabled || b.is_disabled) {
    std::string_view key = "to";
    for (const std::string_view other : {"between", "applied_to"}) {
      if (written.find(other) != nullptr) key = other;
    }
    const Object& part = *(a.is_disabled ? a : b).written_part;
    Diagnostic& d =
        diagnostics_.error(Code::unknown_reference, written.range_of(key),
                           fmt::format("part '{}' is disabled", part.name), "enable it, or disable this too");
    d.notes.push_back({part.range_of("enabled"), fmt::format("'{}' is disabled here", part.name)});
    return false;
  }
  if (a.part == b.part && a.sealed == b.sealed) {
    diagnostics_.error(Code::joint_to_itself, written.range_of(written.find("between") != nullptr ? "between" : "to"),
                       a.part.is_set()
                           ? fmt::format("both ends are on the part '{}'", machine_.parts[a.part.index()].path)
                           : std::string("both ends are on the ground"),
                       "it must act between two different parts, or a part and the ground");
    return false;
  }
  return true;
}

FrameOnPart Expansion::joint_frame(const FrameInAssembly& frame, const Pose& X_AJ, Instance& scope,
                                   const ObjectType& type) {
  const AssemblyNode& node = machine_.assemblies[scope.id.index()];
  if (frame.port) {
    const Pose X_QJ = through_mirror(frame.port->X_AF.inverse() * X_AJ, node.mirror, type);  // Q: the port
    return {frame.part, frame.port->frame.X_PF * X_QJ};
  }
  // On the ground the assembly's own frame is the reference.
  const bool is_on_ground = !frame.part.is_set() && !frame.sealed.is_set();
  const Pose X_PJ = is_on_ground ? X_AJ : frame.X_AP.inverse() * X_AJ;
  const Pose after = through_mirror(X_PJ, node.mirror, type);
  return {frame.part, is_on_ground ? node.X_WA * after : after, frame.sealed};
}

void Expansion::read_coordinates(const Object& written, Instance& scope, bool is_mirrored, JointNode& joint) {
  const auto find = [&](const std::string& name, bool& is_rate) -> std::size_t {
    for (std::size_t i = 0; i < joint.type->coordinates.size(); ++i) {
      const Coordinate& coordinate = joint.type->coordinates[i];
      is_rate = coordinate.rate == name;
      if (is_rate || coordinate.name == name) return i;
    }
    return 0;
  };
  const auto sign_of = [&](std::size_t i) { return is_mirrored ? mirror_sign(*joint.type, i) : 1.0; };
  for (const std::string_view key : {"start", "guess"}) {
    for (const Object& entry : written.section(key)) {
      CoordinateStart start;
      start.coordinate = find(entry.name, start.is_rate);
      const Property& property = entry.properties.front();
      if (property.field->kind == FieldKind::object) {
        const std::optional<Matrix3> R = orientation(*entry.object("value"), scope, {});
        if (!R) continue;
        const Quaternion q = quaternion_from_rotation(*R);
        start.value = {q.w(), q.x(), q.y(), q.z()};
      } else if (property.field->kind == FieldKind::vector) {
        const std::optional<Vector3> v = vector(property.value, *property.field, scope);
        if (!v) continue;
        start.value = {v->x(), v->y(), v->z(), 0.0};
      } else {
        const std::optional<double> value =
            number(property.value, entry.name, property.field->quantity, property.field->range, scope, {});
        if (!value) continue;
        start.value[0] = sign_of(start.coordinate) * *value;
      }
      (key == "start" ? joint.start : joint.guess).push_back(start);
    }
  }
  for (const Object& entry : written.section("limits")) {
    CoordinateLimit limit;
    limit.coordinate = find(entry.name, limit.is_rate);
    const auto bound = [&](std::string_view key) -> std::optional<double> {
      const Value* value = entry.value(key);
      return value == nullptr ? std::nullopt : number(*value, field_of(entry, key), scope);
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::optional<double> min = bound("min");
    const std::optional<double> max = bound("max");
    if (min.value_or(-kInfinity) > max.value_or(kInfinity)) {
      diagnostics_.error(Code::out_of_range, entry.range, fmt::format("the limits of '{}' are reversed", entry.name),
                         "`min` must not be above `max`");
    }
    const bool is_turned = sign_of(limit.coordinate) < 0.0;
    if (min) (is_turned ? limit.max : limit.min) = is_turned ? -*min : *min;
    if (max) (is_turned ? limit.min : limit.max) = is_turned ? -*max : *max;
    joint.limits.push_back(limit);
  }
}

void Expansion::finish_joint(Instance& scope, const Object& written, const JointPlace& place, std::string path) {
  JointNode joint;
  joint.path = std::move(path);
  joint.assembly = scope.id;
  joint.type = written.type;
  joint.where = written.name_range;
  joint.data = make_data<JointData>(written.type);
  if (written.type == &kRolling) {
    check_disk(written, place.X_AJa.inverse() * place.X_AJb);
    const std::string* slip = written.text("slip");
    if (slip != nullptr && *slip == "sideways") joint.type = &kRollingThatSlips;
  }
  joint.a = joint_frame(place.a, place.X_AJa, scope, *written.type);
  joint.b = joint_frame(place.b, place.X_AJb, scope, *written.type);
  for (const Property& property : written.properties) {
    if (property.field->store == nullptr) continue;
    const std::optional<double> value = number(property.value, *property.field, scope);
    if (value) property.field->store(data_pointer(joint.data), *value);
  }
  if (auto* rod = std::get_if<Distance>(&joint.data)) {
    if (rod->length == 0.0) rod->length = (place.X_AJa.position - place.X_AJb.position).norm();
    if (!(rod->length > 0.0)) {
      diagnostics_.error(Code::out_of_range, written.name_range, "the two ends of the rod are drawn in the same place",
                         "give its `length`");
    }
  }
  // The first frame is mirrored as F' = T F Tᵀ, the joint frame by its type's rule.
  const Matrix3 T = machine_.assemblies[scope.id.index()].mirror * place.mirror;
  joint.R_FJ = through_mirror({place.R_FJ, Vector3::Zero()}, T, *written.type).rotation;
  joint.compliance = number_or(written, "compliance", 1.0, scope).value_or(1.0);
  const bool is_mirrored = T.determinant() < 0.0;
  read_coordinates(written, scope, is_mirrored, joint);
  const JointId id(machine_.joints.size());
  machine_.assemblies[scope.id.index()].joints.push_back(id);
  elements_.emplace(joint.path, ElementRef{ChannelUse::Element::joint, id.index()});
  machine_.joints.push_back(std::move(joint));
}

void Expansion::add_joint(Instance& scope, const Object& written, std::string path) {
  if (written.type->primitives.empty()) return;  // couples coordinates; declared only, already refused
  const auto* between = written.value("between") == nullptr ? nullptr : written.value("between")->get<Value::List>();
  if (between == nullptr) return;
  const auto resolve = [&](const Value& value) { return resolve_frame(*value.get<std::string>(), scope, value.range); };
  const std::optional<FrameInAssembly> a = resolve((*between)[0]);
  const std::optional<FrameInAssembly> b = resolve((*between)[1]);
  const std::optional<JointAxes> Q = axes_on_both(written, scope);
  if (!a || !b || !Q || !is_usable(written, *a, *b)) return;
  const Pose axes{Q->a, Vector3::Zero()};
  JointPlace place{*a, *b, a->X_AF * axes, b->X_AF * Pose{Q->b, Vector3::Zero()}, Q->a};
  if (const Value* at = written.value("at")) {
    if (std::holds_alternative<Distance>(make_data<JointData>(written.type))) {
      diagnostics_.error(Code::conflicting_keys, at->range, "`at` does not apply to a rod, which has two ends",
                         "name the frames of both ends in `between`");
      return;
    }
    if (written.type == &kRolling) {
      diagnostics_.error(Code::conflicting_keys, at->range,
                         "`at` does not apply to a disk, whose center is not on the plane",
                         "name a frame on the plane and one in the center of the disk in `between`");
      return;
    }
    const std::optional<Pose> X_AJ = placement(*at, field_of(written, "at"), scope, {}, frames_of(scope));
    if (!X_AJ) return;
    place.X_AJa = place.X_AJb = *X_AJ * axes;
  }
  finish_joint(scope, written, place, std::move(path));
}

void Expansion::add_joints(Instance& instance) {
  for (const Object& written : instance.object().section("joints")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const std::string path = element_path(instance, written.name);
    const ElementScope element(diagnostics_, path, "joint");
    if (written.type->declared_only) {
      diagnostics_.error(
          Code::declared_only, written.range_of("type"),
          fmt::format("a {} joint is described in the format but cannot be simulated yet", written.type->name),
          "`enabled: false` keeps it in the file");
      continue;
    }
    add_joint(instance, written, path);
  }
  for (const std::vector<Instance*>& row : instance.children) {
    for (Instance* child : row) add_attachments(instance, *child);
  }
}

void Expansion::add_attachments(Instance& scope, Instance& child) {
  for (const Object& written : child.plan->effective.section("attach")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const ElementScope element(diagnostics_, child.path + "." + written.name, "attachment");
    if (written.type->declared_only) {
      diagnostics_.error(
          Code::declared_only, written.range_of("type"),
          fmt::format("a {} joint is described in the format but cannot be simulated yet", written.type->name),
          "`enabled: false` keeps it in the file");
      continue;
    }
    add_attachment(scope, child, written);
  }
}

// A joint between a frame F of the owner, first, and a port of the child. For a mirror image it is built on the side of
// the source and then mirrored as a whole, so that both sides are alike to the last bit.
void Expansion::add_attachment(Instance& scope, Instance& child, const Object& written) {
  const std::string* to = written.text("to");
  std::string_view key = "to";
  if (to == nullptr) return;
  const bool is_first = child.repeat_index.has_value() && child.previous == nullptr;
  if (is_first && split(*to, '.').front() == "previous") {
    to = written.text("first_to");
    key = "first_to";
    if (to == nullptr) return;
  }
  const SourceRange where = written.range_of(key);
  const std::optional<FrameInAssembly> a = resolve_frame(*to, scope, where, &child, true);
  const std::optional<FrameInAssembly> b = frame_of_port(child, {written.name}, written.name_range, true);
  const std::optional<JointAxes> Q = axes_on_both(written, scope);
  if (!a || !b || !Q || !is_usable(written, *a, *b)) return;
  JointPlace place{*a, *b, a->X_AF * Pose{Q->a, Vector3::Zero()}, b->X_AF * Pose{Q->b, Vector3::Zero()}, Q->a};
  const bool has_two_places =
      std::holds_alternative<Distance>(make_data<JointData>(written.type)) || written.type == &kRolling;
  if (a->is_whole_part && !has_two_places) {
    // Joined where the port is drawn, with the axes of the owner's part.
    place.X_AJa = place.X_AJb = Pose{a->X_AF.rotation * Q->a, b->X_AF.position};
  }
  const Matrix3& S = child.plan->mirror;
  place.X_AJa = through_mirror(place.X_AJa, S, *written.type);
  place.X_AJb = through_mirror(place.X_AJb, S, *written.type);
  place.mirror = S;
  finish_joint(scope, written, place, child.path + "." + written.name);
}

}  // namespace gelenk::model::expanding
