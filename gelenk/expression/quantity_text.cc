#include "gelenk/expression/quantity_text.h"

#include "gelenk/expression/evaluate.h"

namespace gelenk::expression {

QuantityText read_quantity(std::string_view text, Quantity wanted) {
  const ParseResult parsed = parse_quantity(text);
  if (!parsed.expression) {
    if (parsed.errors.empty()) return {};
    return {std::nullopt, parsed.errors.front().message, parsed.errors.front().hint};
  }
  const DimensionResult found = infer_dimension(*parsed.expression, {});
  if (parsed.has_unit && found.dimension != quantity_info(wanted).dimension) return {};
  return {evaluate(*parsed.expression, {}), {}, {}};
}

}  // namespace gelenk::expression
