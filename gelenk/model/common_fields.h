#pragma once

#include <array>
#include <cstddef>

#include "gelenk/model/descriptor.h"
#include "gelenk/model/primitives.h"

// Fields and channels that several element types share.
namespace gelenk::model {

// The fields of several lists, one after the other.
template <std::size_t... N>
constexpr auto join_fields(const std::array<Field, N>&... lists) {
  std::array<Field, (N + ... + 0)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& list) {
    for (const Field& field : list) all[next++] = field;
  };
  (append(lists), ...);
  return all;
}

// Every element takes these.
inline constexpr std::array kElementFields{
    Field{.key = "enabled",
          .kind = FieldKind::flag,
          .doc = "`false` keeps the element in the file but leaves it out of the machine",
          .fallback = "true"},
    Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"},
    Field{.key = "meta", .kind = FieldKind::free, .doc = "free data for other programs; kept, never read"},
};

inline constexpr Field kTypeField{
    .key = "type", .kind = FieldKind::text, .doc = "which kind of element this is", .required = true};

inline constexpr Field kBetweenField{.key = "between",
                                     .kind = FieldKind::pair,
                                     .doc = "the two frames, `[A, B]`; a part's name stands for its origin frame",
                                     .refers_to = Refers::frame};

// What all joints between two frames share.
inline constexpr std::array kFrameJointFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc = "the two frames, `[A, B]`; a part's name stands for its origin frame",
          .required = true,
          .refers_to = Refers::frame,
          .also_called = "parent child bodies parts connects body_a body_b frame_a frame_b"},
    Field{.key = "at",
          .kind = FieldKind::placement,
          .quantity = Quantity::length,
          .doc =
              "where the joint sits in the drawing; both parts then get a frame there, so the joint is closed and its "
              "coordinates are zero as drawn. Without it the two frames of `between` are joined"},
    Field{.key = "start",
          .kind = FieldKind::coordinates,
          .doc = "coordinates and rates at the start, held exactly when the machine is assembled"},
    Field{.key = "guess",
          .kind = FieldKind::coordinates,
          .doc = "coordinates near which the machine is assembled; they only choose the branch"},
    Field{
        .key = "limits",
        .kind = FieldKind::limits,
        .doc = "`{angle: {min: ..., max: ...}}`; a run reports when they are exceeded, but does not enforce them yet"},
    Field{.key = "compliance",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "factor on the compliance of the joint, used only to share loads that rigid parts leave undetermined",
          .fallback = "1",
          .range = kPositive},
};

inline constexpr Field kAxisField{
    .key = "axis",
    .kind = FieldKind::direction,
    .doc = "the joint's axis, in the axes of the first frame, or of `at` where that is given",
    .required = true};

inline constexpr Field kSecondAxisInPlane{
    .key = "second_axis",
    .kind = FieldKind::direction,
    .doc =
        "direction of the coordinate `x`, perpendicular to the axis; by default, the first of x, y, z that is not "
        "along it"};

// Moves with the second frame relative to the first; see docs/conventions.md.
inline constexpr Coordinate kAngle{"angle", "rate", Coordinate::Motion::rotation, 2};
inline constexpr Coordinate kTravel{"travel", "speed", Coordinate::Motion::translation, 2};
inline constexpr Coordinate kTravelX{"x", "speed_x", Coordinate::Motion::translation, 0};
inline constexpr Coordinate kTravelY{"y", "speed_y", Coordinate::Motion::translation, 1};
inline constexpr Coordinate kTravelZ{"z", "speed_z", Coordinate::Motion::translation, 2};
inline constexpr Coordinate kOrientation{"orientation", "angular_velocity", Coordinate::Motion::orientation, 2};
inline constexpr std::array kFreeCoordinates{kTravelX, kTravelY, kTravelZ, kOrientation};

// Of what couples coordinates: the one that fits the first of them.
inline constexpr std::array kCouplingChannels{
    Channel{"torque", Quantity::torque, Channel::Shape::scalar, false, "what it does on the first coordinate"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false, "what it does on the first coordinate"},
};

inline constexpr std::array kReactionChannels{
    Channel{"reaction.force", Quantity::force, Channel::Shape::vector, false,
            "force on the second part at its joint frame, in axes of the first"},
    Channel{"reaction.moment", Quantity::torque, Channel::Shape::vector, true,
            "moment on the second part at its joint frame, in axes of the first"},
};

// Mirror rules of joint frames; see ObjectType::mirror_axes.
inline constexpr AxisSigns kMirrorKeepsRotationZ{1, 1, -1};
inline constexpr AxisSigns kMirrorKeepsTravelZ{1, -1, 1};
inline constexpr AxisSigns kMirrorKeepsRotations{-1, -1, -1};

}  // namespace gelenk::model
