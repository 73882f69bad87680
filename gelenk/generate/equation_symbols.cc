#include "gelenk/generate/equation_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/expression/operations.h"

namespace gelenk::generate {
namespace {

using minimal::NamedNumber;
using minimal::TracedMachine;

bool is_axis_name(std::string_view text) {
  return !text.empty() && text.size() <= 2 && text.find_first_not_of("xyz") == std::string_view::npos;
}

// What a name of a parameter says: "crank.center.x" is element "crank", quantity "center", axis "x". A name that was
// given again for another number ends in _2.
struct ParameterName {
  std::string element, quantity, axis;
};

ParameterName parse_name(std::string_view name) {
  ParameterName result;
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits != std::string_view::npos && name[digits] == '_' && digits + 1 < name.size()) {
    const std::string_view before = name.substr(0, digits);
    const std::size_t dot = before.rfind('.');
    if (dot != std::string_view::npos && is_axis_name(before.substr(dot + 1))) name = before;
  }
  std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && is_axis_name(name.substr(dot + 1))) {
    result.axis = name.substr(dot + 1);
    name = name.substr(0, dot);
    dot = name.rfind('.');
  }
  result.quantity = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (dot != std::string_view::npos) result.element = name.substr(0, dot);
  return result;
}

// What is counted together: bodies, joints in the tree, frames of elements, laws of forces.
enum class Counted : std::uint8_t { bodies, joints, frames, forces };

struct Quantity {
  std::string_view name, unit;  // an empty unit: whatever it is
  std::string_view base;
  SymbolRole role;
  Counted counted;
};

constexpr Quantity kKnownQuantities[] = {
    {"mass", "kg", "m", SymbolRole::inertia, Counted::bodies},
    {"inertia", "kg*m^2", "J", SymbolRole::inertia, Counted::bodies},
    {"center", "m", "c", SymbolRole::length, Counted::bodies},
    {"from", "m", "l", SymbolRole::length, Counted::joints},
    {"from", "1", "R", SymbolRole::length, Counted::joints},
    {"first", "m", "a", SymbolRole::length, Counted::frames},
    {"first", "1", "A", SymbolRole::length, Counted::frames},
    {"second", "m", "b", SymbolRole::length, Counted::frames},
    {"second", "1", "B", SymbolRole::length, Counted::frames},
    {"stiffness", "", "k", SymbolRole::law, Counted::forces},
    {"damping", "", "d", SymbolRole::law, Counted::forces},
    {"free_length", "", "L", SymbolRole::law, Counted::forces},
    {"direction", "1", "n", SymbolRole::law, Counted::forces},
};

const Quantity* known_quantity(const ParameterName& name, const std::string& unit) {
  if (name.element.empty() || name.element == "gravity") return nullptr;
  for (const Quantity& quantity : kKnownQuantities) {
    if (quantity.name == name.quantity && (quantity.unit.empty() || quantity.unit == unit)) return &quantity;
  }
  return nullptr;
}

// M11, t3, lambda1 are names that equations give themselves.
bool is_numbered(std::string_view base, std::string_view name) {
  return name.size() > base.size() && name.starts_with(base) &&
         name.find_first_not_of("0123456789_", base.size()) == std::string_view::npos;
}

bool is_word_of_formulas(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kNumbered{"M", "C", "h", "ht", "f", "t", "u", "r", "g", "lambda"};
  return name == "pi" || expression::find_function(name) != nullptr ||
         std::any_of(kNumbered.begin(), kNumbered.end(),
                     [&](std::string_view base) { return is_numbered(base, name); });
}

std::string plain_name(const ShortName& name) { return name.base + name.index; }

// Numbers of the elements in the order in which parameters name them.
class ElementNumbers {
 public:
  explicit ElementNumbers(const TracedMachine& machine) {
    for (const NamedNumber& position : machine.positions) {
      const std::size_t dot = position.name.rfind('.');
      if (dot != std::string::npos) number(Counted::joints, joint_of(position.name.substr(0, dot)));
    }
  }

  std::size_t number(Counted counted, const std::string& element) {
    std::vector<std::string>& known = elements_[counted];
    const auto place = std::find(known.begin(), known.end(), element);
    if (place == known.end()) {
      known.push_back(element);
      return known.size();
    }
    return static_cast<std::size_t>(place - known.begin()) + 1;
  }
  const std::vector<std::string>& bodies() { return elements_[Counted::bodies]; }

 private:
  // Positions of a body that floats are "ball.position.x" and "ball.orientation.q0", those of a ball joint as the
  // latter.
  static std::string joint_of(std::string name) {
    for (const std::string_view part : {".orientation", ".position"}) {
      if (name.ends_with(part)) name.resize(name.size() - part.size());
    }
    return name;
  }

  std::map<Counted, std::vector<std::string>> elements_;
};

ShortName word_of(const ParameterName& name) {
  if (name.element.empty() && name.quantity == "gravity") return {"g", "", 0};
  if (name.element == "gravity" && name.quantity == "direction") return {"n", name.axis, 0};
  std::string word = name.quantity.substr(name.quantity.rfind('/') + 1);
  std::replace(word.begin(), word.end(), '-', '_');
  return {std::move(word), name.axis, 0};
}

