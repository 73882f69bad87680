#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// A thin disk or wheel on a plane: its center is the origin of the second frame, its axis z of the second joint frame;
// the plane goes through the origin of the first frame, z of the first joint frame is its normal. The lowest point of
// the rim touches the plane and does not slip. The disk may lean and turn as it likes, but not lie flat.
struct Rolling {
  double radius = 1.0;  // m
  double held_size() const { return radius; }
};

// Sine of the angle between the axis of a disk and the normal of its plane: below it the disk lies flat, and the lowest
// point of its rim is anywhere.
inline constexpr double kFlattestDisk = 0.01;

inline constexpr std::array<std::string_view, 2> kSlips{"none", "sideways"};

inline constexpr auto kRollingFields = join_fields(
    kFrameJointFields,
    std::array{Field{.key = "radius",
                     .kind = FieldKind::number,
                     .quantity = Quantity::length,
                     .doc = "radius of the rim",
                     .required = true,
                     .range = kPositive,
                     .store = kNumberInto<&Rolling::radius>},
               Field{.key = "axis",
                     .kind = FieldKind::direction,
                     .doc = "axis of the disk through the origin of the second frame, in the axes of that frame",
                     .required = true},
               Field{.key = "normal",
                     .kind = FieldKind::direction,
                     .doc = "normal of the plane through the origin of the first frame, in the axes of that frame, "
                            "towards the disk",
                     .fallback = "z"},
               Field{.key = "slip",
                     .kind = FieldKind::choice,
                     .doc = "`none`: the rim rolls and holds sideways; `sideways`: it only rolls, as a rim of "
                            "rollers does, and slides along its axis without friction",
                     .fallback = "none",
                     .choices = kSlips}});
inline constexpr std::array kRollingPrimitives{Primitive::rim_on_plane, Primitive::rim_rolls, Primitive::rim_holds};
inline constexpr ObjectType kRolling{
    .name = "rolling",
    .doc = "disk or wheel about the second frame, rolls without slip on the plane of the first",
    .fields = kRollingFields,
    .primitives = kRollingPrimitives,
    .mirror_axes = kMirrorKeepsTravelZ,
    .channels = kReactionChannels,
    .also_called = "wheel disk rolling_disk rolling_wheel roll"};
constexpr const ObjectType& descriptor(const Rolling*) { return kRolling; }

// With `slip: sideways`: the same joint with a row less.
inline constexpr std::array kRollingThatSlipsPrimitives{Primitive::rim_on_plane, Primitive::rim_rolls};
inline constexpr ObjectType kRollingThatSlips = [] {
  ObjectType type = kRolling;
  type.primitives = kRollingThatSlipsPrimitives;
  return type;
}();

}  // namespace gelenk::model
