#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/expression/random_expression.h"

namespace gelenk::expression::parser_test {
namespace {

constexpr double kPi = std::numbers::pi;

double value(std::string_view text) {
  const ParseResult result = parse(text);
  if (!result.expression) {
    ADD_FAILURE() << text << ": " << (result.errors.empty() ? "" : result.errors[0].message);
    return NAN;
  }
  EXPECT_TRUE(result.errors.empty()) << text;
  EXPECT_TRUE(result.expression->symbols().empty()) << text;
  return evaluate(*result.expression, {});
}

std::string names(std::string_view text) {
  std::string joined;
  const ParseResult result = parse(text);
  if (!result.expression) return "error";
  for (const Symbol& symbol : result.expression->symbols()) joined += symbol.name + " ";
  return joined;
}

TEST(Parse, Precedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("10 - 4 - 3"), 3.0);
  EXPECT_EQ(value("24 / 4 / 2"), 3.0);
  EXPECT_EQ(value("24 / 4 * 2"), 12.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("(2^3)^2"), 64.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("(-2)^2"), 4.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-1^2"), 0.5);
  EXPECT_EQ(value("-2 * -3"), 6.0);
  EXPECT_EQ(value("3 - -2"), 5.0);
  EXPECT_EQ(value("--3"), 3.0);
  EXPECT_EQ(value("+3"), 3.0);
  EXPECT_EQ(value("2 * 3^2"), 18.0);
  EXPECT_EQ(value("1 < 2"), 1.0);
  EXPECT_EQ(value("1 + 1 < 2 * 1"), 0.0);
  EXPECT_EQ(value("1 < 2 and 3 < 2"), 0.0);
  EXPECT_EQ(value("1 or 0 and 0"), 1.0);
  EXPECT_EQ(value("(1 or 0) and 0"), 0.0);
  EXPECT_EQ(value("not 1 < 2"), 0.0);
  EXPECT_EQ(value("not 0 and 0"), 0.0);
  EXPECT_EQ(value("not not 5"), 1.0);
}

TEST(Parse, FunctionsAndConstants) {
  EXPECT_EQ(value("pi"), kPi);
  EXPECT_EQ(value("sin(pi / 6)"), std::sin(kPi / 6.0));
  EXPECT_EQ(value("log(10)"), std::log(10.0));
  EXPECT_EQ(value("log10(1000)"), 3.0);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1.0, -1.0));
  EXPECT_EQ(value("max(1, 5, 3, 2)"), 5.0);
  EXPECT_EQ(value("min(4, 2, 8)"), 2.0);
  EXPECT_EQ(value("if(2 > 1, 10, 20)"), 10.0);
  EXPECT_EQ(value("if(0, 10, 20)"), 20.0);
  EXPECT_EQ(value("step(-1e-300)"), 0.0);
  EXPECT_EQ(value("step(0)"), 1.0);
  EXPECT_EQ(value("mod(-1, 3)"), 2.0);
  EXPECT_EQ(value("mod(7, -3)"), -2.0);
  EXPECT_EQ(value("hypot(3, 4)"), 5.0);
  EXPECT_EQ(value("sign(-3) + sign(0) + sign(2) * 5"), 4.0);
  EXPECT_EQ(value("floor(-1.5) * 10 + ceil(-1.5)"), -21.0);
  EXPECT_EQ(value("abs(-2) + sqrt(9) + exp(0) + tan(0) + cosh(0) + sinh(0) + tanh(0)"), 7.0);
  EXPECT_EQ(value("asin(1) + acos(1) + atan(0) + cos(0)"), kPi / 2.0 + 1.0);
}

