#include "gelenk/base/units.h"

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr Dimension kNone{};
constexpr Dimension kLength{0, 1, 0};
constexpr Dimension kMass{1, 0, 0};
constexpr Dimension kTime{0, 0, 1};
constexpr Dimension kRate{0, 0, -1};
constexpr Dimension kSpeed{0, 1, -1};
constexpr Dimension kAcceleration{0, 1, -2};
constexpr Dimension kForce{1, 1, -2};
constexpr Dimension kEnergy{1, 2, -2};
constexpr Dimension kPower{1, 2, -3};
constexpr Dimension kPressure{1, -1, -2};
constexpr Dimension kVolume{0, 3, 0};
constexpr Dimension kTemperature{0, 0, 0, 0, 1};
constexpr Dimension kCurrent{0, 0, 0, 1};
constexpr Dimension kVoltage{1, 2, -3, -1};
constexpr Dimension kResistance{1, 2, -3, -2};
constexpr Dimension kInductance{1, 2, -2, -2};
constexpr Dimension kCapacitance{-1, -2, 4, 2};
constexpr Dimension kCharge{0, 0, 1, 1};
constexpr Dimension kFluxDensity{1, 0, -2, -1};

constexpr double kPi = std::numbers::pi;
constexpr double kStandardGravity = 9.80665;  // m/s², exact by definition (CGPM 1901)
constexpr double kPound = 0.45359237;         // kg, exact (international yard and pound agreement, 1959)
constexpr double kInch = 0.0254;              // m, exact, same source
constexpr double kFoot = 0.3048;

