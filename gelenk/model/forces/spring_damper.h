#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Spring and damper between two points: pulls with stiffness × (length - free_length) + damping × (rate of the length).
struct SpringDamper {
  double stiffness = 0.0;     // N/m
  double damping = 0.0;       // N s/m
  double free_length = -1.0;  // m; negative: the length as drawn
};

inline constexpr std::array kSpringDamperFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "the two frames whose origins are connected, `[A, B]`",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "stiffness",
          .kind = FieldKind::number,
          .quantity = Quantity::stiffness,
          .doc = "force per length",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&SpringDamper::stiffness>,
          .also_called = "k c_spring spring_constant spring_rate"},
    Field{.key = "damping",
          .kind = FieldKind::number,
          .quantity = Quantity::damping,
          .doc = "force per speed",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&SpringDamper::damping>,
          .also_called = "c d damper damping_constant viscous"},
    Field{.key = "free_length",
          .kind = FieldKind::number,
          .quantity = Quantity::length,
          .doc = "length at which the spring has no force; by default, the length as drawn",
          .range = kNotNegative,
          .store = kNumberInto<&SpringDamper::free_length>,
          .also_called = "length rest_length natural_length l0 unstretched_length"},
};
inline constexpr std::array kSpringDamperChannels{
    Channel{"length", Quantity::length, Channel::Shape::scalar, false, "distance between the two points"},
    Channel{"speed", Quantity::speed, Channel::Shape::scalar, false, "rate of the length"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false,
            "tension, positive when it pulls the ends together"},
};
inline constexpr ObjectType kSpringDamper{.name = "spring_damper",
                                          .doc = "spring and damper between two points",
                                          .fields = kSpringDamperFields,
                                          .channels = kSpringDamperChannels,
                                          .also_called = "spring damper strut tsda shock dashpot",
                                          .stores_energy = true};
constexpr const ObjectType& descriptor(const SpringDamper*) { return kSpringDamper; }

}  // namespace gelenk::model
