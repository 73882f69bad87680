#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/dimension.h"

namespace gelenk {

// A unit: SI value = number * factor + offset.
struct Unit {
  double factor = 1.0;
  double offset = 0.0;  // only for degree Celsius
  Dimension dimension;
  // Cycles per second: same dimension as rad/s, but not the same thing. A field for an angular rate refuses it.
  bool is_hertz = false;
};

struct UnitSymbol {
  std::string_view symbol;
  Unit unit;
  std::string_view name;  // "millimeter"
};

// All single symbols that are known: mm, kN, rpm, deg ...
std::span<const UnitSymbol> unit_symbols();
std::optional<Unit> find_unit_symbol(std::string_view symbol);

struct UnitParse {
  std::optional<Unit> unit;
  std::string error;       // why not, when there is no unit: "unknown unit 'mmm'"
  std::string suggestion;  // nearest known symbol or empty
  std::string unknown;     // the symbol that is not known; empty when the error is another one
};

// Compound units: "N*m/rad", "kg*m^2", "1/min", "m/s^2", "N*m*s/rad". A slash divides by the next factor only;
// parentheses group: "N/(m/s)". Exponents are whole numbers or fractions: "m^-1", "m^(1/2)", "mm²". A unit with an
// offset (degC) stands alone; only hertz alone is hertz.
UnitParse parse_unit(std::string_view text);

// What a number means. Gives the dimension that is expected, the words for messages and the unit for display.
enum class Quantity {
  any,  // not fixed: parameters, table columns
  number,
  angle,
  length,
  mass,
  time,
  speed,
  angular_rate,
  acceleration,
  angular_acceleration,
  force,
  torque,
  power,
  energy,
  stiffness,
  rotational_stiffness,
  damping,
  rotational_damping,
  inertia,
  density,
  volume,
  gravity_parameter,
};

struct QuantityInfo {
  Quantity quantity;
  std::string_view name;       // "angular rate"
  std::string_view si_symbol;  // "rad/s"
  Dimension dimension;
};

const QuantityInfo& quantity_info(Quantity quantity);
// Quantity::any for a name that is not known.
Quantity quantity_named(std::string_view name);
// The first quantity with this dimension, or Quantity::any.
Quantity quantity_of(const Dimension& dimension);

// "a length (m)"; "kg*m^3" for a dimension without a name of its own; "a pure number" for none.
std::string describe_dimension(const Dimension& dimension);

}  // namespace gelenk
