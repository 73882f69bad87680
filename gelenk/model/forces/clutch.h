#pragma once

#include "gelenk/model/forces/hard_force.h"

namespace gelenk::model {

// Friction between two coordinates that is switched: open, slipping, engaged.
struct Clutch : HardForce {};

inline constexpr std::array kClutchFields{
    kDrivesField,
    needed(kRelativeToField),
    kRatioField,
    not_negative(needed(coordinate_key("capacity", Quantity::force, Quantity::torque,
                                       "the most that it transmits; may change with time, with states and with the "
                                       "motion, 0: it is open"))),
};
inline constexpr ObjectType kClutch{.name = "clutch",
                                    .doc = "friction clutch between two joint coordinates; `method: moreau`",
                                    .fields = kClutchFields,
                                    .channels = kHardChannels,
                                    .law = "capacity",
                                    .also_called = "friction_clutch synchronizer slip_clutch torque_limiter",
                                    .is_hard = true};
constexpr const ObjectType& descriptor(const Clutch*) { return kClutch; }

}  // namespace gelenk::model
