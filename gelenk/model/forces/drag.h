#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Resistance of a medium that moves with the first frame against the origin of the second: a part that grows with the
// speed, and one that grows with its square and is given by its size at one speed.
struct Drag {
  double damping = 0.0;  // N s/m
  double force = 0.0;    // N, at `speed`
  double speed = 1.0;    // m/s
};

inline constexpr std::array kDragFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "`[A, B]`: the medium moves with A, often the ground; its resistance acts at the origin of B",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "damping",
          .kind = FieldKind::number,
          .quantity = Quantity::damping,
          .doc = "force per speed, as of a slow body in oil",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&Drag::damping>},
    Field{.key = "force",
          .kind = FieldKind::number,
          .quantity = Quantity::force,
          .doc = "force at `speed` that grows with the square of the speed, as of a body in air",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&Drag::force>},
    Field{.key = "speed",
          .kind = FieldKind::number,
          .quantity = Quantity::speed,
          .doc = "speed at which `force` is given",
          .fallback = "1",
          .range = kPositive,
          .store = kNumberInto<&Drag::speed>},
};
inline constexpr std::array kDragChannels{
    Channel{"speed", Quantity::speed, Channel::Shape::scalar, false, "against the medium"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "against the motion"},
};
inline constexpr ObjectType kDrag{.name = "drag",
                                  .doc = "resistance of a medium: linear and quadratic in the speed",
                                  .fields = kDragFields,
                                  .channels = kDragChannels,
                                  .also_called = "air_resistance aerodynamic_drag fluid_drag"};
constexpr const ObjectType& descriptor(const Drag*) { return kDrag; }

}  // namespace gelenk::model