// Where two symbols differ only in case (mm/Mm, nm/Nm), the case counts; wrong case gets a suggestion, never a guess.
constexpr UnitSymbol kSymbols[] = {
    {"1", {1.0, 0.0, kNone}, "one"},
    {"%", {0.01, 0.0, kNone}, "percent"},
    {"rad", {1.0, 0.0, kNone}, "radian"},
    {"mrad", {1e-3, 0.0, kNone}, "milliradian"},
    {"deg", {kPi / 180.0, 0.0, kNone}, "degree"},
    {"°", {kPi / 180.0, 0.0, kNone}, "degree"},
    {"rev", {2.0 * kPi, 0.0, kNone}, "revolution"},
    {"m", {1.0, 0.0, kLength}, "meter"},
    {"km", {1e3, 0.0, kLength}, "kilometer"},
    {"dm", {1e-1, 0.0, kLength}, "decimeter"},
    {"cm", {1e-2, 0.0, kLength}, "centimeter"},
    {"mm", {1e-3, 0.0, kLength}, "millimeter"},
    {"um", {1e-6, 0.0, kLength}, "micrometer"},
    {"µm", {1e-6, 0.0, kLength}, "micrometer"},  // U+00B5, the micro sign of keyboards
    {"μm", {1e-6, 0.0, kLength}, "micrometer"},  // U+03BC, the Greek letter
    {"nm", {1e-9, 0.0, kLength}, "nanometer"},
    {"in", {kInch, 0.0, kLength}, "inch"},
    {"ft", {kFoot, 0.0, kLength}, "foot"},
    {"kg", {1.0, 0.0, kMass}, "kilogram"},
    {"g", {1e-3, 0.0, kMass}, "gram"},
    {"mg", {1e-6, 0.0, kMass}, "milligram"},
    {"t", {1e3, 0.0, kMass}, "tonne"},
    {"lb", {kPound, 0.0, kMass}, "pound"},
    {"s", {1.0, 0.0, kTime}, "second"},
    {"ms", {1e-3, 0.0, kTime}, "millisecond"},
    {"us", {1e-6, 0.0, kTime}, "microsecond"},
    {"µs", {1e-6, 0.0, kTime}, "microsecond"},
    {"min", {60.0, 0.0, kTime}, "minute"},
    {"h", {3600.0, 0.0, kTime}, "hour"},
    {"d", {86400.0, 0.0, kTime}, "day"},
    {"rpm", {2.0 * kPi / 60.0, 0.0, kRate}, "revolution per minute"},
    {"Hz", {1.0, 0.0, kRate, true}, "hertz"},
    {"kHz", {1e3, 0.0, kRate, true}, "kilohertz"},
    {"MHz", {1e6, 0.0, kRate, true}, "megahertz"},
    {"mph", {1609.344 / 3600.0, 0.0, kSpeed}, "mile per hour"},
    {"g0", {kStandardGravity, 0.0, kAcceleration}, "standard gravity"},
    {"N", {1.0, 0.0, kForce}, "newton"},
    {"mN", {1e-3, 0.0, kForce}, "millinewton"},
    {"kN", {1e3, 0.0, kForce}, "kilonewton"},
    {"MN", {1e6, 0.0, kForce}, "meganewton"},
    {"lbf", {kPound * kStandardGravity, 0.0, kForce}, "pound-force"},
    {"kgf", {kStandardGravity, 0.0, kForce}, "kilogram-force"},
    {"Nm", {1.0, 0.0, kEnergy}, "newton meter"},
    {"kNm", {1e3, 0.0, kEnergy}, "kilonewton meter"},
    {"Nmm", {1e-3, 0.0, kEnergy}, "newton millimeter"},
    {"J", {1.0, 0.0, kEnergy}, "joule"},
    {"mJ", {1e-3, 0.0, kEnergy}, "millijoule"},
    {"kJ", {1e3, 0.0, kEnergy}, "kilojoule"},
    {"MJ", {1e6, 0.0, kEnergy}, "megajoule"},
    {"Wh", {3600.0, 0.0, kEnergy}, "watt hour"},
    {"kWh", {3.6e6, 0.0, kEnergy}, "kilowatt hour"},
    {"W", {1.0, 0.0, kPower}, "watt"},
    {"mW", {1e-3, 0.0, kPower}, "milliwatt"},
    {"kW", {1e3, 0.0, kPower}, "kilowatt"},
    {"MW", {1e6, 0.0, kPower}, "megawatt"},
    {"hp", {550.0 * kFoot * kPound * kStandardGravity, 0.0, kPower}, "mechanical horsepower"},
    {"PS", {75.0 * kStandardGravity, 0.0, kPower}, "metric horsepower"},
    {"Pa", {1.0, 0.0, kPressure}, "pascal"},
    {"hPa", {1e2, 0.0, kPressure}, "hectopascal"},
    {"kPa", {1e3, 0.0, kPressure}, "kilopascal"},
    {"MPa", {1e6, 0.0, kPressure}, "megapascal"},
    {"GPa", {1e9, 0.0, kPressure}, "gigapascal"},
    {"bar", {1e5, 0.0, kPressure}, "bar"},
    {"mbar", {1e2, 0.0, kPressure}, "millibar"},
    {"psi", {kPound * kStandardGravity / (kInch * kInch), 0.0, kPressure}, "pound-force per square inch"},
    {"L", {1e-3, 0.0, kVolume}, "liter"},
    {"mL", {1e-6, 0.0, kVolume}, "milliliter"},
    {"K", {1.0, 0.0, kTemperature}, "kelvin"},
    {"degC", {1.0, 273.15, kTemperature}, "degree Celsius"},
    {"°C", {1.0, 273.15, kTemperature}, "degree Celsius"},
    {"A", {1.0, 0.0, kCurrent}, "ampere"},
    {"mA", {1e-3, 0.0, kCurrent}, "milliampere"},
    {"V", {1.0, 0.0, kVoltage}, "volt"},
    {"mV", {1e-3, 0.0, kVoltage}, "millivolt"},
    {"kV", {1e3, 0.0, kVoltage}, "kilovolt"},
    {"ohm", {1.0, 0.0, kResistance}, "ohm"},
    {"H", {1.0, 0.0, kInductance}, "henry"},
    {"mH", {1e-3, 0.0, kInductance}, "millihenry"},
    {"F", {1.0, 0.0, kCapacitance}, "farad"},
    {"uF", {1e-6, 0.0, kCapacitance}, "microfarad"},
    {"C", {1.0, 0.0, kCharge}, "coulomb"},
    {"T", {1.0, 0.0, kFluxDensity}, "tesla"},
    {"mol", {1.0, 0.0, Dimension{0, 0, 0, 0, 0, 1}}, "mole"},
    {"cd", {1.0, 0.0, Dimension{0, 0, 0, 0, 0, 0, 1}}, "candela"},
};

