#include "gelenk/model/expand/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gelenk/expression/evaluate.h"
#include "gelenk/model/mobility.h"

namespace gelenk::model::expanding {
namespace {

using expression::ExpressionNode;
using expression::Op;

constexpr std::string_view kAxes = "xyz";

void refuse_moves(const std::vector<Object>& frames, std::string_view owner, Diagnostics& diagnostics) {
  for (const Object& frame : frames) {
    if (frame.find("moves") == nullptr) continue;
    diagnostics.error(
        Code::key_without_effect, frame.range_of("moves"),
        fmt::format("the frame '{}' is fixed on {}: only a frame of an assembly can be a node", frame.name, owner),
        "write it under `frames:` of the assembly itself");
  }
}

void list_nodes_of(Instance& instance, Places& places, Machine& machine, Diagnostics& diagnostics) {
  const Object& assembly = instance.object();
  for (const Object& part : assembly.section("parts")) {
    refuse_moves(part.section("frames"), fmt::format("the part '{}'", part.name), diagnostics);
  }
  if (const Object* const ground = assembly.object("ground")) {
    refuse_moves(ground->section("frames"), "the ground", diagnostics);
  }
  const std::vector<Object>& frames = assembly.section("frames");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string* const moves = frames[i].text("moves");
    if (moves == nullptr) continue;
    const std::optional<Pose> X_AF = places.assembly_frame(instance, i);
    if (!X_AF) continue;
    FrameInAssembly place;
    place.X_AF = *X_AF;
    NodeNode node;
    node.path = element_path(instance, frames[i].name);
    node.assembly = instance.id;
    node.X_WN = places.on_machine(place, instance).X_PF;
    for (std::size_t k = 0; k < 3; ++k) node.moves[k] = moves->find(kAxes[k]) != std::string::npos;
    node.where = frames[i].name_range;
    instance.nodes.emplace(i, static_cast<std::int32_t>(machine.nodes.size()));
    machine.nodes.push_back(std::move(node));
  }
}

// Whether a formula is zero whatever its names that change stand for.
bool is_zero(const Signal& signal, const expression::Expression& formula) {
  std::vector<bool> zero;
  for (const ExpressionNode& node : formula.nodes()) {
    const auto of = [&](std::int32_t i) { return i >= 0 && zero[static_cast<std::size_t>(i)]; };
    switch (node.op) {
      case Op::constant:
        zero.push_back(node.value == 0.0);
        break;
      case Op::symbol: {
        const SymbolUse& use = signal.symbols[static_cast<std::size_t>(node.index)];
        zero.push_back(use.kind == SymbolUse::Kind::constant && use.value == 0.0);
        break;
      }
      case Op::multiply:
        zero.push_back(of(node.a) || of(node.b));
        break;
      case Op::divide:
      case Op::negate:
        zero.push_back(of(node.a));
        break;
      case Op::add:
      case Op::subtract:
        zero.push_back(of(node.a) && of(node.b));
        break;
      case Op::choose:
        zero.push_back(of(node.b) && of(node.c));
        break;
      default:
        zero.push_back(false);
    }
  }
  return !zero.empty() && zero.back();
}

// Known as soon as the places of all parts are.
bool is_of_place(const Machine& machine, const ChannelUse& use) {
  using Element = ChannelUse::Element;
  if (use.element == Element::joint) {
    const JointNode& joint = machine.joints[static_cast<std::size_t>(use.index)];
    return std::any_of(joint.type->coordinates.begin(), joint.type->coordinates.end(),
                       [&](const Coordinate& c) { return c.name == use.quantity; });
  }
  const bool is_place = use.quantity == "position" || use.quantity == "orientation" || use.quantity == "angle";
  return (use.element == Element::part || use.element == Element::frame) && is_place;
}

bool follows_places_alone(const Machine& machine, const ForceNode& force) {
  if (const auto* const spring = std::get_if<SpringDamper>(&force.data)) return spring->damping == 0.0;
  for (std::size_t s = 0; s < force.value.symbols.size(); ++s) {
    const SymbolUse& use = force.value.symbols[s];
    if (use.kind == SymbolUse::Kind::constant || use.kind == SymbolUse::Kind::time) continue;
    if (use.kind == SymbolUse::Kind::channel && is_of_place(machine, use.channel)) continue;
    if (!is_zero(force.value, expression::differentiate(force.value.formula, s))) return false;
  }
  return true;
}

// What a force does not depend on, as on the speed of a cable without damping, it does not read.
void leave_out_what_is_nothing(ForceNode& force) {
  for (std::size_t s = 0; s < force.value.symbols.size(); ++s) {
    SymbolUse& use = force.value.symbols[s];
    if (use.kind != SymbolUse::Kind::channel) continue;
    if (is_zero(force.value, expression::differentiate(force.value.formula, s))) use = SymbolUse{};
  }
}

bool acts_on(const ForceNode& force, std::int32_t node) {
  return (force.a && force.a->node == node) || (force.b && force.b->node == node);
}

// How far its forces reach, as drawn.
double reach(const Machine& machine, std::int32_t node) {
  double longest = 0.0;
  for (const ForceNode& force : machine.forces) {
    if (!acts_on(force, node) || !force.a || !force.b) continue;
    const Vector3 way = drawn_frame(machine, *force.b).position - drawn_frame(machine, *force.a).position;
    longest = std::max(longest, way.norm());
  }
  return longest > 0.0 ? longest : 1.0;
}

Signal rate_of(std::int32_t number, int axis, const SourceRange& where) {
  Signal rate;
  rate.formula = expression::Expression::symbol("rate");
  rate.dimension = quantity_info(Quantity::speed).dimension;
  rate.where = where;
  SymbolUse& use = rate.symbols.emplace_back();
  use.kind = SymbolUse::Kind::channel;
  use.channel.element = ChannelUse::Element::node;
  use.channel.index = number;
  use.channel.component = axis;
  use.channel.quantity = "rate";
  use.channel.dimension = rate.dimension;
  use.channel.measures = Quantity::speed;
  return rate;
}

void add_states(Machine& machine, std::int32_t number) {
  NodeNode& node = machine.nodes[static_cast<std::size_t>(number)];
  for (std::size_t k = 0; k < 3; ++k) {
    if (!node.moves[k]) continue;
    node.states[k] = static_cast<std::int32_t>(machine.states.size());
    StateNode& state = machine.states.emplace_back();
    state.path = fmt::format("{}.{}", node.path, kAxes[k]);
    state.assembly = node.assembly;
    state.scale = reach(machine, number);
    state.dimension = quantity_info(Quantity::length).dimension;
    state.measures = Quantity::length;
    state.rate = rate_of(number, static_cast<int>(k), node.where);
    state.where = node.where;
  }
}

}  // namespace

