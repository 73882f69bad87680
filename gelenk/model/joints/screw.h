#pragma once

#include <numbers>

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Screw: turning about the axis moves along it, `pitch` a turn. A mirror makes a left-handed screw of a right-handed.
struct Screw {
  double pitch = 0.0;  // m per turn
};

inline constexpr auto kScrewFields =
    join_fields(kFrameJointFields, std::array{kAxisField, Field{.key = "pitch",
                                                                .kind = FieldKind::number,
                                                                .quantity = Quantity::length,
                                                                .doc = "travel per turn; negative: left-handed",
                                                                .required = true,
                                                                .store = kNumberInto<&Screw::pitch>}});
inline constexpr std::array kScrewCoordinates{kAngle, kTravel};
inline constexpr std::array kScrewPrimitives{Primitive::parallel_axes, Primitive::on_axis};
// travel - pitch / 2π × angle = constant
inline constexpr CouplingType kScrewCoupling{
    .put_factors = [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
      factors[0] = -static_cast<const Screw*>(data)->pitch / (2.0 * std::numbers::pi);
      factors[1] = 1.0;
    }};
inline constexpr ObjectType kScrew{.name = "screw",
                                   .doc = "thread: turning moves along the axis",
                                   .fields = kScrewFields,
                                   .coordinates = kScrewCoordinates,
                                   .primitives = kScrewPrimitives,
                                   .mirror_axes = kMirrorKeepsTravelZ,
                                   .coupling = &kScrewCoupling,
                                   .channels = kReactionChannels,
                                   .also_called = "helical thread lead_screw ball_screw spindle"};
constexpr const ObjectType& descriptor(const Screw*) { return kScrew; }

}  // namespace gelenk::model
