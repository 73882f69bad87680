#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Hinge: one rotation about the axis.
struct Revolute {};

inline constexpr auto kRevoluteFields = join_fields(kFrameJointFields, std::array{kAxisField});
inline constexpr std::array kRevoluteCoordinates{kAngle};
inline constexpr std::array kRevolutePrimitives{Primitive::point, Primitive::parallel_axes};
inline constexpr ObjectType kRevolute{
    .name = "revolute",
    .doc = "hinge: turns about an axis",
    .fields = kRevoluteFields,
    .coordinates = kRevoluteCoordinates,
    .primitives = kRevolutePrimitives,
    .mirror_axes = kMirrorKeepsRotationZ,
    .channels = kReactionChannels,
    .also_called = "hinge pin pivot bearing rotational rotation continuous revolve axle"};
constexpr const ObjectType& descriptor(const Revolute*) { return kRevolute; }

}  // namespace gelenk::model
