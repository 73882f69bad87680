#pragma once

#include "gelenk/model/forces/load_fields.h"

namespace gelenk::model {

// A torque of given size on a part; with `between` it acts on the part of the second frame and its opposite on that of
// the first.
struct Torque {};

inline constexpr auto kTorqueFields =
    join_fields(kLoadFields, std::array{Field{.key = "about",
                                              .kind = FieldKind::direction,
                                              .doc = "axis of the torque, in the axes of `axes_of`",
                                              .required = true},
                                        Field{.key = "value",
                                              .kind = FieldKind::signal,
                                              .quantity = Quantity::torque,
                                              .doc = "size of the torque, right-handed about the axis",
                                              .required = true}});
inline constexpr std::array kTorqueChannels{
    Channel{"torque", Quantity::torque, Channel::Shape::scalar, false, "size about the axis"}};
inline constexpr ObjectType kTorque{.name = "torque",
                                    .doc = "torque on a part",
                                    .fields = kTorqueFields,
                                    .channels = kTorqueChannels,
                                    .also_called = "moment couple"};
constexpr const ObjectType& descriptor(const Torque*) { return kTorque; }

}  // namespace gelenk::model
