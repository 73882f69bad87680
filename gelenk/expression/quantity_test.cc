#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/expression/expression.h"

namespace gelenk::expression::quantity_test {
namespace {

// One product of rounded factors.
constexpr double kRounding = 4.0 * 0x1p-53;

void expect_quantity(std::string_view text, double value, const Dimension& dimension, bool has_unit = true) {
  const ParseResult result = parse_quantity(text);
  ASSERT_TRUE(result.expression) << text << ": " << result.errors.at(0).message;
  ASSERT_TRUE(result.expression->is_literal()) << text;
  const ExpressionNode& node = result.expression->nodes()[0];
  EXPECT_NEAR(node.value, value, kRounding * std::abs(value)) << text;
  EXPECT_EQ(node.dimension, dimension) << text;
  EXPECT_EQ(result.has_unit, has_unit) << text;
}

TEST(Quantity, NumberAndUnit) {
  const Dimension length(0, 1, 0), rate(0, 0, -1);
  expect_quantity("12 mm", 0.012, length);
  expect_quantity("12mm", 0.012, length);
  expect_quantity("  -3.5\t", -3.5, {}, false);
  expect_quantity("+.5 m", 0.5, length);
  expect_quantity("2.1e5 N/m", 2.1e5, Dimension(1, 0, -2));
  expect_quantity("1500 1/min", 25.0, rate);
  expect_quantity("600 rpm", 20.0 * std::numbers::pi, rate);
  expect_quantity("5 deg", std::numbers::pi / 36.0, {});
  expect_quantity("5 %", 0.05, {});
  expect_quantity("20 degC", 293.15, Dimension(0, 0, 0, 0, 1));
  expect_quantity("-5 degC", 268.15, Dimension(0, 0, 0, 0, 1));
  expect_quantity("120 (rad/s)", 120.0, rate);
  expect_quantity("40 kN/m", 40e3, Dimension(1, 0, -2));
  expect_quantity("1e-400", 0.0, {}, false);
  EXPECT_TRUE(parse_quantity("5 Hz").expression->nodes()[0].is_hertz);
}

struct ErrorCase {
  const char* text;
  Code code;
  const char* message;
  const char* hint;
};

class QuantityErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(QuantityErrors, AreExplained) {
  const ParseResult result = parse_quantity(GetParam().text);
  EXPECT_FALSE(result.expression);
  ASSERT_EQ(result.errors.size(), 1u) << GetParam().text;
  EXPECT_EQ(result.errors[0].message, GetParam().message);
  EXPECT_EQ(result.errors[0].hint, GetParam().hint);
  EXPECT_EQ(result.errors[0].code, GetParam().code);
  EXPECT_LE(result.errors[0].span.end, std::string_view(GetParam().text).size());
}

constexpr const char* kWriteANumber = "write a number and its unit, as in 12 mm, or '=' and an expression";

INSTANTIATE_TEST_SUITE_P(
    List, QuantityErrors,
    testing::Values(
        ErrorCase{"", Code::not_a_number, "a number is missing", ""},
        ErrorCase{"abc", Code::not_a_number, "'abc' is not a number", kWriteANumber},
        ErrorCase{"-", Code::not_a_number, "'-' is not a number", kWriteANumber},
        ErrorCase{"mm 12", Code::not_a_number, "'mm 12' is not a number", kWriteANumber},
        ErrorCase{"12,5 mm", Code::not_a_number, "'12,5 mm' is not a number", "use a decimal point: 12.5 mm"},
        ErrorCase{"1_000 N", Code::not_a_number, "'1_000 N' is not a number", "write numbers without separators"},
        ErrorCase{"12 mmm", Code::unknown_unit, "unknown unit 'mmm'", "did you mean 'mm'?"},
        ErrorCase{"3 KG", Code::unknown_unit, "unknown unit 'KG'", "did you mean 'kg'?"},
        ErrorCase{"3 banana", Code::unknown_unit, "unknown unit 'banana'",
                  "units are written like mm, kg, N*m, rad/s; see `gelenk help units`"},
        ErrorCase{"10 m m", Code::unknown_unit,
                  "the unit 'm m' cannot be read: write '*' or '/' between the symbols, as in 'N*m'", ""},
        ErrorCase{"5 + 3", Code::unknown_unit, "the unit '+ 3' cannot be read: a unit symbol is expected at '+'",
                  "a formula begins with '='"},
        ErrorCase{"1e400", Code::not_finite, "'1e400' is too large for a number", ""},
        ErrorCase{"1e308 km", Code::not_finite, "'1e308 km' is too large for a number", ""},
        ErrorCase{"-.inf", Code::not_finite, "'-.inf' is not a finite number", ""},
        ErrorCase{"NaN mm", Code::not_finite, "'NaN' is not a finite number", ""}));

TEST(Quantity, LongTextIsRefused) {
  const ParseResult result = parse_quantity(std::string(2'000, '1'));
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].code, Code::expression_too_long);
}

TEST(Quantity, SpanIsThePlaceOfTheMistake) {
  const ExpressionError error = parse_quantity("  12 mmm ").errors.at(0);
  EXPECT_EQ(error.span.begin, 5u);
  EXPECT_EQ(error.span.end, 8u);
}

}  // namespace
}  // namespace gelenk::expression::quantity_test