// In the order of the enumeration.
constexpr QuantityInfo kQuantities[] = {
    {Quantity::any, "value", "1", kNone},
    {Quantity::number, "number", "1", kNone},
    {Quantity::angle, "angle", "rad", kNone},
    {Quantity::length, "length", "m", kLength},
    {Quantity::mass, "mass", "kg", kMass},
    {Quantity::time, "time", "s", kTime},
    {Quantity::speed, "speed", "m/s", kSpeed},
    {Quantity::angular_rate, "angular rate", "rad/s", kRate},
    {Quantity::acceleration, "acceleration", "m/s^2", kAcceleration},
    {Quantity::angular_acceleration, "angular acceleration", "rad/s^2", Dimension{0, 0, -2}},
    {Quantity::force, "force", "N", kForce},
    {Quantity::torque, "torque", "N*m", kEnergy},
    {Quantity::power, "power", "W", kPower},
    {Quantity::energy, "energy", "J", kEnergy},
    {Quantity::stiffness, "stiffness", "N/m", Dimension{1, 0, -2}},
    {Quantity::rotational_stiffness, "rotational stiffness", "N*m/rad", kEnergy},
    {Quantity::damping, "damping", "N*s/m", Dimension{1, 0, -1}},
    {Quantity::rotational_damping, "rotational damping", "N*m*s/rad", Dimension{1, 2, -1}},
    {Quantity::inertia, "inertia", "kg*m^2", Dimension{1, 2, 0}},
    {Quantity::density, "density", "kg/m^3", Dimension{1, -3, 0}},
    {Quantity::volume, "volume", "m^3", kVolume},
    {Quantity::gravity_parameter, "gravity parameter", "m^3/s^2", Dimension{0, 3, -2}},
};

// Dimensions that no field of a model has, but that turn up in the middle of expressions.
constexpr std::pair<Dimension, std::string_view> kOtherDimensions[] = {
    {Dimension{0, 2, 0}, "an area (m^2)"},
    {kPressure, "a pressure (Pa)"},
    {kTemperature, "a temperature (K)"},
    {kCurrent, "a current (A)"},
    {kVoltage, "a voltage (V)"},
    {kCharge, "a charge (C)"},
    {Dimension{1, 1, -1}, "a momentum (kg*m/s)"},
};

}  // namespace

std::span<const UnitSymbol> unit_symbols() { return kSymbols; }

std::optional<Unit> find_unit_symbol(std::string_view symbol) {
  const auto* it = std::find_if(std::begin(kSymbols), std::end(kSymbols),
                                [&](const UnitSymbol& known) { return known.symbol == symbol; });
  if (it == std::end(kSymbols)) return std::nullopt;
  return it->unit;
}

const QuantityInfo& quantity_info(Quantity quantity) { return kQuantities[static_cast<std::size_t>(quantity)]; }

Quantity quantity_named(std::string_view name) {
  const auto* it = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                [&](const QuantityInfo& info) { return info.name == name; });
  return it == std::end(kQuantities) ? Quantity::any : it->quantity;
}

Quantity quantity_of(const Dimension& dimension) {
  const auto* it = std::find_if(std::begin(kQuantities) + 1, std::end(kQuantities),
                                [&](const QuantityInfo& info) { return info.dimension == dimension; });
  return it == std::end(kQuantities) ? Quantity::any : it->quantity;
}

std::string describe_dimension(const Dimension& dimension) {
  if (dimension.is_none()) return "a pure number";
  const Quantity quantity = quantity_of(dimension);
  if (quantity != Quantity::any) {
    const QuantityInfo& info = quantity_info(quantity);
    const bool has_vowel = std::string_view("aeio").find(info.name.front()) != std::string_view::npos;
    return (has_vowel ? "an " : "a ") + std::string(info.name) + " (" + std::string(info.si_symbol) + ")";
  }
  for (const auto& [other, text] : kOtherDimensions) {
    if (other == dimension) return std::string(text);
  }
  return dimension.text();
}

}  // namespace gelenk
