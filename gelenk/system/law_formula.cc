#include "gelenk/system/law_formula.h"

namespace gelenk::system {
namespace {

using expression::ExpressionNode;
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

constexpr int kNotPolynomial = 100;

bool varies(const Symbol& symbol) { return symbol.kind == Symbol::Kind::time || symbol.kind == Symbol::Kind::channel; }

int degree_of(const Signal& signal, const ExpressionNode& node, bool is_held, const std::vector<int>& before) {
  const auto of = [&](std::int32_t operand) { return operand < 0 ? 0 : before[static_cast<std::size_t>(operand)]; };
  const int a = of(node.a), b = of(node.b), c = of(node.c);
  const int highest = std::max({a, b, c});
  switch (node.op) {
    case Op::symbol:
      return varies(signal.symbols[static_cast<std::size_t>(node.index)]) ? 1 : 0;
    case Op::add:
    case Op::subtract:
    case Op::negate:
      return highest;
    case Op::multiply:
      return std::min(a + b, kNotPolynomial);
    case Op::divide:
      return b == 0 ? a : kNotPolynomial;
    case Op::choose:
      return std::max(b, c);
    case Op::power: {
      const ExpressionNode& exponent = signal.formula.nodes()[static_cast<std::size_t>(node.b)];
      const bool is_low = exponent.op == Op::constant && (exponent.value == 2.0 || exponent.value == 3.0);
      if (highest == 0) return 0;
      return is_low ? std::min(a * static_cast<int>(exponent.value), kNotPolynomial) : kNotPolynomial;
    }
    default:
      break;
  }
  if (highest == 0) return 0;
  if (!is_held) return kNotPolynomial;
  if (only_kinks(node.op)) return highest;
  return node.op == Op::mod ? a : is_table(node.op) ? kNotPolynomial : 0;  // else a number on each side
}

}  // namespace

std::vector<int> degrees_of(const Signal& signal) {
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
  std::vector<int> degrees;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    degrees.push_back(degree_of(signal, nodes[i], signal.switch_of_node[i] >= 0, degrees));
  }
  return degrees;
}

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
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
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
  const std::span<const ExpressionNode> nodes = signal.formula.nodes();
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
