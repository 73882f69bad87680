#pragma once

#include "gelenk/model/forces/hard_force.h"
#include "gelenk/model/forces/stop.h"

namespace gelenk::model {

// Stops of a coordinate that do not give way, on one side or on both.
struct RigidStop : HardForce {
  double lower = -kNoStop, upper = kNoStop;
  double restitution = 0.0;
};

inline constexpr std::array kRigidStopFields{
    kDrivesField,
    kRelativeToField,
    kRatioField,
    hard_number("lower", Quantity::length, Quantity::angle, "coordinate of the lower stop; by default, none",
                kNumberInto<&RigidStop::lower>),
    hard_number("upper", Quantity::length, Quantity::angle, "coordinate of the upper stop; by default, none",
                kNumberInto<&RigidStop::upper>),
    restitution_field(kNumberInto<&RigidStop::restitution>),
};
inline constexpr ObjectType kRigidStop{.name = "rigid_stop",
                                       .doc = "rigid stops of a joint coordinate, with impacts; `method: moreau`",
                                       .fields = kRigidStopFields,
                                       .channels = kHardChannels,
                                       .also_called = "hard_stop joint_limit limit_stop",
                                       .is_hard = true};
constexpr const ObjectType& descriptor(const RigidStop*) { return kRigidStop; }

}  // namespace gelenk::model
