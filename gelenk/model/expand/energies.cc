// Energies of assemblies: sums over what they have inside.
#include <fmt/format.h>

#include <vector>

#include "gelenk/base/text.h"
#include "gelenk/model/expand/paths.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {
namespace {

// A longer sum than any formula may be is refused by what reads it.
constexpr expression::ParseLimits kSumLimits{.max_bytes = 1u << 20, .max_depth = 100, .max_nodes = 50'000};

bool is_within(const Machine& machine, AssemblyId assembly, AssemblyId outer) {
  for (AssemblyId one = assembly; one.is_set(); one = machine.assemblies[one.index()].owner) {
    if (one == outer) return true;
  }
  return false;
}

}  // namespace

std::optional<const Signal*> Signals::energy(const std::string& name, Instance& scope, const SourceRange& where) {
  const std::vector<std::string> segments = split(name, '.');
  const bool is_kinetic = segments.back() == "kinetic_energy";
  if (!is_kinetic && segments.back() != "potential_energy") return std::nullopt;
  const std::span<const std::string> path = std::span(segments).first(segments.size() - 1);
  const Instance* const whole = path.empty() ? &scope : instance_at(path, scope);
  if (whole == nullptr) return std::nullopt;
  for (const SealedNode& sealed : machine_.sealed) {
    if (!is_within(machine_, sealed.assembly, whole->id)) continue;
    diagnostics_.error(
        Code::unknown_channel, where,
        fmt::format("'{}' has the sealed component '{}' inside, whose energy is not known", name, sealed.path),
        "add the energies of the assemblies and parts beside it");
    return nullptr;
  }
  Signal sum;
  std::string text;
  const auto add = [&](ChannelUse::Element element, std::size_t index, std::string_view quantity) {
    SymbolUse& use = sum.symbols.emplace_back();
    use.kind = SymbolUse::Kind::channel;
    use.channel.element = element;
    use.channel.index = static_cast<std::int32_t>(index);
    use.channel.quantity = quantity;
    use.channel.measures = Quantity::energy;
    use.channel.dimension = quantity_info(Quantity::energy).dimension;
    text += fmt::format("{}energy_{}", text.empty() ? "" : " + ", sum.symbols.size());
  };
  for (std::size_t p = 0; p < machine_.parts.size(); ++p) {
    if (is_within(machine_, machine_.parts[p].assembly, whole->id)) {
      add(ChannelUse::Element::part, p, segments.back());
    }
  }
  for (std::size_t f = 0; f < machine_.forces.size() && !is_kinetic; ++f) {
    const bool is_own = is_within(machine_, machine_.forces[f].assembly, whole->id);
    if (is_own && machine_.forces[f].type->stores_energy) add(ChannelUse::Element::force, f, "energy");
  }
  sum.dimension = quantity_info(Quantity::energy).dimension;
  sum.where = where;
  if (text.empty()) {
    sum.formula = expression::Expression::constant(0.0, sum.dimension);
    return &energies_.emplace_back(std::move(sum));
  }
  const expression::ParseResult parsed = expression::parse(text, kSumLimits);
  if (!parsed.expression) {
    diagnostics_.error(Code::too_many_elements, where, fmt::format("'{}' is a sum over too many elements", name),
                       "add the energies of smaller assemblies in an output of each");
    return nullptr;
  }
  sum.formula = *parsed.expression;
  return &energies_.emplace_back(std::move(sum));
}

}  // namespace gelenk::model::expanding
