#include "gelenk/expression/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gelenk/expression/evaluate.h"

namespace gelenk::expression::bounds_test {
namespace {

Interval bounds_of(const Expression& formula, const Interval& argument) {
  const std::vector<Interval> symbols(formula.symbols().size(), argument);
  std::vector<Interval> nodes(formula.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = bound_node(formula, formula.nodes()[i], symbols, nodes);
  return nodes.back();
}

double value_of(const Expression& formula, double argument) {
  const std::vector<double> symbols(formula.symbols().size(), argument);
  std::vector<double> scratch(formula.nodes().size());
  return evaluate<double>(formula, symbols, scratch);
}

Expression parsed(const std::string& text) {
  const ParseResult result = parse(text);
  EXPECT_TRUE(result.expression) << text;
  return *result.expression;
}

const char* const kFormulas[] = {
    "x + 2",
    "3 - x",
    "-x",
    "x*x",
    "x*(x - 1)",
    "1/(x*x + 1)",
    "1/x",
    "x^2",
    "x^3",
    "x^-1",
    "(x*x + 0.1)^0.5",
    "2^x",
    "if(x < 1, x, 2 - x)",
    "if(x >= 0.3 and x < 2, 1, 0)",
    "if(x > 1 or not (x > -1), 1, 0)",
    "if(x == 1, 2, 3)",
    "step(x - 0.5)",
    "sin(7*x)",
    "cos(x)",
    "cos(0.1*x + 3)",
    "tan(x)",
    "asin(x/10)",
    "acos(x/10)",
    "atan(x)",
    "atan2(x, 1 - x)",
    "sinh(x)",
    "cosh(x)",
    "tanh(x)",
    "exp(-x*x)",
    "log(x)",
    "log10(x + 7)",
    "sqrt(x)",
    "sqrt(x + 7)",
    "abs(x)",
    "sign(x)",
    "min(x, 1)",
    "max(x, x*x)",
    "floor(x)",
    "ceil(3*x)",
    "mod(x, 0.7)",
    "hypot(x, 1 - x)",
    "500*exp(-((x - 1.3)/0.001)^2)",
};

TEST(Bounds, HoldForEveryValueBetween) {
  std::mt19937_64 dice(1);
  std::uniform_real_distribution<double> place(-5.0, 5.0), share(0.0, 1.0), digits(-6.0, 1.0);
  for (const char* text : kFormulas) {
    const Expression formula = parsed(text);
    for (int n = 0; n < 400; ++n) {
      const double low = place(dice);
      const Interval argument{low, low + std::pow(10.0, digits(dice))};
      const Interval bounds = bounds_of(formula, argument);
      ASSERT_LE(bounds.low, bounds.high) << text;
      for (int i = 0; i < 20; ++i) {
        const double x = argument.low + share(dice) * argument.width();
        const double y = value_of(formula, x);
        if (std::isnan(y)) continue;
        const double rounding = 1e-12 * (1.0 + std::abs(y));
        ASSERT_TRUE(bounds.low - rounding <= y && y <= bounds.high + rounding)
            << text << " at " << x << ": " << y << " is not in " << bounds.low << " ... " << bounds.high;
      }
    }
  }
}

TEST(Bounds, GetNarrow) {
  for (const char* text : kFormulas) {
    const Expression formula = parsed(text);
    constexpr double kPlace = 1.234567, kWidth = 1e-9;
    const Interval bounds = bounds_of(formula, {kPlace, kPlace + kWidth});
    if (std::string(text).find("atan2") != std::string::npos) continue;  // all that is known is a turn
    EXPECT_LT(bounds.width(), 1e6 * kWidth) << text;
  }
}

TEST(Bounds, OfTablesHoldAndGetNarrow) {
  std::mt19937_64 dice(2);
  std::uniform_real_distribution<double> place(-1.0, 6.0), share(0.0, 1.0), digits(-6.0, 1.0);
  for (const Interpolation kind : {Interpolation::linear, Interpolation::cubic, Interpolation::akima}) {
    const auto table = std::make_shared<const Table>(
        *Table::make({0.0, 0.5, 0.6, 2.0, 4.5}, {0.0, 3.0, -1.0, 1.0, 1.5}, kind, nullptr));
    const Expression formula = Expression::table(table, parsed("x"));
    for (int n = 0; n < 2000; ++n) {
      const double low = place(dice);
      const Interval argument{low, low + std::pow(10.0, digits(dice))};
      const Interval bounds = bounds_of(formula, argument);
      for (int i = 0; i < 20; ++i) {
        const double y = value_of(formula, argument.low + share(dice) * argument.width());
        ASSERT_TRUE(bounds.low - 1e-12 <= y && y <= bounds.high + 1e-12);
      }
      if (argument.width() < 1e-4) {
        ASSERT_LT(bounds.width(), 500.0 * argument.width());
      }
    }
  }
}

}  // namespace
}  // namespace gelenk::expression::bounds_test
