#pragma once

#include "gelenk/model/forces/line_law.h"

namespace gelenk::model {

// Gas that is compressed as the ends come closer: its column, volume over area of the piston, shrinks with the length,
// and its pressure follows (column)^-exponent. Pushes the ends apart.
struct GasSpring : LineLaw {};

inline constexpr std::array kGasSpringFields{
    kEndsField,
    Field{.key = "push",
          .kind = FieldKind::signal,
          .quantity = Quantity::force,
          .doc = "force at `at_length` that pushes the ends apart",
          .required = true,
          .range = kNotNegative},
    Field{.key = "at_length",
          .kind = FieldKind::signal,
          .quantity = Quantity::length,
          .doc = "distance of the ends at which `push` is given",
          .required = true,
          .range = kPositive},
    Field{.key = "gas_column",
          .kind = FieldKind::signal,
          .quantity = Quantity::length,
          .doc = "volume of the gas over the area of the piston, at `at_length`",
          .required = true,
          .range = kPositive},
    Field{.key = "exponent",
          .kind = FieldKind::signal,
          .quantity = Quantity::number,
          .doc = "1: slow, at constant temperature; 1.4: fast, in air and nitrogen",
          .fallback = "1.4",
          .range = kPositive},
    Field{.key = "damping",
          .kind = FieldKind::signal,
          .quantity = Quantity::damping,
          .doc = "force per speed",
          .fallback = "0",
          .range = kNotNegative},
};
inline constexpr ObjectType kGasSpring{
    .name = "gas_spring",
    .doc =
        "gas spring between two points: push × (gas_column / column)^exponent, where the column changes as the length",
    .fields = kGasSpringFields,
    .channels = kLineChannels,
    .law = "damping * speed - push * (gas_column / (gas_column + length - at_length))^exponent",
    .also_called = "air_spring gas_strut pneumatic_spring"};
constexpr const ObjectType& descriptor(const GasSpring*) { return kGasSpring; }

}  // namespace gelenk::model
