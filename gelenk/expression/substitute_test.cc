#include <gtest/gtest.h>

#include <vector>

#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"

namespace gelenk::expression::substitute_test {
namespace {

Expression parsed(std::string_view text) { return parse(text).expression.value(); }

TEST(Substitute, PutsAFormulaInOnceWhereverItIsRead) {
  const Expression outer = parsed("u * u + gain * time");
  const Expression inner = parsed("gain + 2 * time");
  const std::vector<const Expression*> formulas{&inner, nullptr, nullptr};
  const Expression result = substitute(outer, formulas, "time");
  ASSERT_EQ(result.symbols().size(), 3u);
  EXPECT_EQ(result.symbols()[0].name, "gain");
  EXPECT_EQ(result.symbols()[1].name, "time");
  EXPECT_EQ(result.symbols()[2].name, "u/gain");
  EXPECT_EQ(evaluate(result, std::vector<double>{3.0, 5.0, 7.0}), 17.0 * 17.0 + 15.0);
  // u stands there once, less the symbol that it replaces.
  EXPECT_EQ(result.nodes().size(), outer.nodes().size() + inner.nodes().size() - 2);
}

TEST(Substitute, ANameAloneBecomesTheFormula) {
  const Expression inner = parsed("if(x > 2, sin(x), 5)");
  const std::vector<const Expression*> formulas{&inner};
  const Expression result = substitute(Expression::symbol("u"), formulas, "time");
  EXPECT_EQ(result.nodes().size(), inner.nodes().size());
  for (const double x : {1.0, 3.0}) {
    EXPECT_EQ(evaluate(result, std::vector<double>{x}), evaluate(inner, std::vector<double>{x}));
  }
}

TEST(Substitute, TablesOfBothStay) {
  const auto table = [](double end) {
    return std::make_shared<const Table>(*Table::make({0.0, 1.0}, {0.0, end}, Interpolation::linear, nullptr));
  };
  const Expression inner = Expression::table(table(10.0), Expression::symbol("x"));
  const Expression outer = Expression::table(table(3.0), Expression::symbol("u"));
  const std::vector<const Expression*> formulas{&inner};
  const Expression result = substitute(outer, formulas, "time");
  EXPECT_DOUBLE_EQ(evaluate(result, std::vector<double>{0.05}), 1.5);
}

}  // namespace
}  // namespace gelenk::expression::substitute_test
