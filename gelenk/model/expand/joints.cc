#include "gelenk/model/expand/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/model/expand/curves.h"
#include "gelenk/model/expand/ends.h"
#include "gelenk/model/expand/joint_axes.h"
#include "gelenk/model/expand/joint_values.h"

namespace gelenk::model::expanding {
namespace {

// X_AB: the disk in the frame of the plane.
void check_disk(const Object& written, const Pose& X_AB, const Display& display, Diagnostics& diagnostics) {
  if (X_AB.position.z() < 0.0) {
    diagnostics.warning(Code::out_of_range,
                        written.find("normal") != nullptr ? written.range_of("normal") : written.name_range,
                        fmt::format("its disk is drawn behind the plane: the center is at {} along `normal`",
                                    shown_quantity(display, X_AB.position.z(), Quantity::length, 4)),
                        "`normal` points from the plane to the disk: reverse it, or check the two frames");
  }
  const double sine = X_AB.rotation.col(2).head<2>().norm();
  if (sine >= kFlattestDisk) return;
  diagnostics.error(Code::disk_lies_flat, written.range_of("axis"),
                    fmt::format("its disk is drawn flat on the plane: the angle between `axis` and `normal` is {} deg",
                                format_rounded(std::asin(sine) * 180.0 / 3.14159265358979323846, 3)),
                    "a disk that lies flat has no lowest point to roll on: turn the disk up, or check `axis` (in the "
                    "axes of the second frame) and `normal` (in those of the first)");
}

bool has_curve(const ObjectType& type) { return &type == &kPointOnCurve || &type == &kPath; }

std::shared_ptr<const Curve>* curve_in(JointData& data) {
  if (auto* point = std::get_if<PointOnCurve>(&data)) return &point->curve;
  if (auto* path = std::get_if<Path>(&data)) return &path->curve;
  return nullptr;
}

class JointPass {
 public:
  JointPass(Numbers& numbers, Places& places, Machine& machine, Elements& elements, Diagnostics& diagnostics)
      : numbers_(numbers), places_(places), machine_(machine), elements_(elements), diagnostics_(diagnostics) {}

  void add_joints(Instance& instance);

 private:
  struct JointPlace {
    FrameInAssembly a, b;                  // parts and frames
    Pose X_AJa, X_AJb;                     // joint frames in the assembly's coordinates
    Matrix3 R_FJ;                          // joint axes in the first frame's axes
    Matrix3 mirror = Matrix3::Identity();  // of a mirror image in the assembly, already applied to the joint frames
  };
  void add_joint(Instance& scope, const Object& written, std::string path);
  void add_attachments(Instance& scope, Instance& child);
  void add_attachment(Instance& scope, Instance& child, const Object& written);
  void check_angle(const Object& written, const JointPlace& place, ConstantAngle& held);
  void finish_joint(Instance& scope, const Object& written, const JointPlace& place, std::string path);
  FrameOnPart joint_frame(const FrameInAssembly& frame, const Pose& X_AJ, Instance& scope, const ObjectType& type);

