#pragma once

#include <memory>

#include "gelenk/math/curve.h"
#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// A smooth curve through points, in the axes of the first joint frame.
struct CurveOfJoint {
  std::shared_ptr<const Curve> curve;
  const Curve* held_curve() const { return curve.get(); }
};

inline constexpr auto kCurveFields = join_fields(
    kFrameJointFields,
    std::array{Field{.key = "x",
                     .kind = FieldKind::numbers,
                     .quantity = Quantity::length,
                     .doc = "x of the points that the curve runs through, in the axes of the first frame: "
                            "`[0 m, 1 m, 2 m]`",
                     .required = true,
                     .also_called = "points curve spline"},
               Field{.key = "y",
                     .kind = FieldKind::numbers,
                     .quantity = Quantity::length,
                     .doc = "their y, as many numbers; by default, all zero"},
               Field{.key = "z",
                     .kind = FieldKind::numbers,
                     .quantity = Quantity::length,
                     .doc = "their z, as many numbers; by default, all zero"},
               Field{.key = "closed",
                     .kind = FieldKind::flag,
                     .doc = "`true`: from the last point smoothly back to the first, which is not written twice; by "
                            "default, the curve goes on straight beyond its ends",
                     .fallback = "false"}});

inline constexpr Coordinate kTravelOnCurve{"travel", "speed", Coordinate::Motion::translation, 0, true};

}  // namespace gelenk::model