TEST(Parse, NumbersCarryUnits) {
  EXPECT_EQ(value("5 mm"), 0.005);
  EXPECT_EQ(value("5mm"), 0.005);
  EXPECT_EQ(value("2e3 N"), 2000.0);
  EXPECT_EQ(value("30 deg"), 30.0 * (kPi / 180.0));
  EXPECT_EQ(value("120 (rad/s)"), 120.0);
  EXPECT_EQ(value("3 (s^-1)"), 3.0);
  EXPECT_EQ(value("3 (km/(h))"), 3.0 * (1000.0 / 3600.0));
  EXPECT_EQ(value("50 %"), 0.5);
  EXPECT_EQ(value("3 µm"), 3e-6);
  EXPECT_EQ(value("2 kg·m²"), 2.0);
  EXPECT_EQ(value("1 m + 1 mm"), 1.001);
  EXPECT_EQ(value("6 m / 2 m"), 3.0);
  EXPECT_EQ(value("(3 m)^2"), 9.0);
  EXPECT_EQ(value("2 min"), 120.0);
  EXPECT_EQ(value("20 degC"), 293.15);
  EXPECT_EQ(value("-5 degC"), 268.15);
  EXPECT_EQ(value("5 > 3 and 2 > 1"), 1.0);  // `and` is no unit
  const Expression rate = *parse("50 Hz").expression;
  EXPECT_TRUE(rate.is_literal());
  EXPECT_TRUE(rate.nodes()[0].is_hertz);
  EXPECT_EQ(rate.nodes()[0].dimension, Dimension(0, 0, -1));
}

TEST(Parse, NamesInOrderOfFirstUse) {
  EXPECT_EQ(names("b + a * b"), "b a ");
  EXPECT_EQ(names("link.3.tip.position.x - time"), "link.3.tip.position.x time ");
  EXPECT_EQ(names("m * g0"), "m g0 ");  // alone, a unit symbol is a name
  EXPECT_EQ(names("front-left"), "front left ");
  EXPECT_EQ(names("_a1 + android + order + pi.x"), "_a1 android order pi.x ");
  const Expression expression = *parse("aa + bb").expression;
  EXPECT_EQ(expression.symbols()[1].span.begin, 5u);
  EXPECT_EQ(expression.symbols()[1].span.end, 7u);
}

