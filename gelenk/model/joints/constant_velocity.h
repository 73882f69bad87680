#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Homokinetic joint of two shafts that meet in a point and turn at the same rate at any angle between them: the second
// frame is bent against the first about an axis in the xy plane, never twisted about z.
struct ConstantVelocity {};

inline constexpr auto kConstantVelocityFields = join_fields(
    kFrameJointFields, std::array{Field{.key = "axis",
                                        .kind = FieldKind::direction,
                                        .doc = "axis of the first shaft, in the axes of the first frame, or "
                                               "of `at`; that of the second is the same where the joint is "
                                               "straight",
                                        .required = true}});
inline constexpr std::array kConstantVelocityCoordinates{kOrientation};
inline constexpr std::array kConstantVelocityPrimitives{Primitive::point, Primitive::no_twist};
inline constexpr ObjectType kConstantVelocity{
    .name = "constant_velocity",
    .doc = "homokinetic joint: two shafts meet in a point and turn at the same rate at any angle",
    .fields = kConstantVelocityFields,
    .coordinates = kConstantVelocityCoordinates,
    .primitives = kConstantVelocityPrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "cv cv_joint convel const_vel homokinetic rzeppa"};
constexpr const ObjectType& descriptor(const ConstantVelocity*) { return kConstantVelocity; }

}  // namespace gelenk::model