void list_nodes(Instances& instances, Places& places, Machine& machine, Diagnostics& diagnostics) {
  for (Instance& instance : instances) list_nodes_of(instance, places, machine, diagnostics);
}

void bind_nodes(Machine& machine, Diagnostics& diagnostics) {
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    const auto number = static_cast<std::int32_t>(n);
    NodeNode& node = machine.nodes[n];
    bool has_force = false;
    for (const ForceNode& force : machine.forces) {
      if (!acts_on(force, number)) continue;
      has_force = true;
      node.flows = node.flows || !follows_places_alone(machine, force);
    }
    if (!has_force && !diagnostics.has_errors()) {
      const ElementScope element(diagnostics, node.path, "node");
      diagnostics.error(Code::node_not_held, node.where, "no force acts on it, and without mass it is nowhere",
                        "name it in `between` of a force, or leave out `moves`: then it is fixed in the world");
    }
    add_states(machine, number);
  }
  for (ForceNode& force : machine.forces) {
    const auto is_still = [&](const std::optional<FrameOnPart>& end) {
      return end && end->is_node() && !machine.nodes[static_cast<std::size_t>(end->node)].flows;
    };
    if (is_still(force.a) || is_still(force.b)) leave_out_what_is_nothing(force);
  }
}

}  // namespace gelenk::model::expanding
