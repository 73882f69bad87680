#include "gelenk/cad/anchor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gelenk::cad {
namespace {

// A frame is on a surface within this angle (rad) and this part of the part's size: frames that were written by us are
// exact, those of other programs have six digits.
constexpr double kOnSurface = 1e-5;
// Weights of the difference between a surface and what is remembered of it. An axis that has turned is hardly the same
// one; areas change with every fillet.
constexpr double kAngleWeight = 4.0, kOffsetWeight = 3.0, kMiddleWeight = 1.5, kAreaWeight = 0.3;
// Beyond this it is another surface; and the next one has to be this much farther off.
constexpr double kMostDifference = 4.0, kLeastRatio = 1.5;
// What two equal files may differ by: below, the second best may be as near as it likes.
constexpr double kEqual = 1e-9;
constexpr std::array<std::string_view, 3> kFeatureNames{"plane", "cylinder", "sphere"};

geometry::Bounds box_of(std::span<const Feature> features) {
  geometry::Bounds box;
  for (const Feature& feature : features) box.add(feature.box);
  return box;
}

Vector3 across(const Vector3& direction, const Vector3& v) { return v - direction * direction.dot(v); }

// How far the frame is from lying on the surface, relative to the size; large when it does not.
bool lies_on(const Pose& X_PF, const Feature& feature, double size) {
  const Vector3 z = X_PF.rotation.col(2), from = X_PF.position - feature.point;
  const double near = kOnSurface * size;
  if (feature.kind == Feature::Kind::sphere) return from.norm() <= near;
  if (z.cross(feature.direction).norm() > kOnSurface) return false;
  if (feature.kind == Feature::Kind::plane) return std::abs(feature.direction.dot(from)) <= near;
  return across(feature.direction, from).norm() <= near;
}

// Along the axis outside of the cylinder, or across the plane from its middle: of several surfaces the frame sits on
// the one around it.
double distance_on(const Pose& X_PF, const Feature& feature) {
  const Vector3 from = X_PF.position - feature.point;
  if (feature.kind == Feature::Kind::cylinder) {
    const double along = feature.direction.dot(from);
    return std::max({0.0, feature.low - along, along - feature.high});
  }
  return from.norm();
}

// The direction turned to the side of another one where its sign means nothing.
Vector3 direction_like(const Feature& feature, const Vector3& other) {
  const bool is_turned = feature.kind == Feature::Kind::cylinder && feature.direction.dot(other) < 0.0;
  return is_turned ? Vector3(-feature.direction) : feature.direction;
}

double logarithm(double a, double b) { return a > 0.0 && b > 0.0 ? std::abs(std::log(a / b)) : 0.0; }

// A place in the box of the part as it was, in the box as it is now.
Vector3 stretched(const Vector3& point, const geometry::Bounds& before, const geometry::Bounds& now) {
  Vector3 result = point;
  for (int i = 0; i < 3; ++i) {
    const double length = before.upper[i] - before.lower[i];
    if (length > 0.0) {
      result[i] = now.lower[i] + (point[i] - before.lower[i]) / length * (now.upper[i] - now.lower[i]);
    }
  }
  return result;
}

// What has changed of the place, when the surface was expected there.
double place_difference(const Anchor& anchor, const Vector3& point, const Vector3& middle, const Feature& feature) {
  const Vector3 shift = feature.point - point;
  double offset = shift.norm();
  if (anchor.kind == Feature::Kind::plane) offset = std::abs(anchor.direction.dot(shift));
  if (anchor.kind == Feature::Kind::cylinder) offset = across(anchor.direction, shift).norm();
  return (kOffsetWeight * offset + kMiddleWeight * (feature.box.center() - middle).norm()) / anchor.part.diagonal();
}

// Nothing when it is a surface of another kind.
std::optional<double> difference(const Anchor& anchor, const Feature& feature, const geometry::Bounds& part) {
  if (anchor.kind != feature.kind || anchor.is_hollow != feature.is_hollow) return std::nullopt;
  double angle = 0.0;
  if (anchor.kind != Feature::Kind::sphere) {
    const Vector3 direction = direction_like(feature, anchor.direction);
    angle = std::atan2(direction.cross(anchor.direction).norm(), direction.dot(anchor.direction));
  }
  const double place = std::min(place_difference(anchor, anchor.point, anchor.middle, feature),
                                place_difference(anchor, stretched(anchor.point, anchor.part, part),
                                                 stretched(anchor.middle, anchor.part, part), feature));
  return kAngleWeight * angle + place + logarithm(feature.radius, anchor.radius) +
         kAreaWeight * logarithm(feature.area, anchor.area);
}

void write_vector(JsonWriter& json, std::string_view key, const Vector3& v) {
  json.key(key).begin_array();
  for (int i = 0; i < 3; ++i) json.value(v[i]);
  json.end_array();
}

bool read_vector(const JsonValue& json, std::string_view key, Vector3& v) {
  const JsonValue* list = json.find(key);
  if (list == nullptr || list->items.size() != 3) return false;
  for (int i = 0; i < 3; ++i) {
    const JsonValue& item = list->items[static_cast<std::size_t>(i)];
    if (item.kind != JsonValue::Kind::number) return false;
    v[i] = item.number;
  }
  return true;
}

}  // namespace

