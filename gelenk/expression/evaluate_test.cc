#include "gelenk/expression/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "gelenk/base/allocation_count_test_support.h"

namespace gelenk::expression::evaluate_test {
namespace {

constexpr const char* kEverything =
    "if(x > 0 and not y < 1 or x == y, min(x, y, 2) + max(x, y), step(x)) + sin(x) + cos(y) + tan(x) + asin(0.5) + "
    "acos(0.1) + "
    "atan(x) + atan2(x, y) + sinh(x) + cosh(y) + tanh(x) + exp(x) + log(y) + log10(y) + sqrt(y) + abs(-x) + sign(x) + "
    "floor(x) + "
    "ceil(y) + mod(x, 2) + hypot(x, y) + x^y + x^2 - y / x * -x + (x <= y) + (x >= y) + (x != y)";

Expression everything_with_table() {
  const auto table =
      std::make_shared<const Table>(*Table::make({0, 10, 20, 50}, {1, 2, 0, 3}, Interpolation::akima, nullptr));
  return Expression::table(table, *parse(kEverything).expression);
}

TEST(Evaluate, AllocatesNothing) {
  const Expression expression = everything_with_table();
  const Expression derivative = differentiate(expression, 0);
  const std::size_t size = std::max(expression.scratch_size(), derivative.scratch_size());
  const std::vector<double> values = {0.7, 1.3};
  std::vector<double> scratch(size);
  const std::vector<Dual<2>> duals = {Dual<2>::variable(0.7, 0), Dual<2>::variable(1.3, 1)};
  std::vector<Dual<2>> dual_scratch(size);

  const long before = test::allocation_count;
  double sum = 0.0;
  for (int i = 0; i < 10; ++i) {
    sum += evaluate<double>(expression, values, scratch);
    sum += evaluate<double>(derivative, values, scratch);
    sum += evaluate<Dual<2>>(expression, duals, dual_scratch).partials[1];
  }
  const long after = test::allocation_count;
  EXPECT_EQ(after - before, 0);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_GT(before, 0);
}

TEST(Evaluate, DualsAgreeWithTheDerivativeOfEverything) {
  const Expression expression = everything_with_table();
  const std::vector<double> values = {0.7, 1.3};
  const std::vector<Dual<2>> duals = {Dual<2>::variable(0.7, 0), Dual<2>::variable(1.3, 1)};
  std::vector<Dual<2>> scratch(expression.scratch_size());
  const Dual<2> result = evaluate<Dual<2>>(expression, duals, scratch);
  EXPECT_EQ(result.value, evaluate(expression, values));
  for (std::size_t k = 0; k < 2; ++k) {
    const double exact = evaluate(differentiate(expression, k), values);
    EXPECT_NEAR(result.partials[k], exact, 1e-13 * std::max(1.0, std::abs(exact)));  // the same terms, other order
  }
}

TEST(Evaluate, TableIsHeldBeyondItsEnds) {
  const auto table = std::make_shared<const Table>(*Table::make({0, 1}, {2, 5}, Interpolation::linear, nullptr));
  const Expression expression = Expression::table(table, *parse("time").expression);
  for (const auto& [time, expected] : {std::pair{-1.0, 2.0}, std::pair{0.5, 3.5}, std::pair{9.0, 5.0}}) {
    const std::vector<double> values = {time};
    EXPECT_EQ(evaluate(expression, values), expected);
  }
}

TEST(Evaluate, LogicTakesEveryNumberButZeroAsTrue) {
  const auto value = [](std::string_view text) { return evaluate(*parse(text).expression, {}); };
  EXPECT_EQ(value("5 and -3"), 1.0);
  EXPECT_EQ(value("5 and 0"), 0.0);
  EXPECT_EQ(value("0 or 0.1"), 1.0);
  EXPECT_EQ(value("not 0.1"), 0.0);
  EXPECT_EQ(value("if(-1, 2, 3)"), 2.0);
}

TEST(Evaluate, ConstantsAndEmpty) {
  EXPECT_EQ(evaluate(Expression::constant(2.5, Dimension(0, 1, 0)), {}), 2.5);
  EXPECT_EQ(evaluate(Expression(), {}), 0.0);
  EXPECT_TRUE(Expression::constant(1.0).is_literal());
  EXPECT_FALSE(parse("1 + 1").expression->is_literal());
}

}  // namespace
}  // namespace gelenk::expression::evaluate_test
