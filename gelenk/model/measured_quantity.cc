#include "gelenk/model/measured_quantity.h"

#include <algorithm>
#include <array>
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

std::optional<int> power_of(const Signal& signal) {
  std::vector<std::optional<int>> powers;
  for (const SymbolUse& symbol : signal.symbols) powers.push_back(power_of(symbol));
  return expression::angle_power(signal.formula, powers);
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
  const std::optional<int> power = power_of(signal);
  if (!power) return signal.is_hertz ? Quantity::any : by_dimension;
  if (*power == 1) return *turning;
  return signal.dimension.is_none() ? Quantity::number : Quantity::any;
}

Quantity turning_of_unit(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kAngles{"rad", "mrad", "deg", "°", "rev"};
  if (unit == "rpm") return Quantity::angular_rate;
  const std::size_t slash = unit.find('/');
  if (std::find(kAngles.begin(), kAngles.end(), unit.substr(0, slash)) == kAngles.end()) return Quantity::any;
  if (slash == std::string_view::npos) return Quantity::angle;
  const std::string_view time = unit.substr(slash + 1);
  if (time == "s" || time == "min" || time == "h") return Quantity::angular_rate;
  return time == "s^2" ? Quantity::angular_acceleration : Quantity::any;
}

Quantity turning_of_rate(const Signal& rate) {
  const std::optional<Quantity> turning = turning_quantity(rate.dimension);
  if (!turning || power_of(rate) != 1) return Quantity::any;
  if (*turning == Quantity::angular_rate) return Quantity::angle;
  return *turning == Quantity::angular_acceleration ? Quantity::angular_rate : Quantity::any;
}

}  // namespace gelenk::model
