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
  // Beside the diagonals: of two directions, xy, xz, yz; and force along x, y or z by a turn about x, y, z, which is
  // also the moment by that displacement.
  Vector3 stiffness_between = Vector3::Zero(), rotational_stiffness_between = Vector3::Zero();
  Vector3 damping_between = Vector3::Zero(), rotational_damping_between = Vector3::Zero();
  Vector3 stiffness_x = Vector3::Zero(), stiffness_y = Vector3::Zero(), stiffness_z = Vector3::Zero();
  Vector3 damping_x = Vector3::Zero(), damping_y = Vector3::Zero(), damping_z = Vector3::Zero();

  static Matrix3 full(const Vector3& diagonal, const Vector3& between) {
    Matrix3 result;
    result << diagonal.x(), between.x(), between.y(), between.x(), diagonal.y(), between.z(), between.y(), between.z(),
        diagonal.z();
    return result;
  }
  static Matrix3 rows(const Vector3& x, const Vector3& y, const Vector3& z) {
    Matrix3 result;
    result << x.transpose(), y.transpose(), z.transpose();
    return result;
  }
  bool is_coupled() const {
    for (const Vector3* part :
         {&stiffness_between, &rotational_stiffness_between, &damping_between, &rotational_damping_between,
          &stiffness_x, &stiffness_y, &stiffness_z, &damping_x, &damping_y, &damping_z}) {
      if (!part->isZero(0.0)) return true;
    }
    return false;
  }
};

constexpr Field bushing_key(std::string_view key, Quantity quantity, std::string_view doc,
                            void (*store)(void*, std::span<const double, 3>)) {
  return {.key = key,
          .kind = FieldKind::vector,
          .quantity = quantity,
          .doc = doc,
          .fallback = "[0, 0, 0]",
          .store_vector = store};
}

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
    bushing_key("stiffness_between", Quantity::stiffness,
                "[xy, xz, yz]: force along one of two directions by displacement along the other",
                kVectorInto<&Bushing::stiffness_between>),
    bushing_key("damping_between", Quantity::damping, "the same for speeds", kVectorInto<&Bushing::damping_between>),
    bushing_key("rotational_stiffness_between", Quantity::rotational_stiffness,
                "[xy, xz, yz]: moment about one of two directions by a turn about the other",
                kVectorInto<&Bushing::rotational_stiffness_between>),
    bushing_key("rotational_damping_between", Quantity::rotational_damping, "the same for angular rates",
                kVectorInto<&Bushing::rotational_damping_between>),
    bushing_key("stiffness_x", Quantity::force,
                "N/rad: force along x by turns about x, y, z, and the moments by a displacement along x",
                kVectorInto<&Bushing::stiffness_x>),
    bushing_key("stiffness_y", Quantity::force, "the same along y", kVectorInto<&Bushing::stiffness_y>),
    bushing_key("stiffness_z", Quantity::force, "the same along z", kVectorInto<&Bushing::stiffness_z>),
    bushing_key("damping_x", Quantity::any, "N*s/rad: the same along x for rates and speeds",
                kVectorInto<&Bushing::damping_x>),
    bushing_key("damping_y", Quantity::any, "the same along y", kVectorInto<&Bushing::damping_y>),
    bushing_key("damping_z", Quantity::any, "the same along z", kVectorInto<&Bushing::damping_z>),
};
inline constexpr std::array kBushingChannels{
    Channel{"force", Quantity::force, Channel::Shape::vector, false, "on the second part, in axes of the first frame"},
    Channel{"moment", Quantity::torque, Channel::Shape::vector, true, "on the second part, in axes of the first frame"},
};
inline constexpr ObjectType kBushing{.name = "bushing",
                                     .doc = "rubber mount: springs and dampers in all six directions",
                                     .fields = kBushingFields,
                                     .channels = kBushingChannels,
                                     .also_called = "rubber mount elastomer stiffness_matrix field_element",
                                     .stores_energy = true};
constexpr const ObjectType& descriptor(const Bushing*) { return kBushing; }

}  // namespace gelenk::model