std::optional<Anchor> anchor_of(const Pose& X_PF, std::span<const Feature> features) {
  if (features.empty()) return std::nullopt;
  const geometry::Bounds part = box_of(features);
  const double size = part.diagonal();
  // Spheres and cylinders before planes: a frame on the face of a collar sits on the shaft. Bores before what is round
  // about them: an eye is there for its bore.
  const auto rank = [](const Feature& feature) {
    return feature.kind == Feature::Kind::plane ? 2 : feature.is_hollow ? 0 : 1;
  };
  const Feature* best = nullptr;
  for (const Feature& feature : features) {
    if (!lies_on(X_PF, feature, size)) continue;
    if (best != nullptr) {
      if (rank(feature) > rank(*best)) continue;
      const double gain = distance_on(X_PF, *best) - distance_on(X_PF, feature);
      const bool is_nearer = gain > kOnSurface * size || (gain > -kOnSurface * size && feature.area > best->area);
      if (rank(feature) == rank(*best) && !is_nearer) continue;
    }
    best = &feature;
  }
  if (best == nullptr) return std::nullopt;
  return Anchor{best->kind, best->point, best->direction,    best->radius, best->is_hollow,
                best->low,  best->high,  best->box.center(), best->area,   part};
}

std::optional<FoundAnchor> find_anchor(const Anchor& anchor, std::span<const Feature> features) {
  std::optional<FoundAnchor> best;
  const geometry::Bounds part = box_of(features);
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::optional<double> d = difference(anchor, features[i], part);
    if (!d) continue;
    if (!best || *d < best->difference) {
      if (best) next = best->difference;
      best = FoundAnchor{i, *d, false};
    } else {
      next = std::min(next, *d);
    }
  }
  if (best) {
    best->is_sure =
        best->difference < kMostDifference && (best->difference <= kEqual || next >= kLeastRatio * best->difference);
  }
  return best;
}

Pose moved_frame(const Anchor& anchor, const Pose& X_PF, const Feature& feature) {
  const Vector3 direction = direction_like(feature, anchor.direction);
  // The smallest turn that brings the old direction into the new one.
  const Matrix3 R = anchor.kind == Feature::Kind::sphere
                        ? Matrix3::Identity()
                        : Matrix3(Quaternion::FromTwoVectors(anchor.direction, direction).toRotationMatrix());
  Vector3 offset = X_PF.position - anchor.point;
  if (anchor.kind == Feature::Kind::cylinder) {
    const double along = anchor.direction.dot(offset);
    const double near = kOnSurface * anchor.part.diagonal();
    const double half = 0.5 * (feature.high - feature.low);
    double now = along;
    if (std::abs(along - anchor.low) <= near) now = -half;
    if (std::abs(along - anchor.high) <= near) now = half;
    // What is on the axis stays on it to the last digit.
    return {R * X_PF.rotation, feature.point + direction * now + R * across(anchor.direction, offset)};
  }
  return {R * X_PF.rotation, feature.point + R * offset};
}

void write_anchor(JsonWriter& json, const Anchor& anchor) {
  json.begin_object().member("kind", kFeatureNames[static_cast<std::size_t>(anchor.kind)]);
  write_vector(json, "point", anchor.point);
  write_vector(json, "direction", anchor.direction);
  json.member("radius", anchor.radius).member("isHollow", anchor.is_hollow);
  json.member("low", anchor.low).member("high", anchor.high);
  write_vector(json, "middle", anchor.middle);
  write_vector(json, "partLower", anchor.part.lower);
  write_vector(json, "partUpper", anchor.part.upper);
  json.member("area", anchor.area).end_object();
}

std::optional<Anchor> read_anchor(const JsonValue& json) {
  Anchor anchor;
  const auto kind = std::find(kFeatureNames.begin(), kFeatureNames.end(), json.text_or("kind", ""));
  if (kind == kFeatureNames.end()) return std::nullopt;
  anchor.kind = static_cast<Feature::Kind>(kind - kFeatureNames.begin());
  if (!read_vector(json, "point", anchor.point) || !read_vector(json, "direction", anchor.direction) ||
      !read_vector(json, "middle", anchor.middle) || !read_vector(json, "partLower", anchor.part.lower) ||
      !read_vector(json, "partUpper", anchor.part.upper)) {
    return std::nullopt;
  }
  anchor.radius = json.number_or("radius", 0.0);
  anchor.is_hollow = json.truth_or("isHollow", false);
  anchor.low = json.number_or("low", 0.0);
  anchor.high = json.number_or("high", 0.0);
  anchor.area = json.number_or("area", 0.0);
  if (!(std::abs(anchor.direction.norm() - 1.0) < 1e-6) || !(anchor.part.diagonal() > 0.0)) return std::nullopt;
  return anchor;
}

}  // namespace gelenk::cad
