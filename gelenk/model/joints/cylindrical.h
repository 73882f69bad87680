#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Shaft in a plain bearing: turns about and slides along one axis. In a mirror the travel keeps its sign and the
// angle changes it: no right-handed axis can keep both.
struct Cylindrical {};

inline constexpr auto kCylindricalFields = join_fields(kFrameJointFields, std::array{kAxisField});
inline constexpr std::array kCylindricalCoordinates{kAngle, kTravel};
inline constexpr std::array kCylindricalPrimitives{Primitive::parallel_axes, Primitive::on_axis};
inline constexpr ObjectType kCylindrical{.name = "cylindrical",
                                         .doc = "shaft in a sleeve: turns about and slides along one axis",
                                         .fields = kCylindricalFields,
                                         .coordinates = kCylindricalCoordinates,
                                         .primitives = kCylindricalPrimitives,
                                         .mirror_axes = kMirrorKeepsTravelZ,
                                         .channels = kReactionChannels,
                                         .also_called = "cylinder"};
constexpr const ObjectType& descriptor(const Cylindrical*) { return kCylindrical; }

}  // namespace gelenk::model
