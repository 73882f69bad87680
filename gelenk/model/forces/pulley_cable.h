#pragma once

#include "gelenk/model/forces/cable.h"

namespace gelenk::model {

// Cable that runs over points of parts, as over small pulleys or through eyes, without friction: one tension in all of
// its sections, from the length of all together. In the machine each section is a force of its own.
struct PulleyCable : LineLaw {};

// Its length is one formula of this many distances.
inline constexpr std::size_t kMostPulleyPoints = 200;

inline constexpr auto kPulleyCableFields = join_fields(
    std::array{Field{.key = "between",
                     .kind = FieldKind::pair,
                     .doc = "the frames whose origins its two ends are tied to, `[A, B]`",
                     .required = true,
                     .refers_to = Refers::frame},
               Field{.key = "over",
                     .kind = FieldKind::references,
                     .doc = "the frames whose origins it runs over, in their order: `[mast.wheel, hook.eye]`",
                     .required = true,
                     .refers_to = Refers::frame,
                     .also_called = "via through pulleys points eyelets"}},
    std::array{kCableFields[1], kCableFields[2], kCableFields[3]});
inline constexpr std::array kPulleyCableChannels{
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "tension, the same in all sections"}};
inline constexpr ObjectType kPulleyCable{
    .name = "pulley_cable",
    .doc = "cable over pulleys: pulls when its path over all points is longer than its free length, never pushes",
    .fields = kPulleyCableFields,
    .channels = kPulleyCableChannels,
    .law = kCable.law,
    .also_called = "reeving tackle block_and_tackle cable_path tendon_path rope_over_pulleys"};
constexpr const ObjectType& descriptor(const PulleyCable*) { return kPulleyCable; }

}  // namespace gelenk::model
