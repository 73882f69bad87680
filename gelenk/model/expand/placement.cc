// Where things are drawn: parts, frames and instances placed relative to each other in any order.
#include <fmt/format.h>

#include <algorithm>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/scope.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model::expanding {
namespace {

using PoseState = Lazy<Pose>::State;

}  // namespace

bool Expansion::may_follow(const std::string& path, std::string_view kind, const SourceRange& where) {
  const ElementScope element(diagnostics_, path, std::string(kind));
  if (std::find(placement_chain_.begin(), placement_chain_.end(), path) != placement_chain_.end()) {
    diagnostics_.error(Code::placement_cycle, where,
                       "its placement depends on itself: " + circle_text(placement_chain_, path),
                       "give one of these places as numbers");
    return false;
  }
  if (placement_chain_.size() < kMaxChain) return true;
  diagnostics_.error(Code::too_many_elements, where,
                     fmt::format("more than {} places depend on each other in a chain", kMaxChain),
                     "give some of them as numbers, or write first the frames that others are relative to");
  return false;
}

std::optional<Pose> Expansion::once(Lazy<Pose>& slot, const std::string& path, std::string_view kind,
                                    const SourceRange& where, const std::function<std::optional<Pose>()>& compute) {
  if (slot.state == PoseState::done) return slot.value;
  if (slot.state == PoseState::failed || !may_follow(path, kind, where)) return std::nullopt;
  slot.state = PoseState::running;
  placement_chain_.push_back(path);
  std::optional<Pose> pose;
  {
    const ElementScope element(diagnostics_, path, std::string(kind));
    pose = compute();
  }
  placement_chain_.pop_back();
  slot.state = pose ? PoseState::done : PoseState::failed;
  if (pose) slot.value = *pose;
  return pose;
}

std::optional<Matrix3> Expansion::orientation(const Object& object, Instance& scope, const Locals& locals) {
  const auto has = [&](std::string_view key) { return object.find(key) != nullptr; };
  const int axes_given = (has("x") ? 1 : 0) + (has("y") ? 1 : 0) + (has("z") ? 1 : 0);
  const int forms = (has("quaternion") ? 1 : 0) + (has("axis") || has("angle") ? 1 : 0) +
                    (has("angles") || has("sequence") ? 1 : 0) + (axes_given > 0 ? 1 : 0);
  if (forms == 0 && object.is_incomplete) return std::nullopt;
  if (forms != 1) {
    diagnostics_.error(forms == 0 ? Code::missing_key : Code::conflicting_keys, object.range,
                       forms == 0 ? "the orientation is empty" : "the orientation is given in more than one form",
                       "one of: quaternion; axis and angle; angles and sequence; two of x, y, z");
    return std::nullopt;
  }
  const auto refuse = [&](std::string_view why) {
    diagnostics_.error(Code::zero_direction, object.range, std::string(why));
    return std::nullopt;
  };
  if (const Value* value = object.value("quaternion")) {
    const auto& list = *value->get<Value::List>();
    if (list.size() != 4) {
      diagnostics_.error(Code::wrong_length, value->range,
                         fmt::format("a quaternion has 4 numbers, but this has {}", list.size()), "[w, x, y, z]");
      return std::nullopt;
    }
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::optional<double> element = number(list[i], field_of(object, "quaternion"), scope, locals);
      if (!element) return std::nullopt;
      q[i] = *element;
    }
    const std::optional<Matrix3> R = rotation_from_quaternion(Quaternion(q[0], q[1], q[2], q[3]));
    return R ? R : refuse("the quaternion has no length");
  }
  if (has("axis") || has("angle")) {
    if (!has("axis") || !has("angle")) {
      if (object.is_incomplete) return std::nullopt;
      diagnostics_.error(Code::missing_key, object.range, "`axis` and `angle` belong together",
                         has("axis") ? "add the `angle`, such as 30 deg" : "add the `axis`, such as z");
      return std::nullopt;
    }
    const std::optional<Vector3> axis = direction(*object.value("axis"), "axis", scope);
    const std::optional<double> angle = number(*object.value("angle"), field_of(object, "angle"), scope, locals);
    return axis && angle ? rotation_from_axis_angle(*axis, *angle) : std::nullopt;
  }
  if (has("angles") || has("sequence")) {
    if (!has("angles")) {
      if (object.is_incomplete) return std::nullopt;
      diagnostics_.error(Code::missing_key, object.range, "`sequence` needs `angles`",
                         "add the three `angles`, such as [30 deg, 0, 0]");
      return std::nullopt;
    }
    const std::optional<Vector3> angles = vector(*object.value("angles"), field_of(object, "angles"), scope, locals);
    const std::string* sequence = object.text("sequence");
    if (!angles) return std::nullopt;
    const std::optional<Matrix3> R = rotation_from_angles(*angles, sequence == nullptr ? "zyx" : *sequence);
    if (!R) {
      diagnostics_.error(Code::unknown_choice, object.range_of("sequence"),
                         fmt::format("'{}' is not a sequence of three axes", *sequence),
                         "three of x, y, z without equal neighbors, such as zyx or zxz");
    }
    return R;
  }
  if (axes_given != 2) {
    if (object.is_incomplete) return std::nullopt;
    diagnostics_.error(Code::wrong_length, object.range,
                       fmt::format("two axes are needed, but {} given", axes_given == 1 ? "one is" : "three are"),
                       "give two of x, y, z; the third follows");
    return std::nullopt;
  }
  const std::string_view first = has("x") ? "x" : "y";
  const std::string_view second = has("z") ? "z" : "y";
  const std::optional<Vector3> a = direction(*object.value(first), first, scope);
  const std::optional<Vector3> b = direction(*object.value(second), second, scope);
  if (!a || !b) return std::nullopt;
  const auto axis = [](std::string_view name) { return static_cast<Axis>(name.front() - 'x'); };
  const std::optional<Matrix3> R = rotation_from_directions(axis(first), *a, axis(second), *b);
  return R ? R : refuse("the two axes are parallel");
}

