#include "gelenk/base/si_unit.h"

#include "gelenk/base/units.h"

namespace gelenk {

std::string si_unit(const Dimension& dimension) {
  const Quantity quantity = quantity_of(dimension);
  if (dimension.is_none()) return dimension.text();
  if (quantity != Quantity::any) return std::string(quantity_info(quantity).si_symbol);
  for (const UnitSymbol& known : unit_symbols()) {
    const Unit& unit = known.unit;
    if (unit.dimension == dimension && unit.factor == 1.0 && unit.offset == 0.0 && !unit.is_hertz) {
      return std::string(known.symbol);
    }
  }
  return dimension.text();
}

}  // namespace gelenk
