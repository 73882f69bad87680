#pragma once

#include "gelenk/model/joints/curve_fields.h"

namespace gelenk::model {

// The origin of the second frame stays on a curve that is fixed in the first: a pin in a groove. Turns as it likes.
struct PointOnCurve : CurveOfJoint {};

inline constexpr std::array kPointOnCurveCoordinates{kTravelOnCurve, kOrientation};
inline constexpr std::array kPointOnCurvePrimitives{Primitive::on_curve};
inline constexpr ObjectType kPointOnCurve{
    .name = "point_on_curve",
    .doc = "the second frame's origin stays on a curve of the first; it turns freely",
    .fields = kCurveFields,
    .coordinates = kPointOnCurveCoordinates,
    .primitives = kPointOnCurvePrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "point_curve ptcv pin_in_groove groove cam_groove curve_joint"};
constexpr const ObjectType& descriptor(const PointOnCurve*) { return kPointOnCurve; }

}  // namespace gelenk::model
