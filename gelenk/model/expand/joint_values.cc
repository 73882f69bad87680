#include "gelenk/model/expand/joint_values.h"

#include <fmt/format.h>

#include <limits>

#include "gelenk/model/expand/placement.h"
#include "gelenk/model/named_values.h"

namespace gelenk::model::expanding {

void read_coordinates(const Object& written, Instance& scope, bool is_mirrored, JointNode& joint, Numbers& numbers,
                      Diagnostics& diagnostics) {
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
        const std::optional<Matrix3> R = orientation(*entry.object("value"), scope, {}, numbers, diagnostics);
        if (!R) continue;
        const Quaternion q = quaternion_from_rotation(*R);
        start.value = {q.w(), q.x(), q.y(), q.z()};
      } else if (property.field->kind == FieldKind::vector) {
        const std::optional<Vector3> v = numbers.vector(property.value, *property.field, scope);
        if (!v) continue;
        start.value = {v->x(), v->y(), v->z(), 0.0};
      } else {
        const std::optional<double> value =
            numbers.number(property.value, entry.name, property.field->quantity, property.field->range, scope, {});
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
      return value == nullptr ? std::nullopt : numbers.number(*value, field_of(entry, key), scope);
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::optional<double> min = bound("min");
    const std::optional<double> max = bound("max");
    if (min.value_or(-kInfinity) > max.value_or(kInfinity)) {
      diagnostics.error(Code::out_of_range, entry.range, fmt::format("the limits of '{}' are reversed", entry.name),
                        "`min` must not be above `max`");
    }
    const bool is_turned = sign_of(limit.coordinate) < 0.0;
    if (min) (is_turned ? limit.max : limit.min) = is_turned ? -*min : *min;
    if (max) (is_turned ? limit.min : limit.max) = is_turned ? -*max : *max;
    joint.limits.push_back(limit);
  }
}

}  // namespace gelenk::model::expanding
