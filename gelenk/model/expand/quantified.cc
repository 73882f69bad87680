#include "gelenk/model/expand/quantified.h"

#include <fmt/format.h>

#include <string_view>

namespace gelenk::model::expanding {

std::optional<Unit> written_unit(const Object& written, Diagnostics& diagnostics) {
  const std::string* text = written.text("unit");
  if (text == nullptr) return std::nullopt;
  const UnitParse parsed = parse_unit(*text);
  if (!parsed.unit) {
    diagnostics.error(Code::unknown_unit, written.range_of("unit"), parsed.error,
                      parsed.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", parsed.suggestion));
  }
  return parsed.unit;
}

std::optional<Quantified> in_unit(const Object& written, const std::optional<Unit>& unit, const Value& value,
                                  std::optional<Quantified> result, Diagnostics& diagnostics) {
  if (!result || !unit) return result;
  if (value.is_bare) {
    return Quantified{result->value * unit->factor + unit->offset, unit->dimension, unit->is_hertz, false};
  }
  if (!result->fits_all && !(result->dimension == unit->dimension)) {
    diagnostics.error(Code::wrong_dimension, value.range,
                      fmt::format("this is {}, but the unit of '{}' is {}", describe_dimension(result->dimension),
                                  written.name, *written.text("unit")));
    return std::nullopt;
  }
  if (result->fits_all) result->dimension = unit->dimension;
  return result;
}

bool fits(const Quantified& result, bool is_bare, std::string_view key, Quantity quantity, const SourceRange& where,
          Diagnostics& diagnostics) {
  if (quantity == Quantity::any || is_bare || result.fits_all) return true;
  const QuantityInfo& expected = quantity_info(quantity);
  if (!(result.dimension == expected.dimension)) {
    std::string hint = fmt::format("the result must be in {}", expected.si_symbol);
    if (result.dimension.is_none()) {
      hint = fmt::format("numbers in expressions are pure numbers: give them a unit, such as 2 {}", expected.si_symbol);
    }
    diagnostics.error(
        Code::wrong_dimension, where,
        fmt::format("'{}' is {} {}, but this is {}", key,
                    std::string_view("aei").find(expected.name.front()) != std::string_view::npos ? "an" : "a",
                    expected.name, describe_dimension(result.dimension)),
        hint);
    return false;
  }
  if (result.is_hertz && quantity == Quantity::angular_rate) {
    diagnostics.error(Code::hertz_for_angular_rate, where,
                      fmt::format("'{}' is an angular rate, but Hz counts turns per second", key),
                      "1 Hz is 2π rad/s: multiply by 2*pi");
    return false;
  }
  return true;
}

}  // namespace gelenk::model::expanding
