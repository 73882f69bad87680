#include "gelenk/model/shown_quantity.h"

#include <fmt/format.h>

#include <numbers>

#include "gelenk/base/text.h"

namespace gelenk::model {

ShownUnit shown_unit(const Machine& machine, Quantity quantity) {
  for (const auto& [known, symbol] : machine.display) {
    if (known != quantity) continue;
    const UnitParse parsed = parse_unit(symbol);
    if (parsed.unit) return {parsed.unit->factor, symbol};
  }
  if (quantity == Quantity::angle) return {std::numbers::pi / 180.0, "deg"};
  return {1.0, std::string(quantity_info(quantity).si_symbol)};
}

std::string shown_quantity(const Machine& machine, double si, Quantity quantity, int digits) {
  const ShownUnit unit = shown_unit(machine, quantity);
  return fmt::format("{} {}", format_rounded(si / unit.factor, digits), unit.symbol);
}

}  // namespace gelenk::model
