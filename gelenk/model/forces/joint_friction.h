#pragma once

#include "gelenk/model/forces/coordinate_law.h"

namespace gelenk::model {

// Dry friction in a joint, smooth about standstill: below `stick_rate` it grows as a very stiff damper, so a joint that
// sticks creeps. `stiction` is what must be overcome beyond `coulomb`; it fades with the rate (Stribeck).
struct JointFriction : CoordinateLaw {};

inline constexpr std::array kJointFrictionFields{
    kDrivesField,
    not_negative(needed(coordinate_key("coulomb", Quantity::force, Quantity::torque, "friction at any high rate"))),
    positive(needed(coordinate_key("stick_rate", Quantity::speed, Quantity::angular_rate,
                                   "rate that counts as standstill: there the friction is 76 % of the whole"))),
    not_negative(with_default(
        coordinate_key("stiction", Quantity::force, Quantity::torque, "friction beyond `coulomb` near standstill"),
        "0")),
    positive(with_default(coordinate_key("stribeck_rate", Quantity::speed, Quantity::angular_rate,
                                         "rate at which `stiction` has faded to 37 %"),
                          "1")),
    not_negative(with_default(
        coordinate_key("viscous", Quantity::damping, Quantity::rotational_damping, "friction per rate, on top"), "0")),
};
inline constexpr ObjectType kJointFriction{
    .name = "joint_friction",
    .doc = "friction on a joint coordinate: Coulomb with a smooth standstill, Stribeck and viscous",
    .fields = kJointFrictionFields,
    .channels = kEffortChannels,
    .law = "-(coulomb + stiction * exp(-(rate / stribeck_rate)^2)) * tanh(rate / stick_rate) - viscous * rate",
    .also_called = "friction coulomb stribeck dry_friction bearing_friction"};
constexpr const ObjectType& descriptor(const JointFriction*) { return kJointFriction; }

}  // namespace gelenk::model
