#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Torsion spring and damper on a joint angle, counted over full turns:
// torque = -stiffness × (angle - free_angle) - damping × rate.
struct RotationalSpringDamper {
  double stiffness = 0.0;   // N m/rad
  double damping = 0.0;     // N m s/rad
  double free_angle = 0.0;  // rad
};

inline constexpr std::array kRotationalSpringDamperFields{
    Field{.key = "drives",
          .kind = FieldKind::reference,
          .doc = "the joint angle it acts on: `hinge.angle`",
          .required = true,
          .refers_to = Refers::coordinate},
    Field{.key = "stiffness",
          .kind = FieldKind::number,
          .quantity = Quantity::rotational_stiffness,
          .doc = "torque per angle",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&RotationalSpringDamper::stiffness>},
    Field{.key = "damping",
          .kind = FieldKind::number,
          .quantity = Quantity::rotational_damping,
          .doc = "torque per angular rate",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&RotationalSpringDamper::damping>},
    Field{.key = "free_angle",
          .kind = FieldKind::number,
          .quantity = Quantity::angle,
          .doc = "angle at which the spring has no torque",
          .fallback = "0",
          .store = kNumberInto<&RotationalSpringDamper::free_angle>},
};
inline constexpr std::array kRotationalSpringDamperChannels{Channel{
    "torque", Quantity::torque, Channel::Shape::scalar, false, "positive in the direction of increasing angle"}};
inline constexpr ObjectType kRotationalSpringDamper{
    .name = "rotational_spring_damper",
    .doc = "torsion spring and damper on a joint angle",
    .fields = kRotationalSpringDamperFields,
    .channels = kRotationalSpringDamperChannels,
    .also_called = "torsion_spring torsional_spring rotational_spring rotational_damper rsda",
    .stores_energy = true};
constexpr const ObjectType& descriptor(const RotationalSpringDamper*) { return kRotationalSpringDamper; }

}  // namespace gelenk::model