std::optional<Pose> Expansion::placement(const Value& value, const Field& field, Instance& scope, const Locals& locals,
                                         const FrameFinder& frame) {
  if (const auto* name = value.get<std::string>()) return frame(*name, value.range);
  if (value.get<Value::List>() != nullptr) {
    const std::optional<Vector3> position = vector(value, field, scope, locals);
    if (!position) return std::nullopt;
    return Pose{Matrix3::Identity(), *position};
  }
  const auto* objects = value.get<Value::Objects>();
  if (objects == nullptr || objects->empty()) return std::nullopt;
  const Object& object = objects->front();
  Pose local;
  bool is_good = true;
  if (const Value* position = object.value("position")) {
    const std::optional<Vector3> p = vector(*position, field_of(object, "position"), scope, locals);
    is_good = p.has_value();
    if (p) local.position = *p;
  }
  if (const Object* turned = object.object("orientation")) {
    const std::optional<Matrix3> R = orientation(*turned, scope, locals);
    is_good = is_good && R.has_value();
    if (R) local.rotation = *R;
  }
  if (const std::string* reference = object.text("relative_to")) {
    const std::optional<Pose> base = frame(*reference, object.range_of("relative_to"));
    is_good = is_good && base.has_value();
    if (base) local = *base * local;
  }
  if (!is_good) return std::nullopt;
  return local;
}

Expansion::FrameFinder Expansion::frames_of(Instance& scope, Instance* repeated) {
  return [this, &scope, repeated](const std::string& name, const SourceRange& where) -> std::optional<Pose> {
    const std::optional<FrameInAssembly> frame = resolve_frame(name, scope, where, repeated);
    if (!frame) return std::nullopt;
    return frame->X_AF;
  };
}

std::optional<Pose> Expansion::drawn_pose(Instance& instance) {
  if (instance.owner == nullptr) return Pose{};
  const Object& effective = instance.plan->effective;
  return once(instance.drawn, instance.path, "assembly", effective.range_of("at"), [&]() -> std::optional<Pose> {
    const Value* at = effective.value("at");
    if (at == nullptr) return Pose{};
    Instance& owner = *instance.owner;
    return placement(*at, field_of(effective, "at"), owner, {instance.repeat_index}, frames_of(owner, &instance));
  });
}

Pose Expansion::pose_in_owner(Instance& instance) {
  if (instance.owner == nullptr) return Pose{};
  return mirrored(instance.drawn.value, instance.plan->mirror);
}

std::optional<Pose> Expansion::part_pose(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("parts")[number];
  const std::string path = element_path(scope, written.name);
  return once(scope.parts[number], path, "part", written.range_of("at"), [&]() -> std::optional<Pose> {
    const Value* at = written.value("at");
    if (at == nullptr) return Pose{};
    return placement(*at, field_of(written, "at"), scope, {}, frames_of(scope));
  });
}

std::optional<Pose> Expansion::assembly_frame(Instance& scope, std::size_t number) {
  const Object& written = scope.object().section("frames")[number];
  const std::string path = element_path(scope, written.name);
  return once(scope.frames[number], path, "frame", written.range_of("at"), [&]() -> std::optional<Pose> {
    const Value* at = written.value("at");
    if (at == nullptr) return Pose{};
    return placement(*at, field_of(written, "at"), scope, {}, frames_of(scope));
  });
}

std::optional<Pose> Expansion::named_frame_on_part(const std::string& name, const SourceRange& where, Instance& scope,
                                                   std::size_t part) {
  const Object& written = scope.object().section("parts")[part];
  if (const Object* frame = find_frame(written, name)) return frame_on_part(scope, part, *frame);
  if (is_left_out(written, name)) return std::nullopt;
  // Another part's frame, or a full path: as drawn.
  const std::optional<FrameInAssembly> frame = resolve_frame(name, scope, where);
  const std::optional<Pose> X_AP = part_pose(scope, part);
  if (!frame || !X_AP) return std::nullopt;
  return X_AP->inverse() * frame->X_AF;
}

std::optional<Pose> Expansion::frame_placement(const Object& written_frame, const std::string& path, Instance& scope,
                                               const FrameFinder& frame) {
  const Value* at = written_frame.value("at");
  if (at == nullptr) return written_frame.is_incomplete ? std::nullopt : std::optional(Pose{});
  return once(scope.frames_on_parts[&written_frame], path, "frame", at->range,
              [&] { return placement(*at, field_of(written_frame, "at"), scope, {}, frame); });
}

std::optional<Pose> Expansion::frame_on_part(Instance& scope, std::size_t part, const Object& frame) {
  const std::string& part_name = scope.object().section("parts")[part].name;
  const std::string path = element_path(scope, part_name + "." + frame.name);
  return frame_placement(frame, path, scope, [&](const std::string& name, const SourceRange& where) {
    return named_frame_on_part(name, where, scope, part);
  });
}

std::optional<Pose> Expansion::placement_on_part(const Value& value, const Field& field, Instance& scope,
                                                 std::size_t part) {
  return placement(value, field, scope, {}, [&](const std::string& name, const SourceRange& where) {
    return named_frame_on_part(name, where, scope, part);
  });
}

std::optional<Vector3> Expansion::point_on_part(const Value& value, const Field& field, Instance& scope,
                                                std::size_t part) {
  const std::optional<Pose> pose = placement_on_part(value, field, scope, part);
  if (!pose) return std::nullopt;
  return pose->position;
}

}  // namespace gelenk::model::expanding
