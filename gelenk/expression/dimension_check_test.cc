#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gelenk/expression/expression.h"

namespace gelenk::expression::dimension_check_test {
namespace {

const Dimension kLength(0, 1, 0);
const Dimension kTime(0, 0, 1);
const Dimension kRate(0, 0, -1);
const Dimension kForce(1, 1, -2);

// Symbols by their first letter: l is a length, t a time, f a force, h a frequency in hertz, others are numbers.
DimensionResult infer(const Expression& expression) {
  std::vector<SymbolMeaning> meanings;
  for (const Symbol& symbol : expression.symbols()) {
    const char kind = symbol.name.front();
    meanings.push_back({kind == 'l'   ? kLength
                        : kind == 't' ? kTime
                        : kind == 'f' ? kForce
                        : kind == 'h' ? kRate
                                      : Dimension{},
                        kind == 'h'});
  }
  return infer_dimension(expression, meanings);
}

DimensionResult infer(std::string_view text) {
  const ParseResult result = parse(text);
  EXPECT_TRUE(result.expression) << text;
  return infer(result.expression.value());
}

Dimension dimension(std::string_view text) {
  const DimensionResult result = infer(text);
  EXPECT_TRUE(result.errors.empty()) << text << ": " << result.errors.at(0).message;
  return result.dimension;
}

TEST(Dimensions, FollowTheOperations) {
  EXPECT_EQ(dimension("l1 + l2 - 5 mm"), kLength);
  EXPECT_EQ(dimension("l / t"), Dimension(0, 1, -1));
  EXPECT_EQ(dimension("f * l"), Dimension(1, 2, -2));
  EXPECT_EQ(dimension("-l"), kLength);
  EXPECT_EQ(dimension("abs(l)"), kLength);
  EXPECT_EQ(dimension("l^2"), Dimension(0, 2, 0));
  EXPECT_EQ(dimension("l^-1"), Dimension(0, -1, 0));
  EXPECT_EQ(dimension("(l^2)^(1/2)"), kLength);
  EXPECT_EQ(dimension("(l^3)^(1/3)"), kLength);
  EXPECT_EQ(dimension("l^(2 - 3 * 0.5)"), kLength.power(1, 2));
  EXPECT_EQ(dimension("sqrt(l * l)"), kLength);
  EXPECT_EQ(dimension("sqrt(l)"), kLength.power(1, 2));
  EXPECT_EQ(dimension("min(l1, l2, 3 mm)"), kLength);
  EXPECT_EQ(dimension("hypot(l1, l2)"), kLength);
  EXPECT_EQ(dimension("mod(t, 2 s)"), kTime);
  EXPECT_EQ(dimension("atan2(l1, l2)"), Dimension{});
  EXPECT_EQ(dimension("if(t > 1 s, l, 2 * l)"), kLength);
  EXPECT_EQ(dimension("sin(30 deg) * l"), kLength);
  EXPECT_EQ(dimension("sin(2 * pi * 5 Hz * t)"), Dimension{});
  EXPECT_EQ(dimension("step(t - 1 s) * f"), kForce);
  EXPECT_EQ(dimension("sign(l)"), Dimension{});
  EXPECT_EQ(dimension("l1 < l2 and not t == 0"), Dimension{});
  EXPECT_EQ(dimension("a^b"), Dimension{});
}

TEST(Dimensions, TheLiteralZeroFitsAll) {
  EXPECT_EQ(dimension("l + 0"), kLength);
  EXPECT_EQ(dimension("0 - l"), kLength);
  EXPECT_EQ(dimension("max(0, l)"), kLength);
  EXPECT_EQ(dimension("if(t > 0, 0, l)"), kLength);
  EXPECT_EQ(dimension("if(t > 0, l, -0)"), kLength);
  EXPECT_TRUE(infer("0").is_zero);
  EXPECT_TRUE(infer("0 + 0").is_zero);
  EXPECT_FALSE(infer("0 mm").is_zero);
  EXPECT_FALSE(infer("l + 0").is_zero);
  EXPECT_FALSE(infer("0 * l").is_zero);
}

TEST(Dimensions, HertzIsKeptUntilItIsMultiplied) {
  for (const char* text : {"50 Hz", "h", "-h", "h + 1 Hz", "abs(h)", "max(h, 3 Hz)", "if(t > 0, 0, h)", "0 + h"}) {
    EXPECT_TRUE(infer(text).is_hertz) << text;
    EXPECT_EQ(infer(text).dimension, kRate) << text;
  }
  for (const char* text : {"2 * pi * h", "h / 1", "5 rpm", "1 / t", "h > 1 Hz"}) {
    EXPECT_FALSE(infer(text).is_hertz) << text;
  }
}

struct ErrorCase {
  const char* text;
  const char* message;
  const char* hint;
};

class DimensionErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(DimensionErrors, AreExplainedOnce) {
  const DimensionResult result = infer(GetParam().text);
  ASSERT_EQ(result.errors.size(), 1u) << GetParam().text;
  EXPECT_EQ(result.errors[0].message, GetParam().message);
  EXPECT_EQ(result.errors[0].hint, GetParam().hint);
  EXPECT_EQ(result.errors[0].code, Code::dimension_mismatch);
}

constexpr const char* kDivide = "divide by a reference value of the same kind";

INSTANTIATE_TEST_SUITE_P(
    List, DimensionErrors,
    testing::Values(
        ErrorCase{"l + t", "cannot add a length (m) and a time (s)", ""},
        ErrorCase{"l - t", "cannot subtract a time (s) from a length (m)", ""},
        ErrorCase{"l + 5", "cannot add a length (m) and a pure number", "give the number a unit: 5 m"},
        ErrorCase{"2 + l / t", "cannot add a pure number and a speed (m/s)", "give the number a unit: 2 (m/s)"},
        ErrorCase{"l < t", "cannot compare a length (m) with a time (s)", ""},
        ErrorCase{"t > 1", "cannot compare a time (s) with a pure number", "give the number a unit: 1 s"},
        ErrorCase{"min(l, t)", "the arguments of 'min' are a length (m) and a time (s)", ""},
        ErrorCase{"hypot(f, t)", "the arguments of 'hypot' are a force (N) and a time (s)", ""},
        ErrorCase{"atan2(l, t)", "the arguments of 'atan2' are a length (m) and a time (s)", ""},
        ErrorCase{"if(a, l, t)", "the two values of 'if' are a length (m) and a time (s)", ""},
        ErrorCase{"if(l, 1, 2)", "the condition of 'if' needs a pure number, but gets a length (m)", kDivide},
        ErrorCase{"sin(l)", "'sin' needs a pure number, but gets a length (m)", kDivide},
        ErrorCase{"exp(t)", "'exp' needs a pure number, but gets a time (s)", kDivide},
        ErrorCase{"floor(t)", "'floor' needs a pure number, but gets a time (s)", kDivide},
        ErrorCase{"l and a", "'and' needs a pure number, but gets a length (m)", kDivide},
        ErrorCase{"not t", "'not' needs a pure number, but gets a time (s)", kDivide},
        ErrorCase{"a^l", "an exponent must be a pure number, but this is a length (m)", ""},
        ErrorCase{"l^a", "a power of a length (m) needs a constant exponent",
                  "divide by a reference value first, or write the exponent as a number"},
        ErrorCase{"l^0.7", "a length (m) to the power 0.7 has no proper unit",
                  "use a whole exponent or a simple fraction"},
        ErrorCase{"l^1000", "a length (m) to the power 1000 has no proper unit",
                  "use a whole exponent or a simple fraction"},
        ErrorCase{"l^20 * l", "the unit of this product has an exponent that is too large", ""},
        // What does not fit because of the first mistake is not a second one.
        ErrorCase{"sin(min((l + t)^2, 3 s) * a + f)", "cannot add a length (m) and a time (s)", ""}));

TEST(Dimensions, ErrorsPointAtTheirText) {
  const ExpressionError error = infer("f * (l + t)").errors.at(0);
  EXPECT_EQ(error.span.begin, 5u);
  EXPECT_EQ(error.span.end, 10u);
}

TEST(Dimensions, TablesHaveTheirOwn) {
  Table table = *Table::make({0.0, 1.0}, {0.0, 2.0}, Interpolation::linear, nullptr);
  table.argument_dimension = kTime;
  table.value_dimension = kForce;
  const auto shared = std::make_shared<const Table>(table);
  const Expression good = Expression::table(shared, *parse("t - 1 s").expression);
  EXPECT_EQ(infer(good).dimension, kForce);
  EXPECT_TRUE(infer(good).errors.empty());
  EXPECT_EQ(infer(differentiate(good, 0)).dimension, kForce / kTime);
  const Expression bad = Expression::table(shared, *parse("l").expression);
  ASSERT_EQ(infer(bad).errors.size(), 1u);
  EXPECT_EQ(infer(bad).errors[0].message, "the table is over a time (s), but its argument is a length (m)");
}

TEST(Dimensions, MissingMeaningsArePureNumbers) {
  EXPECT_EQ(infer_dimension(*parse("a + b").expression, {}).dimension, Dimension{});
}

// The derivative of f by s has the dimension of f / s: every rule of differentiation is dimensionally right.
TEST(Dimensions, OfDerivatives) {
  for (const char* text : {"l * l + 2 (m^2)",
                           "l / (1 m + l)",
                           "sqrt(l * 3 m)",
                           "l^3",
                           "l^(1/2)",
                           "hypot(l, 2 m)",
                           "atan2(l, 1 m)",
                           "mod(l, 2 m)",
                           "mod(3 m, l)",
                           "min(l, 2 m)",
                           "max(3 m, l, 2 * l)",
                           "abs(l)",
                           "if(l > 1 m, l, 2 m)",
                           "sin(l / 1 m)",
                           "exp(-l / 1 m)",
                           "log(l / 2 m) * 3 s",
                           "acos(l / 3 m)",
                           "tan(l / 1 m)",
                           "(l / 1 m)^(l / 2 m)",
                           "log10(l / 1 m)",
                           "tanh(l/1 m)"}) {
    const Expression expression = *parse(text).expression;
    const DimensionResult derivative = infer(differentiate(expression, 0));
    EXPECT_TRUE(derivative.errors.empty()) << text << ": " << derivative.errors.at(0).message;
    EXPECT_EQ(derivative.dimension, infer(expression).dimension / kLength) << text;
  }
}

}  // namespace
}  // namespace gelenk::expression::dimension_check_test
