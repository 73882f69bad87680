#include "gelenk/base/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

namespace gelenk::units_test {
namespace {

constexpr double kPi = std::numbers::pi;
// Products of a few factors, each rounded once.
constexpr double kRounding = 8.0 * 0x1p-53;

Unit unit(std::string_view text) {
  const UnitParse parsed = parse_unit(text);
  EXPECT_TRUE(parsed.unit.has_value()) << text << ": " << parsed.error;
  return parsed.unit.value_or(Unit{NAN, 0.0, {}, false});
}

void expect_unit(std::string_view text, double factor, const Dimension& dimension) {
  const Unit u = unit(text);
  EXPECT_NEAR(u.factor, factor, kRounding * std::abs(factor)) << text;
  EXPECT_EQ(u.dimension, dimension) << text << " is " << u.dimension.text();
}

TEST(Dimension, WritesBaseUnits) {
  EXPECT_EQ(Dimension{}.text(), "1");
  EXPECT_EQ(Dimension(1, 1, -2).text(), "kg*m/s^2");
  EXPECT_EQ(Dimension(0, 0, -1).text(), "1/s");
  EXPECT_EQ(Dimension(1, 2, -3, -1).text(), "kg*m^2/s^3/A");
  EXPECT_EQ(Dimension(0, 1, 0).power(1, 2)->text(), "m^(1/2)");
  EXPECT_EQ(Dimension(0, 0, -1).power(2, 3)->text(), "1/s^(2/3)");
}

TEST(Dimension, PowersAreExactOrRefused) {
  const Dimension length(0, 1, 0);
  EXPECT_EQ(length.power(2), Dimension(0, 2, 0));
  EXPECT_EQ(length.power(1, 2)->power(2), length);
  EXPECT_EQ(length.power(1, 3)->power(3), length);
  EXPECT_EQ(length.power(1, 5), std::nullopt);
  EXPECT_EQ(length.power(21), std::nullopt);
  EXPECT_EQ(length.power(1, 0), std::nullopt);
  EXPECT_EQ(length.power(2147483647), std::nullopt);
  EXPECT_EQ(Dimension{}.power(2147483647), Dimension{});
}

TEST(Dimension, CheckedProductStopsAtTheLimit) {
  const Dimension large(0, 20, 0);
  EXPECT_EQ(Dimension::checked_product(large, Dimension(0, 1, 0)), std::nullopt);
  EXPECT_EQ(Dimension::checked_product(large, Dimension(0, 1, 0), -1), Dimension(0, 19, 0));
}

// Every dimension that can be written as units must come back: constants in expressions rely on it.
TEST(Dimension, TextIsAUnit) {
  for (int kg = -2; kg <= 2; ++kg) {
    for (int m = -3; m <= 3; ++m) {
      for (int s = -3; s <= 2; ++s) {
        const Dimension dimension = *Dimension(kg, m, s, s, m, kg, s).power(1, (kg + m) % 2 == 0 ? 1 : 2);
        const Unit u = unit(dimension.text());
        EXPECT_EQ(u.dimension, dimension) << dimension.text();
        EXPECT_EQ(u.factor, 1.0) << dimension.text();
      }
    }
  }
}

TEST(Units, SymbolsAreUniqueAndReadAsThemselves) {
  std::set<std::string_view> seen;
  for (const UnitSymbol& known : unit_symbols()) {
    EXPECT_TRUE(seen.insert(known.symbol).second) << known.symbol << " twice";
    EXPECT_GT(known.unit.factor, 0.0) << known.symbol;
    EXPECT_FALSE(known.name.empty()) << known.symbol;
    expect_unit(known.symbol, known.unit.factor, known.unit.dimension);
  }
  EXPECT_GE(seen.size(), 70u);
}

// Definitions of the units, written differently from the table.
TEST(Units, FactsOfTheTable) {
  const Dimension length(0, 1, 0), rate(0, 0, -1), force(1, 1, -2), energy(1, 2, -2), power(1, 2, -3);
  expect_unit("mm", 0.001, length);
  expect_unit("µm", 1e-6, length);
  expect_unit("μm", 1e-6, length);
  expect_unit("um", 1e-6, length);
  expect_unit("in", 0.0254, length);
  expect_unit("ft", 12.0 * 0.0254, length);
  expect_unit("t", 1000.0, Dimension(1, 0, 0));
  expect_unit("h", 3600.0, Dimension(0, 0, 1));
  expect_unit("deg", kPi / 180.0, {});
  expect_unit("rev", 2.0 * kPi, {});
  expect_unit("rpm", kPi / 30.0, rate);
  expect_unit("%", 0.01, {});
  expect_unit("1", 1.0, {});
  expect_unit("lbf", 4.4482216152605, force);
  expect_unit("hp", 745.69987158227022, power);
  expect_unit("PS", 735.49875, power);
  expect_unit("psi", 6894.757293168361, Dimension(1, -1, -2));
  expect_unit("g0", 9.80665, Dimension(0, 1, -2));
  expect_unit("Nm", 1.0, energy);
  expect_unit("kWh", 3.6e6, energy);
  expect_unit("L", 1e-3, Dimension(0, 3, 0));
  expect_unit("V*A", 1.0, power);
  expect_unit("ohm*A/V", 1.0, {});
  expect_unit("H*A/s/V", 1.0, {});
  expect_unit("F*V/C", 1.0, {});
  expect_unit("T*m^2", 1.0, unit("V*s").dimension);
}

TEST(Units, CompoundsDivideByTheNextFactorOnly) {
  expect_unit("N*m/rad", 1.0, Dimension(1, 2, -2));
  expect_unit("kg*m^2", 1.0, Dimension(1, 2, 0));
  expect_unit("1/min", 1.0 / 60.0, Dimension(0, 0, -1));
  expect_unit("N*m*s/rad", 1.0, Dimension(1, 2, -1));
  expect_unit("m/s*kg", 1.0, Dimension(1, 1, -1));
  expect_unit("N/(mm/s)", 1000.0, Dimension(1, 0, -1));
  expect_unit("kN / mm", 1e6, Dimension(1, 0, -2));
  expect_unit("m^-1", 1.0, Dimension(0, -1, 0));
  expect_unit("mm²", 1e-6, Dimension(0, 2, 0));
  expect_unit("kg·m²", 1.0, Dimension(1, 2, 0));
  expect_unit("m^(-1/2)", 1.0, *Dimension(0, 1, 0).power(-1, 2));
  expect_unit("cm^(1/2)", 0.1, *Dimension(0, 1, 0).power(1, 2));
  expect_unit("((m))", 1.0, Dimension(0, 1, 0));
}

TEST(Units, HertzIsHertzOnlyAlone) {
  EXPECT_TRUE(unit("Hz").is_hertz);
  EXPECT_TRUE(unit("(kHz)").is_hertz);
  EXPECT_FALSE(unit("1/s").is_hertz);
  EXPECT_FALSE(unit("Hz*m").is_hertz);
  EXPECT_FALSE(unit("Hz^2").is_hertz);
  EXPECT_FALSE(unit("rpm").is_hertz);
}

TEST(Units, CelsiusStandsAlone) {
  EXPECT_EQ(unit("degC").offset, 273.15);
  EXPECT_EQ(unit("°C").offset, 273.15);
  EXPECT_EQ(parse_unit("W/degC").error,
            "the unit 'W/degC' cannot be read: 'degC' cannot be part of a compound unit, use 'K'");
  EXPECT_FALSE(parse_unit("degC^2").unit);
}

TEST(Units, UnknownSymbolsGetASuggestion) {
  const auto suggestion = [](std::string_view text) { return parse_unit(text).suggestion; };
  EXPECT_EQ(parse_unit("mmm").error, "unknown unit 'mmm'");
  EXPECT_EQ(parse_unit("N*mmm").unknown, "mmm");
  EXPECT_EQ(suggestion("mmm"), "mm");
  EXPECT_EQ(suggestion("KG"), "kg");
  EXPECT_EQ(suggestion("Mm"), "mm");
  EXPECT_EQ(suggestion("NM"), "Nm");
  EXPECT_EQ(suggestion("RPM"), "rpm");
  EXPECT_EQ(suggestion("hz"), "Hz");
  EXPECT_EQ(suggestion("meters"), "m");
  EXPECT_EQ(suggestion("Millimetre"), "mm");
  EXPECT_EQ(suggestion("sec"), "s");
  EXPECT_EQ(suggestion("U/min"), "rev");
  EXPECT_EQ(suggestion("N/mm2"), "mm^2");
  EXPECT_EQ(suggestion("kg/m3"), "m^3");
  EXPECT_EQ(suggestion("g/cc"), "cm^3");
  EXPECT_EQ(suggestion("grad"), "deg");
  EXPECT_EQ(suggestion("micron"), "um");
  EXPECT_EQ(suggestion("\""), "in");
  EXPECT_EQ(suggestion("zzzz"), "");
}

TEST(Units, BadSyntaxIsExplained) {
  EXPECT_EQ(parse_unit("m m").error,
            "the unit 'm m' cannot be read: write '*' or '/' between the symbols, as in 'N*m'");
  EXPECT_EQ(parse_unit(" ").error, "the unit is empty");
  EXPECT_EQ(parse_unit("m/").error, "the unit 'm/' cannot be read: it ends too early");
  EXPECT_EQ(parse_unit("60/min").error, "the unit '60/min' cannot be read: the number 60 cannot be part of a unit");
  EXPECT_EQ(parse_unit("(m").error, "the unit '(m' cannot be read: a ')' is missing");
  EXPECT_EQ(parse_unit("m)").error, "the unit 'm)' cannot be read: a ')' has no '('");
  for (const char* text : {"*m", "m**2", "m^", "m^x", "m^2.5", "m^(1/0)", "m^(1/2", "m^100", "m^20*m", "rev^99^99",
                           "+m", "m^(1/7)", "%^99*%^99"}) {
    const UnitParse parsed = parse_unit(text);
    EXPECT_FALSE(parsed.unit) << text;
    EXPECT_FALSE(parsed.error.empty()) << text;
  }
}

TEST(Units, HostileTextIsBounded) {
  EXPECT_FALSE(parse_unit(std::string(1'000'000, '(')).unit);
  EXPECT_FALSE(parse_unit(std::string(150, '(') + "m" + std::string(150, ')')).unit);
  EXPECT_FALSE(parse_unit(std::string(50, '(') + "m" + std::string(50, ')')).unit);
  EXPECT_FALSE(parse_unit("\xFF\xFE").unit);
  EXPECT_FALSE(parse_unit(std::string("m\0s", 3)).unit);
}

TEST(Quantities, AreInOrderAndTheirSymbolsFit) {
  for (int i = 0; i <= static_cast<int>(Quantity::gravity_parameter); ++i) {
    const QuantityInfo& info = quantity_info(static_cast<Quantity>(i));
    EXPECT_EQ(static_cast<int>(info.quantity), i);
    expect_unit(info.si_symbol, 1.0, info.dimension);
  }
}

TEST(Quantities, DescribeDimensionsInWords) {
  EXPECT_EQ(describe_dimension(Dimension(0, 1, 0)), "a length (m)");
  EXPECT_EQ(describe_dimension(Dimension(1, 2, -2)), "a torque (N*m)");
  EXPECT_EQ(describe_dimension(Dimension(0, 2, 0)), "an area (m^2)");
  EXPECT_EQ(describe_dimension({}), "a pure number");
  EXPECT_EQ(describe_dimension(Dimension(1, 3, 0)), "kg*m^3");
  EXPECT_EQ(quantity_of(Dimension(0, 0, -1)), Quantity::angular_rate);
  EXPECT_EQ(quantity_of({}), Quantity::number);
  EXPECT_EQ(quantity_of(Dimension(5, 0, 0)), Quantity::any);
}

}  // namespace
}  // namespace gelenk::units_test
