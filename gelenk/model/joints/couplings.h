#pragma once

#include "gelenk/model/common_fields.h"

// What ties coordinates of other joints to each other: wheels that mesh, belts, racks. Each is one row, Σ c_i q_i =
// constant (docs/theory/equations.md, section 12). All but `coupler` mesh as they are drawn.
namespace gelenk::model {

inline constexpr Field kCouplesField{.key = "couples",
                                     .kind = FieldKind::pair,
                                     .doc =
                                         "the two joint coordinates, `[hinge_1.angle, hinge_2.angle]`; the second may "
                                         "be a shaft of a sealed component",
                                     .required = true,
                                     .refers_to = Refers::coordinate};
inline constexpr std::array<std::string_view, 1> kCouplesKey{"couples"};

constexpr Field coordinate_field(std::string_view key, std::string_view doc) {
  return Field{.key = key, .kind = FieldKind::reference, .doc = doc, .required = true, .refers_to = Refers::coordinate};
}

// Toothed wheels: first angle + ratio × second angle = constant.
struct Gear {
  double ratio = 1.0;  // teeth of the second over teeth of the first; negative for an internal gear
};
inline constexpr std::array kGearFields{
    kCouplesField, Field{.key = "ratio",
                         .kind = FieldKind::number,
                         .quantity = Quantity::number,
                         .doc = "teeth of the second wheel over teeth of the first; negative where one of them is an "
                                "internal gear, and both turn the same way",
                         .required = true,
                         .store = kNumberInto<&Gear::ratio>}};
inline constexpr CouplingType kGearCoupling{
    .keys = kCouplesKey,
    .between = CouplingType::Between::angles,
    .put_factors = [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
      factors[0] = 1.0;
      factors[1] = static_cast<const Gear*>(data)->ratio;
    }};
inline constexpr ObjectType kGear{.name = "gear",
                                  .doc = "two toothed wheels: first angle + ratio × second angle = constant",
                                  .fields = kGearFields,
                                  .coupling = &kGearCoupling,
                                  .channels = kCouplingChannels,
                                  .also_called = "gears gear_pair bevel_gear spur_gear ideal_gear"};
constexpr const ObjectType& descriptor(const Gear*) { return kGear; }

// Rack and pinion: travel = radius × angle.
struct Rack {
  double radius = 0.0;  // m
};
inline constexpr std::array kRackFields{kCouplesField, Field{.key = "radius",
                                                             .kind = FieldKind::number,
                                                             .quantity = Quantity::length,
                                                             .doc = "pitch radius of the pinion; negative where the "
                                                                    "rack moves against its direction",
                                                             .required = true,
                                                             .store = kNumberInto<&Rack::radius>}};
inline constexpr CouplingType kRackCoupling{
    .keys = kCouplesKey,
    .between = CouplingType::Between::angle_and_travel,
    .put_factors = [](const void* data, std::span<const bool> is_travel, std::span<double> factors) {
      for (std::size_t i = 0; i < 2; ++i) factors[i] = is_travel[i] ? 1.0 : -static_cast<const Rack*>(data)->radius;
    }};
inline constexpr ObjectType kRack{.name = "rack",
                                  .doc = "rack and pinion: travel = radius × angle",
                                  .fields = kRackFields,
                                  .coupling = &kRackCoupling,
                                  .channels = kCouplingChannels,
                                  .also_called = "rack_and_pinion rack_pinion pinion"};
constexpr const ObjectType& descriptor(const Rack*) { return kRack; }

// Belt or chain: both pulleys turn the same way, first angle = ratio × second angle.
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
inline constexpr CouplingType kBeltCoupling{
    .keys = kCouplesKey,
    .between = CouplingType::Between::angles,
    .put_factors = [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
      factors[0] = 1.0;
      factors[1] = -static_cast<const Belt*>(data)->ratio;
    }};
inline constexpr ObjectType kBelt{
    .name = "belt",
    .doc = "belt or chain over two pulleys: first angle = ratio × second angle, without slip or stretch",
    .fields = kBeltFields,
    .coupling = &kBeltCoupling,
    .channels = kCouplingChannels,
    .also_called = "chain timing_belt pulley pulleys"};
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
inline constexpr CouplingType kCouplerCoupling{
    .keys = kCouplesKey,
    .put_factors =
        [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
          factors[0] = -static_cast<const Coupler*>(data)->ratio;
          factors[1] = 1.0;
        },
    .constant = [](const void* data) { return static_cast<const Coupler*>(data)->offset; }};
inline constexpr ObjectType kCoupler{.name = "coupler",
                                     .doc = "linear relation between two joint coordinates",
                                     .fields = kCouplerFields,
                                     .coupling = &kCouplerCoupling,
                                     .channels = kCouplingChannels,
                                     .also_called = "mimic linear_coupling"};
constexpr const ObjectType& descriptor(const Coupler*) { return kCoupler; }

// Planetary gear, all angles relative to the housing: sun + ratio × ring = (1 + ratio) × carrier + constant.
struct Planetary {
  double ratio = 1.0;  // teeth of the ring over teeth of the sun
};
inline constexpr std::array<std::string_view, 3> kPlanetaryKeys{"sun", "ring", "carrier"};
inline constexpr std::array kPlanetaryFields{
    coordinate_field("sun", "angle of the sun wheel relative to the housing"),
    coordinate_field("ring", "angle of the ring relative to the housing"),
    coordinate_field("carrier", "angle of the planet carrier relative to the housing"),
    Field{.key = "ratio",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "teeth of the ring over teeth of the sun",
          .required = true,
          .range = kPositive,
          .store = kNumberInto<&Planetary::ratio>}};
inline constexpr CouplingType kPlanetaryCoupling{
    .keys = kPlanetaryKeys,
    .between = CouplingType::Between::angles,
    .put_factors = [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
      const double ratio = static_cast<const Planetary*>(data)->ratio;
      factors[0] = 1.0;
      factors[1] = ratio;
      factors[2] = -(1.0 + ratio);
    }};
inline constexpr ObjectType kPlanetary{.name = "planetary",
                                       .doc = "planetary gear: sun + ratio × ring = (1 + ratio) × carrier",
                                       .fields = kPlanetaryFields,
                                       .coupling = &kPlanetaryCoupling,
                                       .channels = kCouplingChannels,
                                       .also_called = "planetary_gear epicyclic ideal_planetary"};
constexpr const ObjectType& descriptor(const Planetary*) { return kPlanetary; }

// Differential: input = ratio × (left + right) / 2 + constant.
struct Differential {
  double ratio = 1.0;  // of the final drive: turns of the input for one turn of both outputs
};
inline constexpr std::array<std::string_view, 3> kDifferentialKeys{"input", "left", "right"};
inline constexpr std::array kDifferentialFields{coordinate_field("input", "angle of the drive shaft"),
                                                coordinate_field("left", "angle of the left half shaft"),
                                                coordinate_field("right", "angle of the right half shaft"),
                                                Field{.key = "ratio",
                                                      .kind = FieldKind::number,
                                                      .quantity = Quantity::number,
                                                      .doc = "turns of the input for one turn of both outputs",
                                                      .fallback = "1",
                                                      .store = kNumberInto<&Differential::ratio>}};
inline constexpr CouplingType kDifferentialCoupling{
    .keys = kDifferentialKeys,
    .between = CouplingType::Between::angles,
    .put_factors = [](const void* data, std::span<const bool> /*is_travel*/, std::span<double> factors) {
      factors[0] = 1.0;
      factors[1] = factors[2] = -0.5 * static_cast<const Differential*>(data)->ratio;
    }};
inline constexpr ObjectType kDifferential{.name = "differential",
                                          .doc = "differential: input = ratio × (left + right) / 2",
                                          .fields = kDifferentialFields,
                                          .coupling = &kDifferentialCoupling,
                                          .channels = kCouplingChannels,
                                          .also_called = "differential_gear"};
constexpr const ObjectType& descriptor(const Differential*) { return kDifferential; }

}  // namespace gelenk::model
