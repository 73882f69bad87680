#include "gelenk/expression/evaluate.h"

#include <vector>

namespace gelenk::expression {

double evaluate(const Expression& expression, std::span<const double> symbol_values) {
  std::vector<double> scratch(expression.scratch_size());
  return evaluate<double>(expression, symbol_values, scratch);
}

}  // namespace gelenk::expression
