#include "gelenk/base/shown_quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "gelenk/base/text.h"

namespace gelenk {

ShownUnit shown_unit(const Display& display, Quantity quantity) {
  for (const auto& [known, symbol] : display) {
    if (known != quantity) continue;
    const UnitParse parsed = parse_unit(symbol);
    if (parsed.unit && parsed.unit->dimension == quantity_info(quantity).dimension) {
      return {symbol, parsed.unit->factor, parsed.unit->offset};
    }
  }
  if (quantity == Quantity::angle) return {"deg", std::numbers::pi / 180.0};
  return {std::string(quantity_info(quantity).si_symbol)};
}

std::string shown_quantity(const Display& display, double si, Quantity quantity, int digits) {
  const ShownUnit unit = shown_unit(display, quantity);
  const double value = unit.shown(si);
  std::string number = format_rounded(value, digits);
  // "12500 mm" reads better than "1.25e+04 mm".
  constexpr double kMostInFull = 1e7;
  if (number.find("e+") != std::string::npos && std::abs(value) < kMostInFull) {
    double rounded = value;
    std::from_chars(number.data(), number.data() + number.size(), rounded);
    number = fmt::format("{:.0f}", rounded);
  }
  return fmt::format("{} {}", number, unit.symbol);
}

}  // namespace gelenk
