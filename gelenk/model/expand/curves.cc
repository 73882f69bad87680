#include "gelenk/model/expand/curves.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/math/curve.h"

namespace gelenk::model::expanding {
namespace {

std::optional<std::vector<Vector3>> read_points(const Object& written, Instance& scope, Numbers& numbers,
                                                Diagnostics& diagnostics) {
  const Value* const x = written.value("x");
  if (x == nullptr) return std::nullopt;
  std::vector<Vector3> points(x->get<Value::List>()->size(), Vector3::Zero());
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view key = std::string_view("xyz").substr(static_cast<std::size_t>(axis), 1);
    const Value* const list = written.value(key);
    if (list == nullptr) continue;
    const auto& values = *list->get<Value::List>();
    if (values.size() != points.size()) {
      diagnostics.error(
          Code::bad_curve, list->range,
          fmt::format("`x` has {} numbers, `{}` has {}: each point needs both", points.size(), key, values.size()));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<double> value = numbers.number(values[i], field_of(written, key), scope);
      if (!value) return std::nullopt;
      points[i](axis) = *value;
    }
  }
  return points;
}

// The curve if it can be one, and if it does not run along `up` of a path.
std::optional<Curve> usable_curve(const Object& written, Instance& scope, Numbers& numbers, Diagnostics& diagnostics) {
  const std::optional<std::vector<Vector3>> points = read_points(written, scope, numbers, diagnostics);
  if (!points) return std::nullopt;
  std::string problem;
  std::optional<Curve> curve = Curve::make(*points, written.flag("closed", false), &problem);
  if (!curve) {
    diagnostics.error(Code::bad_curve, written.range_of("x"), "its curve cannot be followed: " + problem,
                      "a curve runs smoothly through at least two different points, in their order, and meets itself "
                      "nowhere");
    return std::nullopt;
  }
  if (const Value* up = written.value("up")) {
    const std::optional<Vector3> direction = numbers.direction(*up, "up", scope);
    if (!direction) return std::nullopt;
    if (!curve->set_aside(*direction)) {
      diagnostics.error(Code::bad_curve, up->range, "its curve runs along `up` somewhere: there z has no direction",
                        "choose a direction across the curve, for a loop the axis about which it turns");
      return std::nullopt;
    }
  }
  return curve;
}

}  // namespace

std::shared_ptr<const Curve> read_curve(const Object& written, Instance& scope, Numbers& numbers,
                                        Diagnostics& diagnostics) {
  std::optional<Curve> curve = usable_curve(written, scope, numbers, diagnostics);
  if (!curve) curve = Curve::make({Vector3::Zero(), Vector3::UnitX()}, false, nullptr);
  return std::make_shared<const Curve>(std::move(*curve));
}

}  // namespace gelenk::model::expanding
