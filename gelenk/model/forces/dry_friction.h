#pragma once

#include "gelenk/model/forces/hard_force.h"

namespace gelenk::model {

// Coulomb's friction in a joint, or between two coordinates: it sticks without creeping, and slides with all it has. A
// brake is one whose `coulomb` changes.
struct DryFriction : HardForce {
  double stiction = 0.0;
};

inline constexpr std::array kDryFrictionFields{
    kDrivesField,
    kRelativeToField,
    kRatioField,
    not_negative(needed(coordinate_key("coulomb", Quantity::force, Quantity::torque,
                                       "friction while it slides, and the most while it sticks; may change with time, "
                                       "with states and with the motion"))),
    with_default(not_negative(hard_number("stiction", Quantity::force, Quantity::torque,
                                          "what must be overcome beyond `coulomb` before it slides",
                                          kNumberInto<&DryFriction::stiction>)),
                 "0"),
};
inline constexpr ObjectType kDryFriction{.name = "dry_friction",
                                         .doc = "dry friction of a joint coordinate, or a brake; `method: moreau`",
                                         .fields = kDryFrictionFields,
                                         .channels = kHardChannels,
                                         .law = "coulomb",
                                         .also_called = "brake coulomb_friction stick_slip holding_brake",
                                         .is_hard = true};
constexpr const ObjectType& descriptor(const DryFriction*) { return kDryFriction; }

}  // namespace gelenk::model
