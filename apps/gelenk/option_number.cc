#include "apps/gelenk/option_number.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"
#include "gelenk/expression/quantity_text.h"

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
  const expression::QuantityText read = expression::read_quantity(text, quantity);
  const QuantityInfo& wanted = quantity_info(quantity);
  if (read.value && is_in(range, *read.value)) {
    value = read.value;
    return true;
  }
  const char* kind = range == OptionRange::positive ? "positive " : "";
  std::string message = fmt::format("{} needs a {}{}, not {}", option, kind, wanted.name, shown(text));
  std::string hint = quantity == Quantity::time ? "for example \"2 s\" or \"5 ms\"" : "for example 1e-6";
  if (!read.problem.empty()) message += ": " + read.problem;
  if (!read.hint.empty()) hint = read.hint;
  failed = console.fail(ExitCode::usage_error, message, hint);
  return false;
}

}  // namespace gelenk::app