  Numbers& numbers_;
  Places& places_;
  Machine& machine_;
  Elements& elements_;
  Diagnostics& diagnostics_;
};

FrameOnPart JointPass::joint_frame(const FrameInAssembly& frame, const Pose& X_AJ, Instance& scope,
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

// As drawn where it is not given; an angle at which the axes are parallel is not held by one row.
void JointPass::check_angle(const Object& written, const JointPlace& place, ConstantAngle& held) {
  const bool is_given = written.find("angle") != nullptr;
  if (!is_given) {
    held.angle = std::acos(std::clamp(place.X_AJa.rotation.col(2).dot(place.X_AJb.rotation.col(2)), -1.0, 1.0));
  }
  if (std::sin(held.angle) >= kSmallestSineOfAngle) return;
  diagnostics_.error(
      Code::out_of_range, is_given ? written.range_of("angle") : written.name_range,
      fmt::format("it cannot hold an angle of {} deg{}", format_rounded(held.angle * 180.0 / 3.14159265358979323846, 4),
                  is_given ? "" : ", at which its axes are drawn"),
      "angles are above 0 and below 180 deg; axes that stay parallel are a `parallel_axes` joint");
}

void JointPass::finish_joint(Instance& scope, const Object& written, const JointPlace& place, std::string path) {
  JointNode joint;
  joint.path = std::move(path);
  joint.assembly = scope.id;
  joint.type = written.type;
  joint.where = written.name_range;
  joint.data = make_data<JointData>(written.type);
  if (written.type == &kRolling) {
    check_disk(written, place.X_AJa.inverse() * place.X_AJb, machine_.display, diagnostics_);
    const std::string* slip = written.text("slip");
    if (slip != nullptr && *slip == "sideways") joint.type = &kRollingThatSlips;
  }
  joint.a = joint_frame(place.a, place.X_AJa, scope, *written.type);
  joint.b = joint_frame(place.b, place.X_AJb, scope, *written.type);
  for (const Property& property : written.properties) {
    if (property.field->store == nullptr) continue;
    const std::optional<double> value = numbers_.number(property.value, *property.field, scope);
    if (value) property.field->store(data_pointer(joint.data), *value);
  }
  if (auto* rod = std::get_if<Distance>(&joint.data)) {
    if (rod->length == 0.0) rod->length = (place.X_AJa.position - place.X_AJb.position).norm();
    if (!(rod->length > 0.0)) {
      diagnostics_.error(Code::out_of_range, written.name_range, "the two ends of the rod are drawn in the same place",
                         "give its `length`");
    }
  }
  if (auto* held = std::get_if<ConstantAngle>(&joint.data)) check_angle(written, place, *held);
  // The first frame is mirrored as F' = T F Tᵀ, the joint frame by its type's rule.
  const Matrix3 T = machine_.assemblies[scope.id.index()].mirror * place.mirror;
  if (std::shared_ptr<const Curve>* const curve = curve_in(joint.data)) {
    *curve = read_curve(written, scope, numbers_, diagnostics_);
    const AxisSigns& signs = written.type->mirror_axes;
    if (T.determinant() < 0.0) {
      *curve = std::make_shared<const Curve>((*curve)->reflected({signs.x * 1.0, signs.y * 1.0, signs.z * 1.0}));
    }
  }
  joint.R_FJ = through_mirror({place.R_FJ, Vector3::Zero()}, T, *written.type).rotation;
  joint.compliance = numbers_.number_or(written, "compliance", 1.0, scope).value_or(1.0);
  const bool is_mirrored = T.determinant() < 0.0;
  read_coordinates(written, scope, is_mirrored, joint, numbers_, diagnostics_);
  const JointId id(machine_.joints.size());
  machine_.assemblies[scope.id.index()].joints.push_back(id);
  elements_.emplace(joint.path, ElementRef{ChannelUse::Element::joint, id.index()});
  machine_.joints.push_back(std::move(joint));
}

void JointPass::add_joint(Instance& scope, const Object& written, std::string path) {
  const CouplingType* const coupling = written.type->coupling;
  if (coupling != nullptr && !coupling->keys.empty()) return;  // of coordinates of others: add_couplings()
  const auto* between = written.value("between") == nullptr ? nullptr : written.value("between")->get<Value::List>();
  if (between == nullptr) return;
  const auto resolve = [&](const Value& value) {
    return places_.resolve_frame(*value.get<std::string>(), scope, value.range);
  };
  const std::optional<FrameInAssembly> a = resolve((*between)[0]);
  const std::optional<FrameInAssembly> b = resolve((*between)[1]);
  const std::optional<JointAxes> Q = axes_on_both(written, scope, numbers_, diagnostics_);
  if (!a || !b || !Q || !is_usable(written, *a, *b, machine_.parts, diagnostics_)) return;
  const Pose axes{Q->a, Vector3::Zero()};
  JointPlace place{*a, *b, a->X_AF * axes, b->X_AF * Pose{Q->b, Vector3::Zero()}, Q->a};
  if (const Value* at = written.value("at")) {
    if (std::holds_alternative<Distance>(make_data<JointData>(written.type))) {
      diagnostics_.error(Code::conflicting_keys, at->range, "`at` does not apply to a rod, which has two ends",
                         "name the frames of both ends in `between`");
      return;
    }
    if (has_curve(*written.type)) {
      diagnostics_.error(Code::conflicting_keys, at->range,
                         "`at` does not apply to a curve, which lies in the first frame",
                         "name the frame of the curve and the one that follows it in `between`");
      return;
    }
    if (written.type == &kRolling) {
      diagnostics_.error(Code::conflicting_keys, at->range,
                         "`at` does not apply to a disk, whose center is not on the plane",
                         "name a frame on the plane and one in the center of the disk in `between`");
      return;
    }
    const std::optional<Pose> X_AJ = places_.placement_in(*at, field_of(written, "at"), scope);
    if (!X_AJ) return;
    place.X_AJa = *X_AJ * axes;
    place.X_AJb = *X_AJ * Pose{Q->b, Vector3::Zero()};
  }
  finish_joint(scope, written, place, std::move(path));
}

void JointPass::add_joints(Instance& instance) {
  for (const Object& written : instance.object().section("joints")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const std::string path = element_path(instance, written.name);
    const ElementScope element(diagnostics_, path, "joint");
    add_joint(instance, written, path);
  }
  for (const std::vector<Instance*>& row : instance.children) {
    for (Instance* child : row) add_attachments(instance, *child);
  }
}

void JointPass::add_attachments(Instance& scope, Instance& child) {
  for (const Object& written : child.plan->effective.section("attach")) {
    if (!written.flag("enabled", true)) {
      ++machine_.disabled_count;
      continue;
    }
    const ElementScope element(diagnostics_, child.path + "." + written.name, "attachment");
    add_attachment(scope, child, written);
  }
}

// A joint between a frame F of the owner, first, and a port of the child. For a mirror image it is built on the side of
// the source and then mirrored as a whole, so that both sides are alike to the last bit.
void JointPass::add_attachment(Instance& scope, Instance& child, const Object& written) {
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
  const std::optional<FrameInAssembly> a = places_.resolve_frame(*to, scope, where, &child, true);
  const std::optional<FrameInAssembly> b = places_.frame_of_port(child, {written.name}, written.name_range, true);
  const std::optional<JointAxes> Q = axes_on_both(written, scope, numbers_, diagnostics_);
  if (!a || !b || !Q || !is_usable(written, *a, *b, machine_.parts, diagnostics_)) return;
  JointPlace place{*a, *b, a->X_AF * Pose{Q->a, Vector3::Zero()}, b->X_AF * Pose{Q->b, Vector3::Zero()}, Q->a};
  const bool has_two_places = std::holds_alternative<Distance>(make_data<JointData>(written.type)) ||
                              written.type == &kRolling || has_curve(*written.type);
  if (a->is_whole_part && !has_two_places) {
    // Joined where the port is drawn, with the axes of the owner's part.
    place.X_AJa = Pose{a->X_AF.rotation * Q->a, b->X_AF.position};
    place.X_AJb = Pose{a->X_AF.rotation * Q->b, b->X_AF.position};
  }
  const Matrix3& S = child.plan->mirror;
  place.X_AJa = through_mirror(place.X_AJa, S, *written.type);
  place.X_AJb = through_mirror(place.X_AJb, S, *written.type);
  place.mirror = S;
  finish_joint(scope, written, place, child.path + "." + written.name);
}

}  // namespace

void add_joints(Instances& instances, Numbers& numbers, Places& places, Machine& machine, Elements& elements,
                Diagnostics& diagnostics) {
  JointPass pass(numbers, places, machine, elements, diagnostics);
  for (Instance& instance : instances) pass.add_joints(instance);
}

// A blade holds its part sideways only: without another joint the part floats.
void check_blades(const Machine& machine, Diagnostics& diagnostics) {
  std::vector<char> is_carried(machine.parts.size(), 0);
  const auto carry = [&](const FrameOnPart& frame) {
    if (frame.part.is_set()) is_carried[frame.part.index()] = 1;
  };
  for (const JointNode& joint : machine.joints) {
    if (joint.type == &kKnifeEdge) continue;
    carry(joint.a);
    carry(joint.b);
  }
  for (const PortNode& port : machine.ports) carry(port.frame);
  for (const JointNode& blade : machine.joints) {
    if (blade.type != &kKnifeEdge) continue;
    const PartId part = blade.b.part.is_set() ? blade.b.part : blade.a.part;
    if (!part.is_set() || is_carried[part.index()] != 0) continue;
    const ElementScope element(diagnostics, blade.path, "joint");
    diagnostics.warning(Code::blade_without_plane, blade.where,
                        fmt::format("nothing keeps its blade on a plane: part '{}' has no other joint",
                                    machine.parts[part.index()].path),
                        "add a `planar` joint between the same two parts, or another one that carries the part");
  }
}

}  // namespace gelenk::model::expanding
