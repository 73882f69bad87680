#include "gelenk/base/shown_quantity.h"

#include <fmt/format.h>

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
  return fmt::format("{} {}", format_rounded(unit.shown(si), digits), unit.symbol);
}

}  // namespace gelenk
