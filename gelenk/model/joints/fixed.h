#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Weld: no relative motion.
struct Fixed {};

inline constexpr auto kFixedFields = join_fields(kFrameJointFields);
inline constexpr std::array kFixedPrimitives{Primitive::point, Primitive::same_axes};
inline constexpr ObjectType kFixed{.name = "fixed",
                                   .doc = "weld: holds the two frames together",
                                   .fields = kFixedFields,
                                   .primitives = kFixedPrimitives,
                                   .mirror_axes = kMirrorKeepsRotations,
                                   .channels = kReactionChannels,
                                   .also_called = "weld welded rigid lock locked glue bolted"};
constexpr const ObjectType& descriptor(const Fixed*) { return kFixed; }

}  // namespace gelenk::model
