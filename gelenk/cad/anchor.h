#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/cad/feature.h"
#include "gelenk/math/pose.h"

// Frames that are tied to a surface of their part, so that they are found again after the part was changed. A surface
// is known by its shape and place: numbers of faces change with every edit.
namespace gelenk::cad {

// What is remembered of a surface. Axes of the part, m.
struct Anchor {
  Feature::Kind kind = Feature::Kind::plane;
  Vector3 point = Vector3::Zero();       // as in Feature
  Vector3 direction = Vector3::UnitZ();  // as in Feature
  double radius = 0.0;
  bool is_hollow = false;
  double low = 0.0, high = 0.0;      // as in Feature
  Vector3 middle = Vector3::Zero();  // of its box
  double area = 0.0;                 // m²
  geometry::Bounds part;             // around all surfaces of the part
};

// The surface that a frame sits on: the cylinder around its z axis, the sphere around its origin, the plane through its
// origin and normal to z. Nothing when there is none.
std::optional<Anchor> anchor_of(const Pose& X_PF, std::span<const Feature> features);

struct FoundAnchor {
  std::size_t feature = 0;
  // From the surface that is remembered, a number without unit: places count relative to the size of the part, sizes by
  // their logarithm. A part that was stretched takes its surfaces along: what has kept its place in the part's box is
  // as near as what has kept its coordinates.
  double difference = 0.0;
  bool is_sure = false;  // near enough, and no other one is nearly as near
};
std::optional<FoundAnchor> find_anchor(const Anchor& anchor, std::span<const Feature> features);

// The frame on the surface as it is now: it keeps its place on it, counted from the middle, or from the end of a
// cylinder where it was at the end.
Pose moved_frame(const Anchor& anchor, const Pose& X_PF, const Feature& feature);

void write_anchor(JsonWriter& json, const Anchor& anchor);
// Nothing when something is missing or no number.
std::optional<Anchor> read_anchor(const JsonValue& json);

}  // namespace gelenk::cad
