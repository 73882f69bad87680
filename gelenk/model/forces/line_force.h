#pragma once

#include "gelenk/model/forces/line_law.h"

namespace gelenk::model {

// Any law between two points: a formula or a table of length and speed, of time, of states.
struct LineForce : LineLaw {};

inline constexpr std::array kLineForceFields{
    kEndsField,
    Field{.key = "value",
          .kind = FieldKind::signal,
          .quantity = Quantity::force,
          .doc = "tension, positive when it pulls the ends together; may use `length` and `speed` beside `time` and "
                 "channels: `=2 (kN/m) * (length - 0.3 m)`",
          .required = true},
};
inline constexpr ObjectType kLineForce{
    .name = "line_force",
    .doc = "force between two points by a law of their distance and its rate",
    .fields = kLineForceFields,
    .channels = kLineChannels,
    .also_called = "point_to_point line_actuator hydraulic_cylinder sforce nonlinear_spring"};
constexpr const ObjectType& descriptor(const LineForce*) { return kLineForce; }

}  // namespace gelenk::model
