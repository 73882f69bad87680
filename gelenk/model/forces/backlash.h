#pragma once

#include "gelenk/model/forces/hard_force.h"

namespace gelenk::model {

// Play between two rigid flanks, as much on both sides of where the machine is drawn.
struct Backlash : HardForce {
  double width = 0.0;
  double restitution = 0.0;
};

inline constexpr std::array kBacklashFields{
    kDrivesField,
    kRelativeToField,
    kRatioField,
    needed(positive(hard_number("width", Quantity::length, Quantity::angle, "from one flank to the other",
                                kNumberInto<&Backlash::width>))),
    restitution_field(kNumberInto<&Backlash::restitution>),
};
inline constexpr ObjectType kBacklash{
    .name = "backlash",
    .doc = "play between two rigid flanks, centered where the machine is drawn; `method: moreau`",
    .fields = kBacklashFields,
    .channels = kHardChannels,
    .also_called = "play clearance lash gear_backlash",
    .is_hard = true};
constexpr const ObjectType& descriptor(const Backlash*) { return kBacklash; }

}  // namespace gelenk::model
