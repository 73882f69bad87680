#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// The origin of the second frame stays in a plane through the first, whose normal is z of the joint frame on it. Turns
// as it likes.
struct PointOnPlane {};

inline constexpr auto kPointOnPlaneFields =
    join_fields(kFrameJointFields, std::array{Field{.key = "axis",
                                                    .kind = FieldKind::direction,
                                                    .doc = "normal of the plane through the origin of the first frame, "
                                                           "in its axes, or in those of `at` where that is given",
                                                    .required = true},
                                              kSecondAxisInPlane});
inline constexpr std::array kPointOnPlaneCoordinates{kTravelX, kTravelY, kOrientation};
inline constexpr std::array kPointOnPlanePrimitives{Primitive::on_plane};
inline constexpr ObjectType kPointOnPlane{
    .name = "point_on_plane",
    .doc = "the second frame's origin stays in a plane of the first; it turns freely",
    .fields = kPointOnPlaneFields,
    .coordinates = kPointOnPlaneCoordinates,
    .primitives = kPointOnPlanePrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "in_plane inplane point_plane point_in_plane ball_on_plane"};
constexpr const ObjectType& descriptor(const PointOnPlane*) { return kPointOnPlane; }

}  // namespace gelenk::model
