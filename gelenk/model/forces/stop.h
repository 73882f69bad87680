#pragma once

#include "gelenk/model/forces/coordinate_law.h"

namespace gelenk::model {

// Elastic stops of a joint coordinate, on one side or on both, or backlash between two flanks. They push and never
// pull. The run steps onto the instants of touch and release.
struct Stop : CoordinateLaw {};

inline constexpr double kNoStop = 1e30;  // a bound that is not there

inline constexpr std::array kStopFields{
    kDrivesField,
    absent_as(
        coordinate_key("lower", Quantity::length, Quantity::angle, "coordinate of the lower stop; by default, none"),
        -kNoStop),
    absent_as(
        coordinate_key("upper", Quantity::length, Quantity::angle, "coordinate of the upper stop; by default, none"),
        kNoStop),
    positive(needed(coordinate_key("stiffness", Quantity::stiffness, Quantity::rotational_stiffness,
                                   "effort per travel or angle beyond the stop"))),
    not_negative(with_default(
        coordinate_key("damping", Quantity::damping, Quantity::rotational_damping, "effort per rate beyond the stop"),
        "0")),
};
inline constexpr ObjectType kStop{
    .name = "stop",
    .doc =
        "elastic stops of a joint coordinate, or backlash between them: stiffness × depth + damping × rate beyond "
        "`lower` or `upper`, never pulling",
    .fields = kStopFields,
    .channels = kEffortChannels,
    .law =
        "if(coordinate > upper,"
        " -max(0, stiffness * (coordinate - upper) + damping * rate),"
        " if(coordinate < lower,"
        " max(0, stiffness * (lower - coordinate) - damping * rate), 0))",
    .also_called = "stops limit limits bumper end_stop backlash play clearance deadband dead_zone"};
constexpr const ObjectType& descriptor(const Stop*) { return kStop; }

}  // namespace gelenk::model
