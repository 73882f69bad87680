#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Pin in a slot: the pin is the origin of the second frame, with its axis z; it turns about that and slides along x of
// the first joint frame, the slot.
struct Slot {};

inline constexpr auto kSlotFields = join_fields(
    kFrameJointFields,
    std::array{Field{.key = "axis",
                     .kind = FieldKind::direction,
                     .doc = "axis of the pin, in the axes of the first frame, or of `at` where that is given",
                     .required = true},
               Field{.key = "second_axis",
                     .kind = FieldKind::direction,
                     .doc = "direction of the slot in the first frame, perpendicular to the pin, in the same axes",
                     .required = true}});
inline constexpr std::array kSlotCoordinates{Coordinate{"travel", "speed", Coordinate::Motion::translation, 0}, kAngle};
inline constexpr std::array kSlotPrimitives{Primitive::parallel_axes, Primitive::in_slot};
inline constexpr ObjectType kSlot{.name = "slot",
                                  .doc = "pin in a slot: slides along the slot and turns about the pin",
                                  .fields = kSlotFields,
                                  .coordinates = kSlotCoordinates,
                                  .primitives = kSlotPrimitives,
                                  .mirror_axes = kMirrorKeepsRotationZ,
                                  .channels = kReactionChannels,
                                  .also_called = "pin_in_slot pin_slot revolute_prismatic prismatic_revolute"};
constexpr const ObjectType& descriptor(const Slot*) { return kSlot; }

}  // namespace gelenk::model
