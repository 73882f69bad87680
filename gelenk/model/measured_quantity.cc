#include "gelenk/model/measured_quantity.h"

#include <optional>
#include <vector>

namespace gelenk::model {
namespace {

bool counts_turns(Quantity quantity) {
  return quantity == Quantity::angle || quantity == Quantity::angular_rate ||
         quantity == Quantity::angular_acceleration;
}

// Power of the radian, as expression::angle_power() wants it.
std::optional<int> power_of(const SymbolUse& symbol) {
  if (symbol.kind == SymbolUse::Kind::time) return 0;
  if (symbol.kind != SymbolUse::Kind::channel || symbol.channel.measures == Quantity::any) return std::nullopt;
  return counts_turns(symbol.channel.measures) ? 1 : 0;
}

std::optional<Quantity> turning_quantity(const Dimension& dimension) {
  for (const Quantity quantity : {Quantity::angle, Quantity::angular_rate, Quantity::angular_acceleration}) {
    if (quantity_info(quantity).dimension == dimension) return quantity;
  }
  return std::nullopt;
}

}  // namespace

Quantity measured_quantity(const Signal& signal) {
  if (signal.formula.nodes().size() == 1 && signal.symbols.size() == 1) {
    const SymbolUse& symbol = signal.symbols.front();
    if (symbol.kind == SymbolUse::Kind::time) return Quantity::time;
    if (symbol.kind == SymbolUse::Kind::channel && symbol.channel.measures != Quantity::any) {
      return symbol.channel.measures;
    }
  }
  const Quantity by_dimension = quantity_of(signal.dimension);
  const std::optional<Quantity> turning = turning_quantity(signal.dimension);
  if (!turning) return by_dimension;
  std::vector<std::optional<int>> powers;
  for (const SymbolUse& symbol : signal.symbols) powers.push_back(power_of(symbol));
  const std::optional<int> power = expression::angle_power(signal.formula, powers);
  if (!power) return signal.is_hertz ? Quantity::any : by_dimension;
  if (*power == 1) return *turning;
  return signal.dimension.is_none() ? Quantity::number : Quantity::any;
}

}  // namespace gelenk::model
