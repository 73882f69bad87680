#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Effort on a joint coordinate: a torque on an angle, a force on a travel. Its value may use `coordinate` and `rate`.
struct Actuator {};

// What a driver or an actuator records; only the effort that fits its coordinate exists.
inline constexpr std::array kEffortChannels{
    Channel{"torque", Quantity::torque, Channel::Shape::scalar, false, "positive in the direction of increasing angle"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "positive in the direction of increasing travel"},
    Channel{"power", Quantity::power, Channel::Shape::scalar, false, "effort times rate"},
};

inline constexpr std::array kActuatorFields{
    Field{.key = "drives",
          .kind = FieldKind::reference,
          .doc = "the joint coordinate it acts on: `hinge.angle`",
          .required = true,
          .refers_to = Refers::coordinate},
    Field{.key = "value",
          .kind = FieldKind::signal,
          .doc = "torque or force; may use `coordinate` and `rate` beside `time` and channels",
          .required = true},
};
inline constexpr ObjectType kActuator{.name = "actuator",
                                      .doc = "torque or force on a joint coordinate",
                                      .fields = kActuatorFields,
                                      .channels = kEffortChannels,
                                      .also_called = "motor drive servo cylinder_force"};
constexpr const ObjectType& descriptor(const Actuator*) { return kActuator; }

}  // namespace gelenk::model
