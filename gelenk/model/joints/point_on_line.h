#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// The origin of the second frame stays on a line through the first: z of the joint frame on it. Turns as it likes.
struct PointOnLine {};

inline constexpr auto kPointOnLineFields = join_fields(
    kFrameJointFields, std::array{Field{.key = "axis",
                                        .kind = FieldKind::direction,
                                        .doc = "direction of the line through the origin of the first "
                                               "frame, in its axes, or in those of `at` where that is given",
                                        .required = true}});
inline constexpr std::array kPointOnLineCoordinates{kTravel, kOrientation};
inline constexpr std::array kPointOnLinePrimitives{Primitive::on_axis};
inline constexpr ObjectType kPointOnLine{
    .name = "point_on_line",
    .doc = "the second frame's origin stays on a line of the first; it turns freely",
    .fields = kPointOnLineFields,
    .coordinates = kPointOnLineCoordinates,
    .primitives = kPointOnLinePrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "inline in_line point_line point_in_line ball_in_cylinder"};
constexpr const ObjectType& descriptor(const PointOnLine*) { return kPointOnLine; }

}  // namespace gelenk::model
