#include <gtest/gtest.h>

#include <string>

#include "gelenk/expression/expression.h"
#include "gelenk/expression/random_expression.h"

namespace gelenk::expression::to_text_test {
namespace {

std::string round(std::string_view text) {
  const ParseResult result = parse(text);
  return result.expression ? to_text(*result.expression) : "error in " + std::string(text);
}

TEST(ToText, WritesAsFewParenthesesAsNeeded) {
  EXPECT_EQ(round("(a + (b * c))"), "a + b * c");
  EXPECT_EQ(round("(a+b)*c"), "(a + b) * c");
  EXPECT_EQ(round("a-(b-c)"), "a - (b - c)");
  EXPECT_EQ(round("(a-b)-c"), "a - b - c");
  EXPECT_EQ(round("a/(b/c)"), "a / (b / c)");
  EXPECT_EQ(round("-(a*b)"), "-(a * b)");
  EXPECT_EQ(round("-a*b"), "-a * b");
  EXPECT_EQ(round("-a^2"), "-a^2");
  EXPECT_EQ(round("(-a)^2"), "(-a)^2");
  EXPECT_EQ(round("(-2)^2"), "(-2)^2");
  EXPECT_EQ(round("(a^b)^c"), "(a^b)^c");
  EXPECT_EQ(round("a^(b^c)"), "a^b^c");
  EXPECT_EQ(round("a^(-b)"), "a^-b");
  EXPECT_EQ(round("not (a and b) or c"), "not (a and b) or c");
  EXPECT_EQ(round("(a<b)==(c<d)"), "(a < b) == (c < d)");
  EXPECT_EQ(round("max(max(a,b),c)"), "max(a, b, c)");
  EXPECT_EQ(round("max(a,max(b,c))"), "max(a, max(b, c))");
  EXPECT_EQ(round("if(a>0,b,c)"), "if(a > 0, b, c)");
}

TEST(ToText, WritesConstantsInSi) {
  EXPECT_EQ(round("5 mm"), "0.005 m");
  EXPECT_EQ(round("-5 mm"), "-0.005 m");
  EXPECT_EQ(round("3 kN"), "3000 (kg*m/s^2)");
  EXPECT_EQ(round("2 (rad/s)"), "2 (1/s)");
  EXPECT_EQ(round("2 kHz"), "2000 Hz");
  EXPECT_EQ(round("(5 m)^2"), "(5 m)^2");
  EXPECT_EQ(round("180 deg"), "3.141592653589793");
}

TEST(ToText, RoundTripOfAList) {
  for (const char* text : {"1",
                           "-1",
                           "0",
                           "1e300",
                           "1e-300 kg",
                           "pi",
                           "a",
                           "a.b.3.c",
                           "-a",
                           "--a",
                           "not a",
                           "not not a",
                           "a^b^c",
                           "(a^b)^c",
                           "-a^-b",
                           "2^-2",
                           "(-2)^-2",
                           "2 - -2",
                           "-2 - 2",
                           "-(-2)",
                           "a - (b + c) - d",
                           "a / b * c / (d * e)",
                           "a < b",
                           "(a < b) < c",
                           "a and b or c and not d",
                           "(a or b) and c",
                           "not (a or b)",
                           "(not a) + b",
                           "-(not a)",
                           "(a and b) * 2",
                           "20 degC",
                           "-20 degC",
                           "a * 20 degC",
                           "(3 Hz)^2",
                           "(3 (m/s))^2",
                           "5 (m^(1/2))",
                           "min(a, b, c, d)",
                           "min(min(a, b), min(c, d))",
                           "max(min(a, b), c)",
                           "if(a < b, if(c, 1, 2), 3)",
                           "step(a) * sign(b) * floor(c) * ceil(d) * mod(e, f) * hypot(g, h)",
                           "a == b",
                           "a != b",
                           "(a + b)^(c + d)",
                           "sin(cos(tan(asin(acos(atan(atan2(a, b)))))))",
                           "sinh(cosh(tanh(exp(log(log10(sqrt(abs(a))))))))",
                           "(-5 mm)^2",
                           "(-a)^b",
                           "-5 mm * a",
                           "2 * -5 mm",
                           "a^-5"}) {
    const ParseResult first = parse(text);
    ASSERT_TRUE(first.expression) << text;
    const std::string written = to_text(*first.expression);
    const ParseResult second = parse(written);
    ASSERT_TRUE(second.expression) << text << " as " << written;
    EXPECT_TRUE(*first.expression == *second.expression) << text << " as " << written;
  }
}

TEST(ToText, RoundTripOfRandomTreesAndTheirDerivatives) {
  RandomExpressions random(4711);
  for (int i = 0; i < 300; ++i) {
    const Expression expression = *parse(random.make(1 + i % 6).text, {1u << 20, 1000, 1u << 20}).expression;
    const ParseResult again = parse(to_text(expression), {1u << 20, 1000, 1u << 20});
    ASSERT_TRUE(again.expression);
    EXPECT_TRUE(*again.expression == expression) << to_text(expression);
    if (expression.symbols().empty()) continue;
    const Expression derivative = differentiate(expression, 0);
    const std::string written = to_text(derivative);
    if (written.size() > 100'000) continue;
    const ParseResult read = parse(written, {1u << 20, 1000, 1u << 20});
    ASSERT_TRUE(read.expression) << written;
    EXPECT_TRUE(*read.expression == derivative) << written;
  }
}

TEST(ToText, LongChainsNeedNoStack) {
  std::string text = "a";
  for (int i = 0; i < 4'000; ++i) text += "+a";
  const Expression expression = *parse(text).expression;
  EXPECT_EQ(to_text(expression).size(), 1 + 4'000 * 4u);
  std::string arguments = "max(a";
  for (int i = 0; i < 3'000; ++i) arguments += ",b";
  const Expression many = *parse(arguments + ")").expression;
  EXPECT_TRUE(*parse(to_text(many)).expression == many);
}

// Sharing makes derivatives small, their text is not: it ends at the bound.
TEST(ToText, IsBounded) {
  Expression expression = *parse("exp(sin(x) * cos(x) / (1 + x^2))^sin(x)").expression;
  for (int i = 0; i < 6; ++i) expression = differentiate(expression, 0);
  const std::string text = to_text(expression);
  EXPECT_LE(text.size(), kMaxWrittenBytes + 100);
  EXPECT_TRUE(text.ends_with("..."));
}

TEST(Equality, IsAboutMeaningNotPlace) {
  const auto e = [](std::string_view text) { return *parse(text).expression; };
  EXPECT_TRUE(e("a+b") == e(" a  + (b) "));
  EXPECT_TRUE(e("5 mm") == e("0.005 m"));
  EXPECT_FALSE(e("a+b") == e("b+a"));
  EXPECT_FALSE(e("a+b") == e("a+c"));
  EXPECT_FALSE(e("a+b+c") == e("a+(b+c)"));
  EXPECT_FALSE(e("5") == e("5 m"));
  EXPECT_FALSE(e("5 Hz") == e("5 (1/s)"));
  EXPECT_FALSE(e("a") == Expression());
  EXPECT_TRUE(Expression() == Expression());
  EXPECT_TRUE(e("0") == e("-0"));
}

TEST(Equality, LooksIntoTables) {
  const auto table = [](double last) {
    return std::make_shared<const Table>(*Table::make({0, 1}, {0, last}, Interpolation::linear, nullptr));
  };
  const Expression time = *parse("time").expression;
  EXPECT_TRUE(Expression::table(table(1), time) == Expression::table(table(1), time));
  EXPECT_FALSE(Expression::table(table(1), time) == Expression::table(table(2), time));
  EXPECT_FALSE(Expression::table(table(1), time) == time);
  EXPECT_EQ(to_text(Expression::table(table(1), *parse("time + 1").expression)), "table#0(time + 1)");
}

}  // namespace
}  // namespace gelenk::expression::to_text_test
