#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/expression/random_expression.h"

namespace gelenk::expression::differentiate_test {
namespace {

Expression parsed(std::string_view text) { return parse(text).expression.value(); }

std::string derivative_text(std::string_view text) { return to_text(differentiate(parsed(text), 0)); }

TEST(Differentiate, ResultsStaySmall) {
  EXPECT_EQ(derivative_text("x"), "1");
  EXPECT_EQ(derivative_text("x + 5"), "1");
  EXPECT_EQ(derivative_text("3 * x"), "3");
  EXPECT_EQ(derivative_text("x * 2 m"), "2 m");
  EXPECT_EQ(derivative_text("x^2"), "2 * x");
  EXPECT_EQ(derivative_text("x^1"), "1");
  EXPECT_EQ(derivative_text("x^0"), "0");
  EXPECT_EQ(derivative_text("2 * x^3"), "2 * (3 * x^2)");
  EXPECT_EQ(derivative_text("sin(x)"), "cos(x)");
  EXPECT_EQ(derivative_text("cos(x)"), "-sin(x)");
  EXPECT_EQ(derivative_text("x - x^2"), "1 - 2 * x");
  EXPECT_EQ(derivative_text("-(-x)"), "1");
  EXPECT_EQ(derivative_text("step(x) + floor(x) + sign(x) + (x > 2)"), "0");
  EXPECT_EQ(derivative_text("if(x > 1, x, 2)"), "if(x > 1, 1, 0)");
  EXPECT_EQ(derivative_text("if(x > 1, 3, 2)"), "0");
  EXPECT_EQ(derivative_text("max(x, 2)"), "if(x >= 2, 1, 0)");
  EXPECT_EQ(derivative_text("abs(x)"), "sign(x)");
  EXPECT_EQ(derivative_text("sin(x) * y"), "cos(x) * y");
}

TEST(Differentiate, KeepsTheSymbolList) {
  const Expression expression = parsed("a * b + c");
  const Expression derivative = differentiate(expression, 1);
  ASSERT_EQ(derivative.symbols().size(), 3u);
  EXPECT_EQ(derivative.symbols()[1].name, "b");
  const std::vector<double> values = {7.0, 11.0, 13.0};
  EXPECT_EQ(evaluate(derivative, values), 7.0);
  EXPECT_EQ(to_text(differentiate(expression, 2)), "1");
}

// Central difference with h = 1e-5: h²/6 |f'''| + ε |f| / h. Random trees reach third derivatives of some thousands;
// both parts are compared with the size of the function itself.
constexpr double kStep = 1e-5;
constexpr double kDifference = 1e-5;
// Dual numbers and symbolic rules round differently by a few units in the last place, amplified by cancellation.
constexpr double kDual = 1e-10;

void check_derivatives(const Expression& expression, const std::vector<double>& at) {
  const std::size_t count = at.size();
  std::vector<Dual<3>> variables;
  for (std::size_t k = 0; k < count; ++k) variables.push_back(Dual<3>::variable(at[k], k));
  std::vector<Dual<3>> scratch(expression.scratch_size());
  const Dual<3> dual = evaluate<Dual<3>>(expression, variables, scratch);
  EXPECT_EQ(dual.value, evaluate(expression, at)) << to_text(expression);
  for (std::size_t k = 0; k < count; ++k) {
    const double exact = evaluate(differentiate(expression, k), at);
    std::vector<double> left = at, right = at;
    left[k] -= kStep;
    right[k] += kStep;
    const double below = evaluate(expression, left);
    const double above = evaluate(expression, right);
    const double size = std::max({1.0, std::abs(exact), std::abs(below)});
    EXPECT_NEAR(exact, (above - below) / (2.0 * kStep), kDifference * size) << to_text(expression);
    EXPECT_NEAR(exact, dual.partials[k], kDual * size) << to_text(expression);
  }
}

TEST(Differentiate, EveryFunctionAgainstDifferencesAndDuals) {
  for (const char* text : {"x + y",
                           "x - y",
                           "x * y",
                           "x / y",
                           "x^y",
                           "x^3",
                           "x^-1.5",
                           "2^x",
                           "x^(1/2)",
                           "-x * y",
                           "sin(x * y)",
                           "cos(x * y)",
                           "tan(x / 3)",
                           "asin(x / 3)",
                           "acos(x / 3)",
                           "atan(x * y)",
                           "atan2(x, y)",
                           "atan2(y, -x)",
                           "sinh(x)",
                           "cosh(x * y)",
                           "tanh(x * y)",
                           "exp(-x * y)",
                           "log(x * y)",
                           "log10(x + y)",
                           "sqrt(x * y)",
                           "abs(x - 5)",
                           "abs(y) * x",
                           "min(x, y)",
                           "max(x, y, x * y)",
                           "mod(x, y)",
                           "mod(-7 * x, y)",
                           "mod(y, 0.3)",
                           "hypot(x, y)",
                           "if(x > y, x * y, y / x)",
                           "step(x - 10) * x + floor(x) * y + ceil(y) * x",
                           "sign(x) * y",
                           "x * (x > 1) + y * (x < 1 or y > 0)",
                           "(not (x > 100)) * y"}) {
    const Expression expression = parsed(text);
    for (const auto& point : {std::vector{0.7, 1.3}, std::vector{1.9, 0.45}, std::vector{2.35, 2.15}}) {
      const bool x_first = expression.symbols()[0].name == "x";
      std::vector<double> at = {point[x_first ? 0 : 1], point[x_first ? 1 : 0]};
      at.resize(expression.symbols().size());
      check_derivatives(expression, at);
    }
  }
}

TEST(Differentiate, RandomTreesAgainstDifferencesAndDuals) {
  RandomExpressions random(99);
  for (int i = 0; i < 300; ++i) {
    const Expression expression = parsed(random.make(1 + i % 4).text);
    std::vector<double> at;
    for (std::size_t k = 0; k < expression.symbols().size(); ++k) at.push_back(random.uniform(-1.5, 1.5));
    check_derivatives(expression, at);
  }
}

TEST(Differentiate, Twice) {
  const Expression second = differentiate(differentiate(parsed("sin(2 * x)^2"), 0), 0);
  for (const double x : {-1.0, 0.3, 2.0}) {
    const std::vector<double> at = {x};
    // sin²(2x)'' = 8 cos(4x); rounding only.
    EXPECT_NEAR(evaluate(second, at), 8.0 * std::cos(4.0 * x), 1e-13);
  }
}

TEST(Differentiate, Tables) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic, Interpolation::akima}) {
    const auto table = std::make_shared<const Table>(
        *Table::make({0.0, 1.0, 2.5, 3.0, 5.0}, {1.0, -1.0, 0.5, 2.0, 1.5}, interpolation, nullptr));
    const Expression expression = Expression::table(table, parsed("x * y"));
    for (const double x : {0.3, 0.9, 1.7, -4.0, 9.0}) check_derivatives(expression, {x, 1.4});
    // The second derivative of a table has no operation of its own.
    EXPECT_TRUE(differentiate(differentiate(expression, 0), 0).is_empty());
    EXPECT_EQ(to_text(differentiate(Expression::table(table, parsed("x")), 0)), "table_derivative#0(x)");
  }
}

TEST(Differentiate, OfNothingIsNothing) {
  EXPECT_TRUE(differentiate(Expression(), 0).is_empty());
  EXPECT_EQ(to_text(differentiate(parsed("5 m"), 0)), "0");
}

// Work stays proportional to the length: no copies of subtrees.
TEST(Differentiate, LongProductsStayLinear) {
  std::string text = "x";
  for (int i = 0; i < 1'000; ++i) text += "*(x+" + std::to_string(i) + ")";
  const Expression expression = parse(text, {1u << 20, 100, 10'000}).expression.value();
  EXPECT_LE(differentiate(expression, 0).nodes().size(), 4 * expression.nodes().size());
}

}  // namespace
}  // namespace gelenk::expression::differentiate_test
