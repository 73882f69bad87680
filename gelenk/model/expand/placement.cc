#include "gelenk/model/expand/placement.h"

#include <fmt/format.h>

#include <array>

namespace gelenk::model::expanding {

std::optional<Matrix3> orientation(const Object& object, Instance& scope, const Locals& locals, Numbers& numbers,
                                   Diagnostics& diagnostics) {
  const auto has = [&](std::string_view key) { return object.find(key) != nullptr; };
  const int axes_given = (has("x") ? 1 : 0) + (has("y") ? 1 : 0) + (has("z") ? 1 : 0);
  const int forms = (has("quaternion") ? 1 : 0) + (has("axis") || has("angle") ? 1 : 0) +
                    (has("angles") || has("sequence") ? 1 : 0) + (axes_given > 0 ? 1 : 0);
  if (forms == 0 && object.is_incomplete) return std::nullopt;
  if (forms != 1) {
    diagnostics.error(forms == 0 ? Code::missing_key : Code::conflicting_keys, object.range,
                      forms == 0 ? "the orientation is empty" : "the orientation is given in more than one form",
                      "one of: quaternion; axis and angle; angles and sequence; two of x, y, z");
    return std::nullopt;
  }
  const auto refuse = [&](std::string_view why) {
    diagnostics.error(Code::zero_direction, object.range, std::string(why));
    return std::nullopt;
  };
  if (const Value* value = object.value("quaternion")) {
    const auto& list = *value->get<Value::List>();
    if (list.size() != 4) {
      diagnostics.error(Code::wrong_length, value->range,
                        fmt::format("a quaternion has 4 numbers, but this has {}", list.size()), "[w, x, y, z]");
      return std::nullopt;
    }
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::optional<double> element = numbers.number(list[i], field_of(object, "quaternion"), scope, locals);
      if (!element) return std::nullopt;
      q[i] = *element;
    }
    const std::optional<Matrix3> R = rotation_from_quaternion(Quaternion(q[0], q[1], q[2], q[3]));
    return R ? R : refuse("the quaternion has no length");
  }
  if (has("axis") || has("angle")) {
    if (!has("axis") || !has("angle")) {
      if (object.is_incomplete) return std::nullopt;
      diagnostics.error(Code::missing_key, object.range, "`axis` and `angle` belong together",
                        has("axis") ? "add the `angle`, such as 30 deg" : "add the `axis`, such as z");
      return std::nullopt;
    }
    const std::optional<Vector3> axis = numbers.direction(*object.value("axis"), "axis", scope);
    const std::optional<double> angle =
        numbers.number(*object.value("angle"), field_of(object, "angle"), scope, locals);
    return axis && angle ? rotation_from_axis_angle(*axis, *angle) : std::nullopt;
  }
  if (has("angles") || has("sequence")) {
    if (!has("angles")) {
      if (object.is_incomplete) return std::nullopt;
      diagnostics.error(Code::missing_key, object.range, "`sequence` needs `angles`",
                        "add the three `angles`, such as [30 deg, 0, 0]");
      return std::nullopt;
    }
    const std::optional<Vector3> angles =
        numbers.vector(*object.value("angles"), field_of(object, "angles"), scope, locals);
    const std::string* sequence = object.text("sequence");
    if (!angles) return std::nullopt;
    const std::optional<Matrix3> R = rotation_from_angles(*angles, sequence == nullptr ? "zyx" : *sequence);
    if (!R) {
      diagnostics.error(Code::unknown_choice, object.range_of("sequence"),
                        fmt::format("'{}' is not a sequence of three axes", *sequence),
                        "three of x, y, z without equal neighbors, such as zyx or zxz");
    }
    return R;
  }
  if (axes_given != 2) {
    if (object.is_incomplete) return std::nullopt;
    diagnostics.error(Code::wrong_length, object.range,
                      fmt::format("two axes are needed, but {} given", axes_given == 1 ? "one is" : "three are"),
                      "give two of x, y, z; the third follows");
    return std::nullopt;
  }
  const std::string_view first = has("x") ? "x" : "y";
  const std::string_view second = has("z") ? "z" : "y";
  const std::optional<Vector3> a = numbers.direction(*object.value(first), first, scope);
  const std::optional<Vector3> b = numbers.direction(*object.value(second), second, scope);
  if (!a || !b) return std::nullopt;
  const auto axis = [](std::string_view name) { return static_cast<Axis>(name.front() - 'x'); };
  const std::optional<Matrix3> R = rotation_from_directions(axis(first), *a, axis(second), *b);
  return R ? R : refuse("the two axes are parallel");
}

std::optional<Pose> placement(const Value& value, const Field& field, Instance& scope, const Locals& locals,
                              const FrameFinder& frame, Numbers& numbers, Diagnostics& diagnostics) {
  if (const auto* name = value.get<std::string>()) return frame(*name, value.range);
  if (value.get<Value::List>() != nullptr) {
    const std::optional<Vector3> position = numbers.vector(value, field, scope, locals);
    if (!position) return std::nullopt;
    return Pose{Matrix3::Identity(), *position};
  }
  const auto* objects = value.get<Value::Objects>();
  if (objects == nullptr || objects->empty()) return std::nullopt;
  const Object& object = objects->front();
  Pose local;
  bool is_good = true;
  if (const Value* position = object.value("position")) {
    const std::optional<Vector3> p = numbers.vector(*position, field_of(object, "position"), scope, locals);
    is_good = p.has_value();
    if (p) local.position = *p;
  }
  if (const Object* turned = object.object("orientation")) {
    const std::optional<Matrix3> R = orientation(*turned, scope, locals, numbers, diagnostics);
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

}  // namespace gelenk::model::expanding
