#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gelenk/minimal/traced_machine.h"

namespace gelenk::generate {

// A symbol of a formula: "m" with the index "1", "q" with "2" and two primes.
struct ShortName {
  std::string base;
  std::string index;
  int primes = 0;
};

// Where a symbol comes in a product, first to last.
enum class SymbolRole : std::uint8_t { inertia, law, gravity, length, time, position, state, rate };

struct KnownSymbol {
  ShortName name;
  SymbolRole role = SymbolRole::law;
  std::size_t order = 0;  // among those of the same role
};

// Short symbols for everything that the formulas of a machine read; no two are the same.
class EquationSymbols {
 public:
  explicit EquationSymbols(const minimal::TracedMachine& machine);

  const KnownSymbol& of(symbolic::Id symbol) const { return known_.at(symbol); }
  const ShortName& rate(std::size_t number) const { return rates_[number]; }
  ShortName acceleration(std::size_t rate) const;
  bool is_taken(const std::string& name) const { return taken_.contains(name); }
  // Full names in the order of their numbers.
  const std::vector<std::string>& bodies() const { return bodies_; }
  // Whether a position is one of the four of a free orientation.
  bool is_orientation(std::size_t position) const { return is_orientation_[position]; }

 private:
  void name_positions(const minimal::TracedMachine& machine);
  void name_rates(const minimal::TracedMachine& machine);
  void name_states(const minimal::TracedMachine& machine);
  void name_parameters(const minimal::TracedMachine& machine);
  // What no list of the machine has.
  void name_others(const symbolic::Graph& graph);
  ShortName unique(ShortName name);
  void know(symbolic::Id symbol, ShortName name, SymbolRole role, std::size_t order);

  std::map<symbolic::Id, KnownSymbol> known_;
  std::vector<ShortName> rates_;
  std::vector<bool> is_orientation_;
  std::vector<std::string> bodies_;
  std::set<std::string> taken_;
};

}  // namespace gelenk::generate
