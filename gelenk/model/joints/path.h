#pragma once

#include "gelenk/model/joints/curve_fields.h"

namespace gelenk::model {

// The second frame runs along a curve that is fixed in the first and turns with it: its x along the curve, its z as
// near to `up` as that allows. A driver of its travel imposes the whole motion.
struct Path : CurveOfJoint {};

inline constexpr auto kPathFields = join_fields(
    kCurveFields,
    std::array{Field{.key = "up",
                     .kind = FieldKind::direction,
                     .doc = "direction in the axes of the first frame that z of the second one stays nearest to; by "
                            "default, the normal of a plane curve, or what the curve comes least near to"}});
inline constexpr std::array kPathCoordinates{kTravelOnCurve};
inline constexpr std::array kPathPrimitives{Primitive::on_curve, Primitive::with_curve};
inline constexpr ObjectType kPath{.name = "path",
                                  .doc = "the second frame runs along a curve of the first, x ahead: a car on a track",
                                  .fields = kPathFields,
                                  .coordinates = kPathCoordinates,
                                  .primitives = kPathPrimitives,
                                  .mirror_axes = kMirrorKeepsTravelZ,
                                  .channels = kReactionChannels,
                                  .also_called = "track rail curve_follower trajectory guide roller_coaster"};
constexpr const ObjectType& descriptor(const Path*) { return kPath; }

}  // namespace gelenk::model
