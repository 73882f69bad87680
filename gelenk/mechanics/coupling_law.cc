#include "gelenk/mechanics/coupling_law.h"

#include "gelenk/base/index.h"
#include "gelenk/math/dual.h"

namespace gelenk::mechanics {
namespace {

using LawDual = Dual<static_cast<int>(CouplingLaw::kMost)>;

LawDual evaluate_law(const Context& context, const system::Coupling& coupling, std::int32_t number,
                     std::span<const double> coordinates, std::span<LawDual> room) {
  const system::Signal& signal = context.system.signals[at(number)];
  const std::vector<double>& constants = context.params.signals[at(number)].constants;
  const std::span<LawDual> symbols = room.first(signal.symbols.size());
  for (std::size_t s = 0; s < symbols.size(); ++s) symbols[s] = LawDual(constants[s]);
  for (const system::Coupling::Slope& slope : coupling.slopes) {
    symbols[at(slope.symbol)] = LawDual::variable(coordinates[at(slope.term)], at(slope.term)) * slope.weight;
  }
  const std::span<LawDual> nodes = room.subspan(symbols.size(), signal.formula.scratch_size());
  return system::evaluate_on_sides<LawDual>(signal, symbols, context.state.sides, nodes);
}

}  // namespace

CouplingLaw coupling_law(const Context& context, const Workspace& workspace, const system::Coupling& coupling,
                         std::span<const double> coordinates) {
  const std::span<LawDual> room = workspace.law_scratch;
  CouplingLaw result;
  result.value = evaluate_law(context, coupling, coupling.law, coordinates, room).value;
  for (const system::Coupling::Slope& slope : coupling.slopes) {
    const LawDual derivative = evaluate_law(context, coupling, slope.signal, coordinates, room) * slope.weight;
    const std::size_t term = at(slope.term);
    result.slopes[term] += derivative.value;
    for (std::size_t other = 0; other < CouplingLaw::kMost; ++other) {
      result.curvatures[term][other] += derivative.partials[other];
    }
  }
  return result;
}

}  // namespace gelenk::mechanics
