#pragma once

#include "gelenk/model/joints/axis_on_each.h"

namespace gelenk::model {

// Keeps the angle between an axis of the second frame and one of the first: z of the two joint frames. All else is
// free. Axes that are parallel are held by two rows, not by one: the angle stays away from 0 and from half a turn.
struct ConstantAngle {
  double angle = 1.0;  // rad
  double held_size() const { return angle; }
};

// Sine of the angle: below it the row that holds it has hardly a direction.
inline constexpr double kSmallestSineOfAngle = 0.01;

inline constexpr auto kConstantAngleFields =
    join_fields(kFrameJointFields, kAxisOnEachFields,
                std::array{Field{.key = "angle",
                                 .kind = FieldKind::number,
                                 .quantity = Quantity::angle,
                                 .doc = "angle to keep, above 0 and below 180 deg; by default, the angle as drawn",
                                 .range = kPositive,
                                 .store = kNumberInto<&ConstantAngle::angle>}});
inline constexpr std::array kConstantAnglePrimitives{Primitive::angle};
inline constexpr ObjectType kConstantAngle{.name = "constant_angle",
                                           .doc = "keeps the angle between an axis of each frame",
                                           .fields = kConstantAngleFields,
                                           .coordinates = kFreeCoordinates,
                                           .primitives = kConstantAnglePrimitives,
                                           .mirror_axes = kMirrorKeepsRotations,
                                           .channels = kReactionChannels,
                                           .also_called = "angle fixed_angle"};
constexpr const ObjectType& descriptor(const ConstantAngle*) { return kConstantAngle; }

}  // namespace gelenk::model
