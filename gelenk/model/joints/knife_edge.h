#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// A blade, skate or thin wheel under the second frame: the origin of that frame does not move across the blade. `axis`,
// z of the joint frame, points across it and turns with the second part. Everything else is free: what keeps the blade
// on its plane is a joint of its own.
struct KnifeEdge {};

inline constexpr auto kKnifeEdgeFields =
    join_fields(kFrameJointFields, std::array{Field{.key = "axis",
                                                    .kind = FieldKind::direction,
                                                    .doc = "direction across the blade, fixed in the second frame and "
                                                           "in its axes, or in those of `at` where that is given",
                                                    .required = true}});
inline constexpr std::array kKnifeEdgePrimitives{Primitive::blade};
inline constexpr ObjectType kKnifeEdge{
    .name = "knife_edge",
    .doc = "blade or skate: the second frame does not move sideways; a `planar` joint carries it",
    .fields = kKnifeEdgeFields,
    .primitives = kKnifeEdgePrimitives,
    .mirror_axes = kMirrorKeepsRotations,
    .channels = kReactionChannels,
    .also_called = "skate blade no_side_slip"};
constexpr const ObjectType& descriptor(const KnifeEdge*) { return kKnifeEdge; }

}  // namespace gelenk::model
