// Formulas of couplings, bound when all channels are known.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/expression/evaluate.h"
#include "gelenk/model/couplings.h"
#include "gelenk/model/expand/couplings.h"

namespace gelenk::model::expanding {
namespace {

class LawPass {
 public:
  LawPass(Signals& signals, Machine& machine, Diagnostics& diagnostics)
      : signals_(signals), machine_(machine), diagnostics_(diagnostics) {}

  void bind(const Pending& pending);

 private:
  std::optional<CoordinateUse> coordinate_of(const SymbolUse& use) const;
  bool reads_itself(const Signal& law, const CouplingNode& cam) const;
  bool add_terms(const Signal& law, CouplingNode& node);
  bool set_slopes(const Signal& law, CouplingNode& node);

  Signals& signals_;
  Machine& machine_;
  Diagnostics& diagnostics_;
};

// Nothing: it is something else.
std::optional<CoordinateUse> LawPass::coordinate_of(const SymbolUse& use) const {
  if (use.kind != SymbolUse::Kind::channel || use.channel.element != ChannelUse::Element::joint) return std::nullopt;
  const JointId joint(static_cast<std::size_t>(use.channel.index));
  const ObjectType& type = *machine_.joints[joint.index()].type;
  for (std::size_t i = 0; i < type.coordinates.size(); ++i) {
    if (type.coordinates[i].name == use.channel.quantity) return CoordinateUse{joint, i, use.channel.weights[0]};
  }
  return std::nullopt;
}

// Whether the lift of a cam reads the follower: beside the one that the law has of its own.
bool LawPass::reads_itself(const Signal& law, const CouplingNode& cam) const {
  const CoordinateUse& follower = cam.terms.front().use;
  return std::count_if(law.symbols.begin(), law.symbols.end(), [&](const SymbolUse& symbol) {
           const std::optional<CoordinateUse> use = coordinate_of(symbol);
           return use && use->joint == follower.joint && use->coordinate == follower.coordinate;
         }) > 1;
}

bool LawPass::add_terms(const Signal& law, CouplingNode& node) {
  for (std::size_t s = 0; s < law.symbols.size(); ++s) {
    if (law.symbols[s].kind == SymbolUse::Kind::constant) continue;
    const std::optional<CoordinateUse> use = coordinate_of(law.symbols[s]);
    if (!use) {
      // Of a formula that was put in, by its name there.
      const std::string& name = law.formula.symbols()[s].name;
      diagnostics_.error(Code::reads_too_early, law.where,
                         fmt::format("its formula reads '{}', and a law of a joint knows coordinates of joints and "
                                     "parameters alone",
                                     name.substr(name.rfind('/') + 1)),
                         "for a motion in time use a driver; what forces do is for `forces:`");
      return false;
    }
    const bool is_known = std::any_of(node.terms.begin(), node.terms.end(), [&](const CouplingNode::Term& term) {
      return term.use.joint == use->joint && term.use.coordinate == use->coordinate;
    });
    if (!is_known) node.terms.push_back({*use, 1.0});
  }
  if (!node.terms.empty() && node.terms.size() <= kMostLawTerms) return true;
  diagnostics_.error(Code::out_of_range, law.where,
                     node.terms.empty() ? std::string("its formula reads no coordinate: it holds nothing")
                                        : fmt::format("its formula reads {} coordinates, and a law may have {}",
                                                      node.terms.size(), kMostLawTerms),
                     node.terms.empty() ? "name coordinates such as `hinge.angle`"
                                        : "give the machine a joint between some of them, and two laws");
  return false;
}

// The slopes of its terms where the machine is drawn.
bool LawPass::set_slopes(const Signal& law, CouplingNode& node) {
  std::vector<double> symbols;
  for (const SymbolUse& use : law.symbols) {
    const std::optional<CoordinateUse> coordinate = coordinate_of(use);
    symbols.push_back(coordinate ? coordinate->sign * drawn_coordinate(machine_, *coordinate) : use.value);
  }
  for (CouplingNode::Term& term : node.terms) term.factor = 0.0;
  bool is_finite = std::isfinite(expression::evaluate(law.formula, symbols));
  for (std::size_t s = 0; s < symbols.size(); ++s) {
    const std::optional<CoordinateUse> use = coordinate_of(law.symbols[s]);
    if (!use) continue;
    const double slope = use->sign * expression::evaluate(expression::differentiate(law.formula, s), symbols);
    is_finite = is_finite && std::isfinite(slope);
    for (CouplingNode::Term& term : node.terms) {
      if (term.use.joint == use->joint && term.use.coordinate == use->coordinate) term.factor += slope;
    }
  }
  if (is_finite) return true;
  diagnostics_.error(Code::not_finite, law.where,
                     "its formula or a slope of it is not finite where the machine is drawn",
                     "roots and quotients need room: draw the machine elsewhere, or write the formula without them");
  return false;
}

void LawPass::bind(const Pending& pending) {
  CouplingNode node = machine_.couplings[pending.index];
  const Object& written = *pending.written;
  const ElementScope element(diagnostics_, node.path, "joint");
  std::optional<Signal> law;
  if (written.type->law.empty()) {
    const Value* const of = written.value("of");
    if (of == nullptr) return;
    law = signals_.signal(*of, "of", Quantity::any, *pending.scope, {});
  } else {
    if (written.value("lift") == nullptr) return;
    SignalLocals locals{.coordinate = node.terms.back().use, .element = {}};
    locals.follower = node.terms.front().use;
    law = signals_.law(written, *pending.scope, locals);
    if (law && reads_itself(*law, node)) {
      const std::string& follower = *written.text("follower");
      diagnostics_.error(Code::conflicting_keys, written.range_of("lift"),
                         fmt::format("'lift' reads '{}', which is the follower", follower),
                         "a law that reads both sides is for the type `expression`");
      return;
    }
  }
  if (!law || !add_terms(*law, node) || !set_slopes(*law, node)) return;
  node.law = *std::move(law);
  machine_.couplings[pending.index] = std::move(node);
}

}  // namespace

void bind_coupling_laws(std::span<const Pending> laws, Signals& signals, Machine& machine, Diagnostics& diagnostics) {
  LawPass pass(signals, machine, diagnostics);
  for (const Pending& pending : laws) pass.bind(pending);
}

}  // namespace gelenk::model::expanding
