#pragma once

#include "gelenk/math/pose.h"
#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Rubber mount: springs and dampers along and about the three axes of the first frame, with a preload that acts on the
// second part when the two frames coincide.
struct Bushing {
  Vector3 stiffness = Vector3::Zero();             // N/m
  Vector3 damping = Vector3::Zero();               // N s/m
  Vector3 rotational_stiffness = Vector3::Zero();  // N m/rad
  Vector3 rotational_damping = Vector3::Zero();    // N m s/rad
  Vector3 preload_force = Vector3::Zero();         // N
  Vector3 preload_moment = Vector3::Zero();        // N m
};

inline constexpr std::array kBushingFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "the two frames, `[A, B]`; all values are in the axes of A",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "stiffness",
          .kind = FieldKind::vector,
          .quantity = Quantity::stiffness,
          .doc = "along x, y, z",
          .fallback = "[0, 0, 0]",
          .range = kNotNegative,
          .store_vector = kVectorInto<&Bushing::stiffness>},
    Field{.key = "damping",
          .kind = FieldKind::vector,
          .quantity = Quantity::damping,
          .doc = "along x, y, z",
          .fallback = "[0, 0, 0]",
          .range = kNotNegative,
          .store_vector = kVectorInto<&Bushing::damping>},
    Field{.key = "rotational_stiffness",
          .kind = FieldKind::vector,
          .quantity = Quantity::rotational_stiffness,
          .doc = "about x, y, z",
          .fallback = "[0, 0, 0]",
          .range = kNotNegative,
          .store_vector = kVectorInto<&Bushing::rotational_stiffness>},
    Field{.key = "rotational_damping",
          .kind = FieldKind::vector,
          .quantity = Quantity::rotational_damping,
          .doc = "about x, y, z",
          .fallback = "[0, 0, 0]",
          .range = kNotNegative,
          .store_vector = kVectorInto<&Bushing::rotational_damping>},
    Field{.key = "preload_force",
          .kind = FieldKind::vector,
          .quantity = Quantity::force,
          .doc = "force on the second part when the frames coincide",
          .fallback = "[0, 0, 0]",
          .store_vector = kVectorInto<&Bushing::preload_force>},
    Field{.key = "preload_moment",
          .kind = FieldKind::vector,
          .quantity = Quantity::torque,
          .doc = "moment on the second part when the frames coincide",
          .fallback = "[0, 0, 0]",
          .store_vector = kVectorInto<&Bushing::preload_moment>},
};
inline constexpr std::array kBushingChannels{
    Channel{"force", Quantity::force, Channel::Shape::vector, false, "on the second part, in axes of the first frame"},
    Channel{"moment", Quantity::torque, Channel::Shape::vector, true, "on the second part, in axes of the first frame"},
};
inline constexpr ObjectType kBushing{.name = "bushing",
                                     .doc = "rubber mount: springs and dampers in all six directions",
                                     .fields = kBushingFields,
                                     .channels = kBushingChannels,
                                     .also_called = "rubber mount elastomer",
                                     .stores_energy = true};
constexpr const ObjectType& descriptor(const Bushing*) { return kBushing; }

}  // namespace gelenk::model
