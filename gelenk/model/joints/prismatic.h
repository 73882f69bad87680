#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Slider: one translation along the axis, no rotation.
struct Prismatic {};

inline constexpr auto kPrismaticFields = join_fields(kFrameJointFields, std::array{kAxisField});
inline constexpr std::array kPrismaticCoordinates{kTravel};
inline constexpr std::array kPrismaticPrimitives{Primitive::same_axes, Primitive::on_axis};
inline constexpr ObjectType kPrismatic{.name = "prismatic",
                                       .doc = "slider: moves along an axis without turning",
                                       .fields = kPrismaticFields,
                                       .coordinates = kPrismaticCoordinates,
                                       .primitives = kPrismaticPrimitives,
                                       .mirror_axes = kMirrorKeepsTravelZ,
                                       .channels = kReactionChannels,
                                       .also_called = "slider slide sliding translational translation linear piston"};
constexpr const ObjectType& descriptor(const Prismatic*) { return kPrismatic; }

}  // namespace gelenk::model
