#pragma once

#include "gelenk/model/forces/line_law.h"

namespace gelenk::model {

// Cable or rope between two points: pulls beyond its free length and goes slack below it. The run steps onto the
// instants at which it tightens and slackens.
struct Cable : LineLaw {};

inline constexpr std::array kCableFields{
    kEndsField,
    Field{.key = "free_length",
          .kind = FieldKind::signal,
          .quantity = Quantity::length,
          .doc = "length below which it is slack; a winch changes it: `=3 m - 0.2 (m/s) * time`",
          .required = true,
          .range = kNotNegative},
    Field{.key = "stiffness",
          .kind = FieldKind::signal,
          .quantity = Quantity::stiffness,
          .doc = "force per length beyond `free_length`",
          .required = true,
          .range = kPositive},
    Field{.key = "damping",
          .kind = FieldKind::signal,
          .quantity = Quantity::damping,
          .doc = "force per speed while it is tight",
          .fallback = "0",
          .range = kNotNegative},
};
inline constexpr ObjectType kCable{
    .name = "cable",
    .doc = "cable between two points: pulls beyond its free length, never pushes",
    .fields = kCableFields,
    .channels = kLineChannels,
    .law = "if(length > free_length, max(0, stiffness * (length - free_length) + damping * speed), 0)",
    .also_called = "rope string wire tendon chain tether"};
constexpr const ObjectType& descriptor(const Cable*) { return kCable; }

}  // namespace gelenk::model
