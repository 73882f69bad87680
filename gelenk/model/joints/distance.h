#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Massless rod with a ball joint at each end, or a universal joint at one: keeps the distance of the two origins. What
// has no mass carries no moment from a ball, so the universal joint holds only how the rod turns about itself.
struct Distance {
  double length = 0.0;  // m; zero: the distance as drawn
  double held_size() const { return length; }
};

inline constexpr auto kDistanceFields =
    join_fields(kFrameJointFields, std::array{Field{.key = "length",
                                                    .kind = FieldKind::number,
                                                    .quantity = Quantity::length,
                                                    .doc = "distance to keep; by default, the distance as drawn",
                                                    .range = kPositive,
                                                    .store = kNumberInto<&Distance::length>}});
inline constexpr std::array kDistancePrimitives{Primitive::distance};
inline constexpr ObjectType kDistance{
    .name = "distance",
    .doc = "massless rod: keeps the distance between two points",
    .fields = kDistanceFields,
    .primitives = kDistancePrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "rod link constant_distance spherical_spherical universal_spherical"};
constexpr const ObjectType& descriptor(const Distance*) { return kDistance; }

}  // namespace gelenk::model
