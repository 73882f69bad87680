#include "apps/gelenk/option_number.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"

namespace gelenk::app {
namespace {

bool is_in(OptionRange range, double number) {
  if (range == OptionRange::positive) return number > 0.0;
  return range == OptionRange::any || number >= 0.0;
}

}  // namespace

bool read_option(std::string_view option, const std::string& text, Quantity quantity, std::optional<double>& value,
                 Console& console, std::optional<ExitCode>& failed, OptionRange range) {
  if (text.empty()) return true;
  const expression::ParseResult parsed = expression::parse_quantity(text);
  const QuantityInfo& wanted = quantity_info(quantity);
  if (parsed.expression) {
    const expression::DimensionResult found = expression::infer_dimension(*parsed.expression, {});
    const double number = expression::evaluate(*parsed.expression, {});
    if ((found.dimension == wanted.dimension || !parsed.has_unit) && is_in(range, number)) {
      value = number;
      return true;
    }
  }
  const char* kind = range == OptionRange::positive ? "positive " : "";
  std::string message = fmt::format("{} needs a {}{}, not {}", option, kind, wanted.name, shown(text));
  std::string hint = quantity == Quantity::time ? "for example \"2 s\" or \"5 ms\"" : "for example 1e-6";
  if (!parsed.expression && !parsed.errors.empty()) {
    message += ": " + parsed.errors.front().message;
    if (!parsed.errors.front().hint.empty()) hint = parsed.errors.front().hint;
  }
  failed = console.fail(ExitCode::usage_error, message, hint);
  return false;
}

}  // namespace gelenk::app
