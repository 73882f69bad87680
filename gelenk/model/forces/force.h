#pragma once

#include "gelenk/model/forces/load_fields.h"

namespace gelenk::model {

// A force of given size on a frame; with `between` it acts on the second frame and its opposite, on the same line of
// action, on the part of the first.
struct Force {};

inline constexpr auto kForceFields =
    join_fields(kLoadFields, std::array{Field{.key = "along",
                                              .kind = FieldKind::direction,
                                              .doc = "direction of the force, in the axes of `axes_of`",
                                              .required = true},
                                        Field{.key = "value",
                                              .kind = FieldKind::signal,
                                              .quantity = Quantity::force,
                                              .doc = "size of the force; negative: against the direction",
                                              .required = true}});
inline constexpr std::array kForceChannels{
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "size along the direction"}};
inline constexpr ObjectType kForce{.name = "force",
                                   .doc = "force on a frame",
                                   .fields = kForceFields,
                                   .channels = kForceChannels,
                                   .also_called = "load point_force applied_force"};
constexpr const ObjectType& descriptor(const Force*) { return kForce; }

}  // namespace gelenk::model
