#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Holds nothing: gives the second frame coordinates relative to the first, for start values, drivers, springs, limits.
struct Free {};

inline constexpr auto kFreeFields = join_fields(kFrameJointFields);
inline constexpr ObjectType kFree{.name = "free",
                                  .doc = "holds nothing: gives coordinates to start, drive and load a part by",
                                  .fields = kFreeFields,
                                  .coordinates = kFreeCoordinates,
                                  .mirror_axes = kMirrorKeepsRotations,
                                  .channels = kReactionChannels,
                                  .also_called = "floating six_dof freemotion free_motion 6dof"};
constexpr const ObjectType& descriptor(const Free*) { return kFree; }

}  // namespace gelenk::model
