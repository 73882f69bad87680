#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Slides in the plane through the first frame, perpendicular to `axis`, and turns about it.
struct Planar {};

inline constexpr auto kPlanarFields =
    join_fields(kFrameJointFields, std::array{Field{.key = "axis",
                                                    .kind = FieldKind::direction,
                                                    .doc = "normal of the plane, in the axes of the first frame",
                                                    .required = true},
                                              Field{.key = "second_axis",
                                                    .kind = FieldKind::direction,
                                                    .doc = "direction of the coordinate `x` in the plane; by default, "
                                                           "the first of x, y, z that is not along the normal"}});
inline constexpr std::array kPlanarCoordinates{
    kTravelX,
    kTravelY,
    kAngle,
};
inline constexpr std::array kPlanarPrimitives{Primitive::parallel_axes, Primitive::on_plane};
inline constexpr ObjectType kPlanar{.name = "planar",
                                    .doc = "slides in a plane and turns about its normal",
                                    .fields = kPlanarFields,
                                    .coordinates = kPlanarCoordinates,
                                    .primitives = kPlanarPrimitives,
                                    .mirror_axes = kMirrorKeepsRotationZ,
                                    .channels = kReactionChannels,
                                    .also_called = "plane"};
constexpr const ObjectType& descriptor(const Planar*) { return kPlanar; }

}  // namespace gelenk::model
