// libFuzzer target: whatever the text, parsing ends with an expression or an error, never with a crash; and an
// expression survives writing, reading, checking, differentiating and evaluating.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gelenk/base/units.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"

namespace {

using gelenk::Dual;
using gelenk::expression::Expression;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_errors(const gelenk::expression::ParseResult& result, std::string_view text) {
  require(result.expression.has_value() == result.errors.empty());
  for (const auto& error : result.errors) {
    require(error.span.begin <= error.span.end && error.span.end <= text.size());
    require(!error.message.empty());
  }
}

void check_round_trip(const Expression& expression) {
  const std::string written = to_text(expression);
  // SI constants are longer than what a person writes, so only the depth is held to the usual limit.
  gelenk::expression::ParseLimits limits;
  limits.max_bytes = gelenk::expression::kMaxWrittenBytes;
  const auto again = gelenk::expression::parse(written, limits);
  require(again.expression.has_value());
  require(*again.expression == expression);
}

void check_use(const Expression& expression) {
  const std::size_t count = expression.symbols().size();
  infer_dimension(expression, std::vector<gelenk::expression::SymbolMeaning>(count));
  constexpr std::size_t kMaxDerivatives = 5;
  const std::vector<double> values(count, 0.5);
  evaluate(expression, values);
  for (std::size_t k = 0; k < count && k < kMaxDerivatives; ++k) {
    const Expression derivative = differentiate(expression, k);
    require(derivative.symbols().size() == count);
    evaluate(derivative, values);
  }
  const std::vector<Dual<2>> duals(count, Dual<2>::variable(0.5, 1));
  std::vector<Dual<2>> scratch(expression.scratch_size());
  gelenk::expression::evaluate<Dual<2>>(expression, duals, scratch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  gelenk::parse_unit(text);
  check_errors(gelenk::expression::parse_quantity(text), text);
  const auto result = gelenk::expression::parse(text);
  check_errors(result, text);
  if (result.expression) {
    check_round_trip(*result.expression);
    check_use(*result.expression);
  }
  return 0;
}