SymbolRole role_of_word(const ParameterName& name) {
  return name.element == "gravity" || (name.element.empty() && name.quantity == "gravity") ? SymbolRole::gravity
                                                                                           : SymbolRole::law;
}

bool ends_in_part(std::string_view name, std::string_view part) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && name.substr(0, dot).ends_with(part);
}

}  // namespace

EquationSymbols::EquationSymbols(const TracedMachine& machine) {
  know(machine.time, {"t", "", 0}, SymbolRole::time, 0);
  taken_.insert("t");
  name_positions(machine);
  name_rates(machine);
  name_states(machine);
  name_parameters(machine);
  name_others(machine.graph);
}

void EquationSymbols::know(symbolic::Id symbol, ShortName name, SymbolRole role, std::size_t order) {
  if (symbol < 0) return;
  known_.insert_or_assign(symbol, KnownSymbol{std::move(name), role, order});
}

void EquationSymbols::name_positions(const TracedMachine& machine) {
  std::size_t coordinates = 0, parameters = 0;
  for (std::size_t i = 0; i < machine.positions.size(); ++i) {
    const bool is_orientation = ends_in_part(machine.positions[i].name, ".orientation");
    is_orientation_.push_back(is_orientation);
    const std::size_t number = is_orientation ? ++parameters : ++coordinates;
    ShortName name{is_orientation ? "e" : "q", std::to_string(number), 0};
    taken_.insert(plain_name(name));
    know(machine.x[i], std::move(name), SymbolRole::position, i);
  }
}

void EquationSymbols::name_rates(const TracedMachine& machine) {
  std::size_t coordinates = 0, turns = 0;
  for (std::size_t i = 0; i < machine.rates.size(); ++i) {
    const bool is_turn = ends_in_part(machine.rates[i].name, ".angular_velocity");
    const std::size_t number = is_turn ? ++turns : ++coordinates;
    ShortName name{is_turn ? "w" : "q", std::to_string(number), is_turn ? 0 : 1};
    taken_.insert(plain_name(name));
    rates_.push_back(name);
    know(machine.v[i], std::move(name), SymbolRole::rate, i);
  }
}

ShortName EquationSymbols::acceleration(std::size_t rate) const {
  ShortName name = rates_[rate];
  ++name.primes;
  return name;
}

void EquationSymbols::name_states(const TracedMachine& machine) {
  for (std::size_t i = 0; i < machine.s.size(); ++i) {
    ShortName name{"s", std::to_string(i + 1), 0};
    taken_.insert(plain_name(name));
    know(machine.s[i], std::move(name), SymbolRole::state, i);
  }
}

// What is taken gets a letter: gain, gain_b, gain_c.
ShortName EquationSymbols::unique(ShortName name) {
  std::string& part = name.index.empty() ? name.base : name.index;
  const std::string before = part;
  for (int copy = 1; is_word_of_formulas(plain_name(name)) || taken_.contains(plain_name(name)); ++copy) {
    part = copy < 26 ? fmt::format("{}_{:c}", before, 'a' + copy) : fmt::format("{}_z{}", before, copy);
  }
  taken_.insert(plain_name(name));
  return name;
}

// Numbered quantities first: other words make way for them.
void EquationSymbols::name_parameters(const TracedMachine& machine) {
  ElementNumbers numbers(machine);
  std::vector<ParameterName> names;
  std::map<std::pair<std::string_view, std::string>, std::size_t> components;  // of a quantity of an element
  for (const NamedNumber& parameter : machine.parameters) {
    names.push_back(parse_name(parameter.name));
    if (const Quantity* quantity = known_quantity(names.back(), parameter.unit)) {
      ++components[{quantity->base, names.back().element}];
    }
  }
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Quantity* const quantity = known_quantity(names[i], machine.parameters[i].unit);
    if (quantity == nullptr) {
      words.push_back(i);
      continue;
    }
    const std::size_t number = numbers.number(quantity->counted, names[i].element);
    const bool has_axis = components[{quantity->base, names[i].element}] > 1;
    ShortName name{std::string(quantity->base), std::to_string(number) + (has_axis ? names[i].axis : ""), 0};
    // Masses and inertias of one body come together, as do lengths.
    know(machine.p[i], unique(std::move(name)), quantity->role, number * machine.p.size() + i);
  }
  for (const std::size_t i : words) {
    know(machine.p[i], unique(word_of(names[i])), role_of_word(names[i]), i);
  }
  bodies_ = numbers.bodies();
}

void EquationSymbols::name_others(const symbolic::Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
    const symbolic::Node& node = graph.nodes()[i];
    if (node.op != symbolic::Op::symbol || known_.contains(static_cast<symbolic::Id>(i))) continue;
    ShortName name = unique(word_of(parse_name(graph.symbol_at(node.symbol).name)));
    know(static_cast<symbolic::Id>(i), std::move(name), SymbolRole::law, i);
  }
}

}  // namespace gelenk::generate
