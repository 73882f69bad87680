#pragma once

#include "gelenk/model/common_fields.h"

// Joints that tie two coordinates of other joints to each other. All of them are declared only.
namespace gelenk::model {

inline constexpr Field kCouplesField{.key = "couples",
                                     .kind = FieldKind::pair,
                                     .doc = "the two joint coordinates, `[hinge_1.angle, hinge_2.angle]`",
                                     .required = true,
                                     .refers_to = Refers::coordinate};

// Toothed wheels: ratio × second angle + first angle = constant.
struct Gear {
  double ratio = 1.0;  // teeth of the second over teeth of the first; negative for an internal gear
};
inline constexpr std::array kGearFields{kCouplesField, Field{.key = "ratio",
                                                             .kind = FieldKind::number,
                                                             .quantity = Quantity::number,
                                                             .doc = "teeth of the second wheel over teeth of the first",
                                                             .required = true,
                                                             .store = kNumberInto<&Gear::ratio>}};
inline constexpr ObjectType kGear{
    .name = "gear", .doc = "two toothed wheels", .fields = kGearFields, .declared_only = true};
constexpr const ObjectType& descriptor(const Gear*) { return kGear; }

// Rack and pinion: travel = radius × angle.
struct Rack {
  double radius = 0.0;  // m
};
inline constexpr std::array kRackFields{kCouplesField, Field{.key = "radius",
                                                             .kind = FieldKind::number,
                                                             .quantity = Quantity::length,
                                                             .doc = "pitch radius of the pinion",
                                                             .required = true,
                                                             .range = kPositive,
                                                             .store = kNumberInto<&Rack::radius>}};
inline constexpr ObjectType kRack{
    .name = "rack", .doc = "rack and pinion", .fields = kRackFields, .declared_only = true};
constexpr const ObjectType& descriptor(const Rack*) { return kRack; }

// Belt or chain: both pulleys turn the same way.
struct Belt {
  double ratio = 1.0;  // radius of the second pulley over radius of the first
};
inline constexpr std::array kBeltFields{kCouplesField,
                                        Field{.key = "ratio",
                                              .kind = FieldKind::number,
                                              .quantity = Quantity::number,
                                              .doc = "radius of the second pulley over radius of the first",
                                              .required = true,
                                              .range = kPositive,
                                              .store = kNumberInto<&Belt::ratio>}};
inline constexpr ObjectType kBelt{
    .name = "belt", .doc = "belt or chain over two pulleys", .fields = kBeltFields, .declared_only = true};
constexpr const ObjectType& descriptor(const Belt*) { return kBelt; }

// Linear relation: second = ratio × first + offset, as the mimic joints of URDF.
struct Coupler {
  double ratio = 1.0;
  double offset = 0.0;
};
inline constexpr std::array kCouplerFields{kCouplesField,
                                           Field{.key = "ratio",
                                                 .kind = FieldKind::number,
                                                 .doc = "second coordinate = ratio × first + offset",
                                                 .required = true,
                                                 .store = kNumberInto<&Coupler::ratio>},
                                           Field{.key = "offset",
                                                 .kind = FieldKind::number,
                                                 .doc = "second coordinate when the first is zero",
                                                 .fallback = "0",
                                                 .store = kNumberInto<&Coupler::offset>}};
inline constexpr ObjectType kCoupler{.name = "coupler",
                                     .doc = "linear relation between two joint coordinates",
                                     .fields = kCouplerFields,
                                     .declared_only = true};
constexpr const ObjectType& descriptor(const Coupler*) { return kCoupler; }

}  // namespace gelenk::model
