#pragma once

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
inline constexpr ObjectType kScrew{.name = "screw",
                                   .doc = "thread: turning moves along the axis",
                                   .fields = kScrewFields,
                                   .declared_only = true,
                                   .coordinates = kScrewCoordinates,
                                   .mirror_axes = kMirrorKeepsTravelZ,
                                   .channels = kReactionChannels};
constexpr const ObjectType& descriptor(const Screw*) { return kScrew; }

}  // namespace gelenk::model
