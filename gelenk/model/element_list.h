#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

#include "gelenk/model/forces/actuator.h"
#include "gelenk/model/forces/backlash.h"
#include "gelenk/model/forces/bushing.h"
#include "gelenk/model/forces/cable.h"
#include "gelenk/model/forces/clutch.h"
#include "gelenk/model/forces/coordinate_spring.h"
#include "gelenk/model/forces/drag.h"
#include "gelenk/model/forces/dry_friction.h"
#include "gelenk/model/forces/force.h"
#include "gelenk/model/forces/gas_spring.h"
#include "gelenk/model/forces/gravitation.h"
#include "gelenk/model/forces/joint_friction.h"
#include "gelenk/model/forces/line_force.h"
#include "gelenk/model/forces/one_way.h"
#include "gelenk/model/forces/pulley_cable.h"
#include "gelenk/model/forces/rigid_stop.h"
#include "gelenk/model/forces/rotational_spring_damper.h"
#include "gelenk/model/forces/spring_damper.h"
#include "gelenk/model/forces/stop.h"
#include "gelenk/model/forces/tire.h"
#include "gelenk/model/forces/torque.h"
#include "gelenk/model/joints/constant_angle.h"
#include "gelenk/model/joints/constant_velocity.h"
#include "gelenk/model/joints/couplings.h"
#include "gelenk/model/joints/cylindrical.h"
#include "gelenk/model/joints/distance.h"
#include "gelenk/model/joints/fixed.h"
#include "gelenk/model/joints/free.h"
#include "gelenk/model/joints/knife_edge.h"
#include "gelenk/model/joints/laws.h"
#include "gelenk/model/joints/parallel_axes.h"
#include "gelenk/model/joints/path.h"
#include "gelenk/model/joints/perpendicular_axes.h"
#include "gelenk/model/joints/planar.h"
#include "gelenk/model/joints/point_on_curve.h"
#include "gelenk/model/joints/point_on_line.h"
#include "gelenk/model/joints/point_on_plane.h"
#include "gelenk/model/joints/prismatic.h"
#include "gelenk/model/joints/revolute.h"
#include "gelenk/model/joints/rolling.h"
#include "gelenk/model/joints/screw.h"
#include "gelenk/model/joints/slot.h"
#include "gelenk/model/joints/spherical.h"
#include "gelenk/model/joints/universal.h"

// The closed set of elements: a new one is its header and one line here.
namespace gelenk::model {

using JointData =
    std::variant<Revolute, Prismatic, Cylindrical, Spherical, Universal, Planar, Fixed, Distance, Rolling, KnifeEdge,
                 Slot, PointOnLine, PointOnPlane, PointOnCurve, Path, ParallelAxes, PerpendicularAxes, ConstantAngle,
                 ConstantVelocity, Free, Screw, Gear, Rack, Belt, Coupler, Planetary, Differential, Cam, ExpressionLaw>;
using ForceData = std::variant<Force, Torque, SpringDamper, RotationalSpringDamper, Bushing, Actuator, LineForce,
                               GasSpring, Cable, CoordinateSpring, JointFriction, Stop, Gravitation, Drag, PulleyCable,
                               Tire, RigidStop, Backlash, DryFriction, Clutch, OneWay, Ratchet>;

// Descriptors of a variant's members, in its order.
template <class Variant>
struct Descriptors;
template <class... Types>
struct Descriptors<std::variant<Types...>> {
  static constexpr std::array<const ObjectType*, sizeof...(Types)> kAll{&descriptor(static_cast<Types*>(nullptr))...};
};

// Default data of the type with this descriptor; `store` functions of its fields then write into it.
template <class Variant>
Variant make_data(const ObjectType* type) {
  Variant result;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((Descriptors<Variant>::kAll[I] == type ? (result.template emplace<I>(), void()) : void()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
  return result;
}

// Null for a joint without one.
inline std::shared_ptr<const Curve> shared_curve(const JointData& data) {
  return std::visit(
      [](const auto& one) -> std::shared_ptr<const Curve> {
        if constexpr (requires { one.curve; }) return one.curve;
        return nullptr;
      },
      data);
}

template <class Variant>
void* data_pointer(Variant& data) {
  return std::visit([](auto& member) -> void* { return &member; }, data);
}

}  // namespace gelenk::model