TEST(Parse, EveryNodeKnowsItsText) {
  const std::string text = " a + sin( 2 mm * b )^2 ";
  const Expression expression = *parse(text).expression;
  const auto piece = [&](std::size_t i) {
    const TextSpan span = expression.nodes()[i].span;
    return text.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(piece(0), "a");
  EXPECT_EQ(piece(1), "2 mm");
  EXPECT_EQ(piece(2), "b");
  EXPECT_EQ(piece(3), "2 mm * b");
  EXPECT_EQ(piece(4), "sin( 2 mm * b )");
  EXPECT_EQ(piece(5), "2");
  EXPECT_EQ(piece(6), "sin( 2 mm * b )^2");
  EXPECT_EQ(piece(7), "a + sin( 2 mm * b )^2");
}

// Fully parenthesized text against plain C++.
TEST(Parse, AgreesWithAnIndependentEvaluator) {
  RandomExpressions random(11);
  for (int i = 0; i < 300; ++i) {
    const RandomExpression expected = random.make(1 + i % 5);
    const ParseResult result = parse(expected.text);
    ASSERT_TRUE(result.expression) << expected.text;
    const double x = random.uniform(-2, 2), y = random.uniform(-2, 2), z = random.uniform(-2, 2);
    std::vector<double> values;
    for (const Symbol& s : result.expression->symbols()) values.push_back(s.name == "x" ? x : s.name == "y" ? y : z);
    const double reference = expected.value(x, y, z);
    // The same operations in the same order; only x² as pow(x, 2) may round differently, and sums may cancel.
    EXPECT_NEAR(evaluate(*result.expression, values), reference, 1e-11 * std::max(1.0, std::abs(reference)))
        << expected.text;
  }
}

struct ErrorCase {
  const char* text;
  Code code;
  const char* message;
  const char* hint;
};

class ParseErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(ParseErrors, AreExplained) {
  const ParseResult result = parse(GetParam().text);
  EXPECT_FALSE(result.expression);
  ASSERT_FALSE(result.errors.empty()) << GetParam().text;
  const ExpressionError& error = result.errors.front();
  EXPECT_EQ(error.message, GetParam().message) << GetParam().text;
  EXPECT_EQ(error.hint, GetParam().hint) << GetParam().text;
  EXPECT_EQ(error.code, GetParam().code) << GetParam().text;
  EXPECT_LE(error.span.begin, error.span.end);
  EXPECT_LE(error.span.end, std::string_view(GetParam().text).size());
}

constexpr Code kSyntax = Code::expression_syntax;

INSTANTIATE_TEST_SUITE_P(
    List, ParseErrors,
    testing::Values(
        ErrorCase{"", kSyntax, "the expression is empty", ""}, ErrorCase{"  ", kSyntax, "the expression is empty", ""},
        ErrorCase{"a +", kSyntax, "the expression ends where a value is expected", ""},
        ErrorCase{"* a", kSyntax, "a value is missing before '*'", ""},
        ErrorCase{"a + * b", kSyntax, "a value is missing before '*'", ""},
        ErrorCase{"(a + b", kSyntax, "this '(' is never closed", "add a ')'"},
        ErrorCase{"a + b)", kSyntax, "this ')' has no '('", ""},
        ErrorCase{"sin(a", kSyntax, "this '(' is never closed", "add a ')'"},
        ErrorCase{"sin(a,)", kSyntax, "a value is missing before ')'", ""},
        ErrorCase{"a b", kSyntax, "an operator is missing before 'b'", "to multiply, write *"},
        ErrorCase{"(a)(b)", kSyntax, "an operator is missing before '('", "to multiply, write *"},
        ErrorCase{"a && b", kSyntax, "'&&' is not possible here", "write 'and'"},
        ErrorCase{"a || b", kSyntax, "'||' is not possible here", "write 'or'"},
        ErrorCase{"!a", kSyntax, "'!' is not possible here", "write 'not'"},
        ErrorCase{"a ** 2", kSyntax, "'**' is not possible here", "write '^' for a power"},
        ErrorCase{"a = 2", kSyntax, "'=' is not possible here", "write '==' to compare"},
        ErrorCase{"a ? 1 : 2", kSyntax, "'?' is not possible here", "write if(condition, a, b)"},
        ErrorCase{"a % b", kSyntax, "'%' is not possible here", "write mod(a, b) for the remainder of a division"},
        ErrorCase{"[a]", kSyntax, "'[' is not possible here", "use round parentheses"},
        ErrorCase{"a < b < c", kSyntax, "comparisons cannot be chained", "write a < b and b < c"},
        ErrorCase{"a + not b", kSyntax, "'not' is not possible here", "put it in parentheses"},
        ErrorCase{"and b", kSyntax, "a value is missing before 'and'", ""},
        ErrorCase{"12,5 * a", kSyntax, "a comma is possible only between the arguments of a function",
                  "use a decimal point: 12.5"},
        ErrorCase{"sin + 1", kSyntax, "'sin' is a function", "write sin(...)"},
        ErrorCase{"5 m^2", kSyntax, "it is not clear whether the power belongs to the unit or to the whole quantity",
                  "write 5 (m^2) or (5 m)^2"},
        ErrorCase{"2 sin(x)", kSyntax, "an operator is missing before 'sin'", "to multiply, write 2 * sin"},
        ErrorCase{"2 pi", kSyntax, "an operator is missing before 'pi'", "to multiply, write 2 * pi"},
        ErrorCase{"2 a.b", kSyntax, "an operator is missing before 'a.b'", "to multiply, write 2 * a.b"},
        ErrorCase{"2(a+b)", kSyntax, "parentheses after a number hold its unit", "to multiply, write 2 * (a+b)"},
        ErrorCase{"2 (a-b)", kSyntax, "parentheses after a number hold its unit", "to multiply, write 2 * (a-b)"},
        ErrorCase{"2 (m m)", kSyntax,
                  "the unit 'm m' cannot be read: write '*' or '/' between the symbols, as in 'N*m'",
                  "to multiply, write 2 * (m m)"},
        ErrorCase{"größe + 1", kSyntax, "'größe' is not a value",
                  "names contain letters a to z, digits and underscores; a unit follows a number"},
        ErrorCase{"2 x", Code::unknown_unit, "unknown unit 'x'", "to multiply, write 2 * x"},
        ErrorCase{"5 mmm", Code::unknown_unit, "unknown unit 'mmm'", "did you mean 'mm'? to multiply, write 5 * mmm"},
        ErrorCase{"9 (rad/S)", Code::unknown_unit, "unknown unit 'S'",
                  "did you mean 's'? to multiply, write 9 * (rad/S)"},
        ErrorCase{"sine(x)", Code::unknown_function, "unknown function 'sine'", "did you mean 'sin'?"},
        ErrorCase{"ln(x)", Code::unknown_function, "unknown function 'ln'", "did you mean 'log'?"},
        ErrorCase{"pow(x, 2)", Code::unknown_function, "unknown function 'pow'", "write a ^ b"},
        ErrorCase{"radius (x)", Code::unknown_function, "unknown function 'radius'",
                  "to multiply, write radius * (...)"},
        ErrorCase{"atan2(x)", Code::wrong_argument_count, "'atan2' takes 2 arguments, but gets 1", ""},
        ErrorCase{"sin()", Code::wrong_argument_count, "'sin' takes 1 argument, but gets 0", ""},
        ErrorCase{"max(x)", Code::wrong_argument_count, "'max' takes at least 2 arguments, but gets 1", ""},
        ErrorCase{"if(x, 1)", Code::wrong_argument_count, "'if' takes 3 arguments, but gets 2",
                  "write if(condition, value, other_value)"},
        ErrorCase{"1e400", Code::not_finite, "the number '1e400' is too large", ""},
        ErrorCase{"1e308 km", Code::not_finite, "the number '1e308' is too large in SI units", ""}));

TEST(Parse, CollectsSeveralErrors) {
  const ParseResult result = parse("5 mmm + sine(x) + atan2(1) + 1e999");
  ASSERT_EQ(result.errors.size(), 4u);
  EXPECT_EQ(result.errors[0].code, Code::unknown_unit);
  EXPECT_EQ(result.errors[1].code, Code::unknown_function);
  EXPECT_EQ(result.errors[2].code, Code::wrong_argument_count);
  EXPECT_EQ(result.errors[3].code, Code::not_finite);
  EXPECT_EQ(result.errors[1].span.begin, 8u);
  EXPECT_EQ(result.errors[1].span.end, 12u);
}

std::string repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(Parse, IsBounded) {
  const auto code = [](const std::string& text) {
    const ParseResult result = parse(text);
    return result.errors.empty() ? Code::none : result.errors.front().code;
  };
  EXPECT_EQ(code(std::string(10'001, '1')), Code::expression_too_long);
  for (const char* piece : {"(", "-", "+", "not ", "2^", "sin(", "if(1,"}) {
    EXPECT_EQ(code(repeated(piece, 150) + "1"), Code::expression_too_long) << piece;
  }
  EXPECT_EQ(code(repeated("(", 90) + "1" + repeated(")", 90)), Code::none);
  EXPECT_EQ(code(repeated("1+", 4'000) + "1"), Code::none);
  ParseLimits few;
  few.max_nodes = 5;
  EXPECT_TRUE(parse("1+2+3", few).expression);
  EXPECT_EQ(parse("1+2+3+4", few).errors.front().message, "the expression has more than 5 operations");
  // A thousand wrong units are not a thousand errors.
  EXPECT_LE(parse(repeated("1 xx+", 1'000) + "1").errors.size(), 20u);
}

TEST(Names, ReservedAndMistakenForUnits) {
  for (const char* word : {"pi", "and", "or", "not", "if", "sin"}) EXPECT_TRUE(is_reserved_word(word)) << word;
  for (const char* word : {"m", "time", "e"}) EXPECT_FALSE(is_reserved_word(word)) << word;
  EXPECT_EQ(unknown_name_hint("s"), "put a unit of several symbols in parentheses, as in 120 (rad/s)");
  EXPECT_EQ(unknown_name_hint("crank"), "");
}

}  // namespace
}  // namespace gelenk::expression::parser_test
