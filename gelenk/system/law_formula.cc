#include "gelenk/system/law_formula.h"

namespace gelenk::system {
namespace {

using expression::Interval;
using expression::Op;

// Value of a switch on the side in force; unlike value_on_side(), kinks are held, too.
double on_side(Op op, std::int32_t side, double a, double b) {
  if (op == Op::abs) return side == 0 ? std::abs(a) : side * a;
  if (only_kinks(op)) return side != 0 ? a : b;
  return value_on_side<double>(op, side, a, b);
}

Interval bounds_on_side(Op op, std::int32_t side, const Interval& a, const Interval& b) {
  if (op == Op::abs && side == 0) return {0.0, a.size()};
  if (op == Op::abs) return side > 0 ? a : Interval{-a.high, -a.low};
  if (only_kinks(op)) return side != 0 ? a : b;
  if (op == Op::mod) return {a.low - b.high * side, a.high - b.low * side};
  return {static_cast<double>(side), static_cast<double>(side)};
}

}  // namespace

LawEvaluator::LawEvaluator(const System& system) : system_(system) {
  std::size_t most_nodes = 0;
  for (const Signal& signal : system.signals) {
    if (signal.moves_machine) most_nodes = std::max(most_nodes, signal.formula.nodes().size());
  }
  nodes_.resize(most_nodes);
  node_bounds_.resize(most_nodes);
}

double LawEvaluator::value(const LawFormula& law, std::span<const double> symbols) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(law.signal)];
  const std::span<const expression::ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i <= law.node; ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0) {
      nodes_[i] = expression::apply<double>(signal.formula, nodes[i], symbols, nodes_);
      continue;
    }
    const std::int32_t side = sides_[static_cast<std::size_t>(which)];
    const double a = nodes_[static_cast<std::size_t>(nodes[i].a)];
    if (is_table(nodes[i].op)) {
      const Table& table = *signal.formula.tables()[static_cast<std::size_t>(nodes[i].index)];
      nodes_[i] = nodes[i].op == Op::table ? table.value_on(side, a) : table.slope_on(side, a);
    } else {
      nodes_[i] = on_side(nodes[i].op, side, a, nodes[i].b >= 0 ? nodes_[static_cast<std::size_t>(nodes[i].b)] : 0.0);
    }
  }
  return nodes_[law.node];
}

Interval LawEvaluator::bounds(const LawFormula& law, std::span<const Interval> symbols) {
  const Signal& signal = system_.signals[static_cast<std::size_t>(law.signal)];
  const std::span<const expression::ExpressionNode> nodes = signal.formula.nodes();
  for (std::size_t i = 0; i <= law.node; ++i) {
    const std::int32_t which = signal.switch_of_node[i];
    if (which < 0) {
      node_bounds_[i] = expression::bound_node(signal.formula, nodes[i], symbols, node_bounds_);
      continue;
    }
    const std::int32_t side = sides_[static_cast<std::size_t>(which)];
    const Interval a = node_bounds_[static_cast<std::size_t>(nodes[i].a)];
    if (is_table(nodes[i].op)) {
      const Table& table = *signal.formula.tables()[static_cast<std::size_t>(nodes[i].index)];
      node_bounds_[i] = expression::bound_piece(table, side, a, nodes[i].op == Op::table_derivative);
    } else {
      node_bounds_[i] = bounds_on_side(
          nodes[i].op, side, a, nodes[i].b >= 0 ? node_bounds_[static_cast<std::size_t>(nodes[i].b)] : Interval{});
    }
  }
  return node_bounds_[law.node];
}

}  // namespace gelenk::system
