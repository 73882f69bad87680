#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Ball joint: all rotations, no translation.
struct Spherical {};

inline constexpr auto kSphericalFields = join_fields(kFrameJointFields);
inline constexpr std::array kSphericalCoordinates{
    Coordinate{"orientation", "angular_velocity", Coordinate::Motion::orientation, 2}};
inline constexpr std::array kSphericalPrimitives{Primitive::point};
inline constexpr ObjectType kSpherical{.name = "spherical",
                                       .doc = "ball joint: turns in every direction",
                                       .fields = kSphericalFields,
                                       .coordinates = kSphericalCoordinates,
                                       .primitives = kSphericalPrimitives,
                                       .mirror_axes = kMirrorKeepsRotations,
                                       .channels = kReactionChannels,
                                       .also_called = "ball ball_joint balljoint ball_and_socket"};
constexpr const ObjectType& descriptor(const Spherical*) { return kSpherical; }

}  // namespace gelenk::model
