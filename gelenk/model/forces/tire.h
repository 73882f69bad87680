#pragma once

#include "gelenk/model/common_fields.h"

namespace gelenk::model {

// Tire of a thin wheel on a plane: a spring and damper that presses it off the road, and forces along and across it by
// the Magic Formula. Slip in both directions goes into one slip, so that it never grips more than the road lets it.
struct Tire {
  double radius = 0.3;                // m
  double stiffness = 200e3;           // N/m
  double damping = 0.0;               // N s/m
  double friction = 1.0;              // largest force along the tire over load
  double lateral_friction = -1.0;     // across it; negative: as along
  double slip_stiffness = 20.0;       // slope of force over load by slip at zero
  double cornering_stiffness = 15.0;  // of the lateral force, by the tangent of the slip angle
  double shape = 1.6;                 // C of the formula
  double lateral_shape = 1.3;
  double curvature = 0.0;  // E of the formula
  double lateral_curvature = 0.0;
  double rolling_resistance = 0.0;  // force over load
  double low_speed = 0.5;           // m/s: below it slip is counted against this speed
  // Of a mirror image: the normal of the road is side × z of its frame, and forward is hand × (axis × normal).
  double side = 1.0;
  double hand = 1.0;
};

constexpr Field tire_number(std::string_view key, std::string_view doc, std::string_view fallback, Range range,
                            void (*store)(void*, double)) {
  return {.key = key,
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = doc,
          .fallback = fallback,
          .range = range,
          .store = store};
}

inline constexpr std::array kTireFields{
    Field{.key = "between",
          .kind = FieldKind::pair,
          .doc =
              "`[road, wheel]`: the road is the plane through the first frame, across its axis z; the second frame is "
              "the center of the wheel, on the part that spins",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "axis",
          .kind = FieldKind::direction,
          .doc = "axis about which the wheel spins, in the axes of its frame; either of the two directions",
          .required = true},
    Field{.key = "radius",
          .kind = FieldKind::number,
          .quantity = Quantity::length,
          .doc = "of the tire without load",
          .required = true,
          .range = kPositive,
          .store = kNumberInto<&Tire::radius>},
    Field{.key = "stiffness",
          .kind = FieldKind::number,
          .quantity = Quantity::stiffness,
          .doc = "load per length by which the radius shrinks",
          .required = true,
          .range = kPositive,
          .store = kNumberInto<&Tire::stiffness>},
    Field{.key = "damping",
          .kind = FieldKind::number,
          .quantity = Quantity::damping,
          .doc = "load per speed; it grows over the first hundredth of the radius",
          .fallback = "0",
          .range = kNotNegative,
          .store = kNumberInto<&Tire::damping>},
    tire_number("friction", "D over load: the largest force along the tire", "1", kNotNegative,
                kNumberInto<&Tire::friction>),
    tire_number("lateral_friction", "the same across it; by default, as along", "", kNotNegative,
                kNumberInto<&Tire::lateral_friction>),
    tire_number("slip_stiffness", "B C D over load: force along the tire per slip, at small slip", "20", kPositive,
                kNumberInto<&Tire::slip_stiffness>),
    tire_number("cornering_stiffness", "the same across it, per tangent of the slip angle", "15", kPositive,
                kNumberInto<&Tire::cornering_stiffness>),
    tire_number("shape", "C along the tire", "1.6", kPositive, kNumberInto<&Tire::shape>),
    tire_number("lateral_shape", "C across it", "1.3", kPositive, kNumberInto<&Tire::lateral_shape>),
    tire_number("curvature", "E along the tire, at most 1", "0", Range{-1e3, 1.0}, kNumberInto<&Tire::curvature>),
    tire_number("lateral_curvature", "E across it, at most 1", "0", Range{-1e3, 1.0},
                kNumberInto<&Tire::lateral_curvature>),
    tire_number("rolling_resistance", "force against rolling over load", "0", kNotNegative,
                kNumberInto<&Tire::rolling_resistance>),
    Field{.key = "low_speed",
          .kind = FieldKind::number,
          .quantity = Quantity::speed,
          .doc =
              "slip is sliding speed over the root of the squares of this and of the speed along the wheel, so that a "
              "standing wheel has one, too",
          .fallback = "0.5",
          .range = kPositive,
          .store = kNumberInto<&Tire::low_speed>},
};
inline constexpr std::array kTireChannels{
    Channel{"deflection", Quantity::length, Channel::Shape::scalar, false, "by which the radius shrinks"},
    Channel{"load", Quantity::force, Channel::Shape::scalar, false, "across the road"},
    Channel{"longitudinal", Quantity::force, Channel::Shape::scalar, false, "on the wheel, along it"},
    Channel{"lateral", Quantity::force, Channel::Shape::scalar, false, "on the wheel, across it"},
    Channel{"slip", Quantity::number, Channel::Shape::scalar, false, "along the wheel, positive when it drives"},
    Channel{"slip_angle", Quantity::angle, Channel::Shape::scalar, false, "between the wheel and the way it goes"},
};
inline constexpr ObjectType kTire{.name = "tire",
                                  .doc = "tire on a plane road: load by spring and damper, grip by the Magic Formula",
                                  .fields = kTireFields,
                                  .channels = kTireChannels,
                                  .also_called = "tyre wheel_contact magic_formula pacejka"};
constexpr const ObjectType& descriptor(const Tire*) { return kTire; }

}  // namespace gelenk::model
