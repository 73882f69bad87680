#pragma once

#include "gelenk/model/forces/coordinate_law.h"

namespace gelenk::model {

// Spring and damper on any joint coordinate, with a preload; all of its numbers may change.
struct CoordinateSpring : CoordinateLaw {};

inline constexpr std::array kCoordinateSpringFields{
    kDrivesField,
    with_default(
        coordinate_key("stiffness", Quantity::stiffness, Quantity::rotational_stiffness, "effort per travel or angle"),
        "0"),
    with_default(coordinate_key("damping", Quantity::damping, Quantity::rotational_damping, "effort per rate"), "0"),
    with_default(coordinate_key("free_position", Quantity::length, Quantity::angle,
                                "coordinate at which the spring has its preload alone"),
                 "0"),
    with_default(coordinate_key("preload", Quantity::force, Quantity::torque, "effort at `free_position`"), "0"),
};
inline constexpr ObjectType kCoordinateSpring{
    .name = "coordinate_spring",
    .doc =
        "spring and damper on any joint coordinate: preload - stiffness × (coordinate - free_position) - damping × "
        "rate; its numbers may be expressions and tables",
    .fields = kCoordinateSpringFields,
    .channels = kEffortChannels,
    .law = "preload - stiffness * (coordinate - free_position) - damping * rate",
    .also_called = "joint_spring translational_spring_damper travel_spring preload_spring"};
constexpr const ObjectType& descriptor(const CoordinateSpring*) { return kCoordinateSpring; }

}  // namespace gelenk::model
