#pragma once

#include "gelenk/model/forces/hard_force.h"

namespace gelenk::model {

// Lets a rate have one sign only.
struct OneWay : HardForce {
  double way = 1.0;  // in which it is free
};

inline constexpr std::array kOneWayFields{kDrivesField, kRelativeToField, kRatioField, kFreeField};
inline constexpr ObjectType kOneWay{
    .name = "one_way",
    .doc = "one-way clutch, or freewheel: it lets the coordinate go one way and holds it the other; `method: moreau`",
    .fields = kOneWayFields,
    .channels = kHardChannels,
    .also_called = "freewheel overrunning_clutch sprag one_way_clutch backstop",
    .is_hard = true};
constexpr const ObjectType& descriptor(const OneWay*) { return kOneWay; }

// The same with teeth: it falls back to the last one that it has passed. The first is where the machine is drawn.
struct Ratchet : HardForce {
  double way = 1.0;
  double pitch = 0.0;
};

inline constexpr std::array kRatchetFields{
    kDrivesField,
    kRelativeToField,
    kRatioField,
    kFreeField,
    needed(positive(hard_number("pitch", Quantity::length, Quantity::angle, "from one tooth to the next",
                                kNumberInto<&Ratchet::pitch>))),
};
inline constexpr ObjectType kRatchet{
    .name = "ratchet",
    .doc = "pawl and teeth: the coordinate goes one way, and back to the last tooth passed; `method: moreau`",
    .fields = kRatchetFields,
    .channels = kHardChannels,
    .also_called = "pawl detent",
    .is_hard = true};
constexpr const ObjectType& descriptor(const Ratchet*) { return kRatchet; }

}  // namespace gelenk::model
