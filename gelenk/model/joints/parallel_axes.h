#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Keeps an axis of the second frame parallel to one of the first, z of both joint frames; moves as it likes, and turns
// about the axis.
struct ParallelAxes {};

inline constexpr auto kParallelAxesFields = join_fields(kFrameJointFields, std::array{kAxisField, kSecondAxisInPlane});
inline constexpr std::array kParallelAxesCoordinates{kTravelX, kTravelY, kTravelZ, kAngle};
inline constexpr std::array kParallelAxesPrimitives{Primitive::parallel_axes};
inline constexpr ObjectType kParallelAxes{.name = "parallel_axes",
                                          .doc = "keeps two axes parallel; moves freely and turns about them",
                                          .fields = kParallelAxesFields,
                                          .coordinates = kParallelAxesCoordinates,
                                          .primitives = kParallelAxesPrimitives,
                                          .mirror_axes = kMirrorKeepsRotationZ,
                                          .channels = kReactionChannels,
                                          .also_called = "parallel"};
constexpr const ObjectType& descriptor(const ParallelAxes*) { return kParallelAxes; }

}  // namespace gelenk::model
