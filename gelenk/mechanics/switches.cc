#include "gelenk/mechanics/switches.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gelenk/mechanics/node_balance.h"

namespace gelenk::mechanics {
namespace {

struct Arguments {
  expression::Op op{};
  double a = 0.0;
  double b = 0.0;
};

Arguments arguments(const system::System& system, const system::Switch& one, std::span<const double> nodes) {
  const expression::ExpressionNode& node =
      system.signals[static_cast<std::size_t>(one.signal)].formula.nodes()[static_cast<std::size_t>(one.node)];
  return {node.op, nodes[static_cast<std::size_t>(node.a)],
          node.b >= 0 ? nodes[static_cast<std::size_t>(node.b)] : 0.0};
}

}  // namespace

double next_discontinuity(const system::System& system, const system::Params& params, double time) {
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < system.signals.size(); ++i) {
    if (system.signals[i].reads_time) {
      first = std::min(first, system::next_discontinuity(system.signals[i], params.signals[i], time));
    }
  }
  return first;
}

void set_time_sides(const system::System& system, const system::Params& params, system::State& state) {
  // Nothing jumps before the next discontinuity, so any time before it shows the sides; its middle is safe from
  // rounding.
  const double next = next_discontinuity(system, params, state.time);
  const double middle = state.time + 0.5 * std::min(1.0, next - state.time);
  for (std::size_t i = 0; i < system.signals.size(); ++i) {
    system::set_time_sides(system.signals[i], params.signals[i], system.switches, middle, state.sides);
  }
}

void set_all_sides(const system::System& system, const system::Params& params, Workspace& workspace,
                   system::State& state) {
  set_time_sides(system, params, state);
  // In the order of the nodes, so that each finds its arguments settled; forces that read forces need further passes.
  for (std::size_t pass = 0; pass < system.formula_depth; ++pass) {
    balance_nodes({system, params, state}, workspace);
    for (const std::int32_t which : system.state_switches) {
      const system::Switch& one = system.switches[static_cast<std::size_t>(which)];
      const View<double> now = view({system, params, state}, workspace);
      const Arguments args = arguments(system, one, now.signal_nodes(one.signal));
      state.sides[static_cast<std::size_t>(which)] = system::side_of(args.op, args.a, args.b);
    }
  }
}

void switch_slacks(const Context& context, Workspace& workspace, std::span<double> slacks) {
  const View<double> now = view(context, workspace);
  std::int32_t evaluated = -1;
  std::span<const double> nodes;
  for (std::size_t i = 0; i < context.system.state_switches.size(); ++i) {
    const auto which = static_cast<std::size_t>(context.system.state_switches[i]);
    const system::Switch& one = context.system.switches[which];
    if (one.signal != evaluated) {
      nodes = now.signal_nodes(one.signal);
      evaluated = one.signal;
    }
    const Arguments args = arguments(context.system, one, nodes);
    slacks[i] = system::slack_of(args.op, context.state.sides[which], args.a, args.b);
  }
}

void flip_switch(const system::System& system, const system::Params& params, Workspace& workspace, std::size_t which,
                 system::State& state) {
  const auto number = static_cast<std::size_t>(system.state_switches[which]);
  const system::Switch& one = system.switches[number];
  const View<double> now = view({system, params, state}, workspace);
  const Arguments args = arguments(system, one, now.signal_nodes(one.signal));
  state.sides[number] = system::other_side(args.op, state.sides[number], args.a, args.b);
}

}  // namespace gelenk::mechanics
