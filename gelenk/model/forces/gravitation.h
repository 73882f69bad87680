#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Two parts attract each other at their centers of mass, as spheres do: constant × mass × mass / distance².
struct Gravitation {
  double constant = 6.67430e-11;  // m³/s² per kilogram
  double first_mass = 1.0;        // kg, of the two parts
  double second_mass = 1.0;
};

inline constexpr std::array kGravitationFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "the two parts; they attract each other at their centers of mass",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "constant",
          .kind = FieldKind::number,
          .quantity = Quantity::gravity_parameter,
          .doc = "strength of the field of one kilogram",
          .fallback = "6.67430e-11",
          .range = kPositive,
          .store = kNumberInto<&Gravitation::constant>},
};
inline constexpr std::array kGravitationChannels{
    Channel{"distance", Quantity::length, Channel::Shape::scalar, false, "between the two centers of mass"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "attraction"},
};
inline constexpr ObjectType kGravitation{.name = "gravitation",
                                         .doc = "two parts attract each other by their masses",
                                         .fields = kGravitationFields,
                                         .channels = kGravitationChannels,
                                         .also_called = "mutual_gravity newton_gravity two_body attraction",
                                         .stores_energy = true};
constexpr const ObjectType& descriptor(const Gravitation*) { return kGravitation; }

}  // namespace gelenk::model
