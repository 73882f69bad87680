#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Cardan joint: first a turn about `axis`, fixed in the first frame (z of the joint frame), then about `second_axis`,
// fixed in the second frame (x of the joint frame). The two stay perpendicular.
struct Universal {};

inline constexpr auto kUniversalFields = join_fields(
    kFrameJointFields,
    std::array{
        Field{.key = "axis",
              .kind = FieldKind::direction,
              .doc = "first axis, fixed in the first frame, in its axes",
              .required = true},
        Field{.key = "second_axis",
              .kind = FieldKind::direction,
              .doc = "second axis, fixed in the second frame, perpendicular to the first; in the axes of the first "
                     "frame when all angles are zero",
              .required = true}});
inline constexpr std::array kUniversalCoordinates{
    Coordinate{"angle_1", "rate_1", Coordinate::Motion::rotation, 2},
    Coordinate{"angle_2", "rate_2", Coordinate::Motion::rotation, 0},
};
inline constexpr std::array kUniversalPrimitives{Primitive::point, Primitive::crossed_axes};
inline constexpr ObjectType kUniversal{.name = "universal",
                                       .doc = "Cardan joint: turns about two perpendicular axes",
                                       .fields = kUniversalFields,
                                       .coordinates = kUniversalCoordinates,
                                       .primitives = kUniversalPrimitives,
                                       .mirror_axes = kMirrorKeepsRotations,
                                       .channels = kReactionChannels,
                                       .also_called = "cardan hooke u_joint"};
constexpr const ObjectType& descriptor(const Universal*) { return kUniversal; }

}  // namespace gelenk::model
