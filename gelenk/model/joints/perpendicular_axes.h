#pragma once

#include "gelenk/model/joints/axis_on_each.h"

namespace gelenk::model {

// Keeps an axis of the second frame perpendicular to one of the first: z of the two joint frames. All else is free.
struct PerpendicularAxes {};

inline constexpr auto kPerpendicularAxesFields = join_fields(kFrameJointFields, kAxisOnEachFields);
inline constexpr std::array kPerpendicularAxesPrimitives{Primitive::right_angle};
inline constexpr ObjectType kPerpendicularAxes{.name = "perpendicular_axes",
                                               .doc = "keeps an axis of each frame perpendicular to that of the other",
                                               .fields = kPerpendicularAxesFields,
                                               .coordinates = kFreeCoordinates,
                                               .primitives = kPerpendicularAxesPrimitives,
                                               .mirror_axes = kMirrorKeepsRotations,
                                               .channels = kReactionChannels,
                                               .also_called = "perpendicular perpend"};
constexpr const ObjectType& descriptor(const PerpendicularAxes*) { return kPerpendicularAxes; }

}  // namespace gelenk::model
