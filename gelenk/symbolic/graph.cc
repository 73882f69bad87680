#include "gelenk/symbolic/graph.h"

#include <bit>
#include <cmath>
#include <utility>

#include "gelenk/expression/evaluate.h"

namespace gelenk::symbolic {
namespace {

bool has_sign(const Graph& graph, Id id) { return graph.node(id).op == Op::negate; }

// One operation on numbers.
double compute(const Node& node, double a, double b, double c) {
  expression::ExpressionNode operation;
  operation.op = node.op;
  operation.a = 0;
  operation.b = 1;
  operation.c = 2;
  const double operands[] = {a, b, c};
  return expression::apply<double>(expression::Expression(), operation, {}, operands);
}

bool is_function(Op op) { return op >= Op::sin; }

}  // namespace

std::size_t Graph::Hash::operator()(const Node& node) const {
  constexpr std::size_t kPrime = 1'000'003;
  std::size_t hash = static_cast<std::size_t>(node.op);
  for (const std::int32_t part : {node.a, node.b, node.c, node.symbol}) {
    hash = hash * kPrime ^ static_cast<std::size_t>(static_cast<std::uint32_t>(part));
  }
  const auto bits = std::bit_cast<std::uint64_t>(node.value);
  return hash * kPrime ^ static_cast<std::size_t>(bits ^ bits >> 32U);
}

Id Graph::put(const Node& node) {
  const auto [known, is_new] = known_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (is_new) {
    if (nodes_.size() == kMostNodes) throw TooManyOperations();
    nodes_.push_back(node);
  }
  return known->second;
}

Id Graph::constant(double value) { return put({.value = value == 0.0 ? 0.0 : value}); }

Id Graph::number(double value) {
  for (const auto& [named, id] : names_) {
    if (named == value) return id;
    if (named == -value) return negate(id);
  }
  return constant(value);
}

Id Graph::symbol(std::string name, Symbol::Kind kind, double value) {
  symbols_.push_back({std::move(name), kind, value});
  return put({.op = Op::symbol, .symbol = static_cast<std::int32_t>(symbols_.size() - 1)});
}

Id Graph::make(Op op, Id a, Id b, Id c) {
  ++asked_;
  switch (op) {
    case Op::add:
      return add(a, b);
    case Op::subtract:
      return subtract(a, b);
    case Op::multiply:
      return multiply(a, b);
    case Op::divide:
      return divide(a, b);
    case Op::negate:
      return negate(a);
    case Op::choose:
      return choose(a, b, c);
    default:
      break;
  }
  if (is_constant(a) && (b < 0 || is_constant(b))) {
    const Node operation{op, a, b, c};
    return constant(compute(operation, node(a).value, b < 0 ? 0.0 : node(b).value, 0.0));
  }
  if (op == Op::sin && has_sign(*this, a)) return negate(apply(Op::sin, node(a).a));
  if (op == Op::cos && has_sign(*this, a)) return apply(Op::cos, node(a).a);
  if (op == Op::power && is(b, 2.0)) return multiply(a, a);
  return apply(op, a, b, c);
}

Id Graph::negate(Id a) {
  if (is_constant(a)) return constant(-node(a).value);
  if (has_sign(*this, a)) return node(a).a;
  if (node(a).op == Op::subtract) return subtract(node(a).b, node(a).a);
  return apply(Op::negate, a);
}

Id Graph::add(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(node(a).value + node(b).value);
  if (is(a, 0.0)) return b;
  if (is(b, 0.0)) return a;
  if (has_sign(*this, a) && has_sign(*this, b)) return negate(add(node(a).a, node(b).a));
  if (has_sign(*this, b)) return subtract(a, node(b).a);
  if (has_sign(*this, a)) return subtract(b, node(a).a);
  if (a > b) std::swap(a, b);
  return apply(Op::add, a, b);
}

Id Graph::subtract(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(node(a).value - node(b).value);
  if (a == b) return constant(0.0);
  if (is(b, 0.0)) return a;
  if (is(a, 0.0)) return negate(b);
  if (has_sign(*this, b)) return add(a, node(b).a);
  if (has_sign(*this, a)) return negate(add(node(a).a, b));
  // b - a is known already.
  const auto opposite = known_.find({Op::subtract, b, a});
  if (opposite != known_.end()) return apply(Op::negate, opposite->second);
  return apply(Op::subtract, a, b);
}

Id Graph::multiply(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(node(a).value * node(b).value);
  if (is(a, 0.0) || is(b, 0.0)) return constant(0.0);
  if (is(a, 1.0)) return b;
  if (is(b, 1.0)) return a;
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a)) {
    const double factor = node(a).value;
    if (factor < 0.0) return negate(multiply(constant(-factor), b));
    const Node inner = node(b);
    if (inner.op == Op::multiply && is_constant(inner.a)) {
      return multiply(constant(factor * node(inner.a).value), inner.b);
    }
    if (factor == 2.0) return add(b, b);
  }
  if (has_sign(*this, a)) return negate(multiply(node(a).a, b));
  if (has_sign(*this, b)) return negate(multiply(a, node(b).a));
  if (!is_constant(a) && a > b) std::swap(a, b);
  return apply(Op::multiply, a, b);
}

Id Graph::divide(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(node(a).value / node(b).value);
  if (is(a, 0.0) && !is_constant(b)) return a;
  if (a == b && !is_constant(b)) return constant(1.0);
  if (is_constant(b) && node(b).value != 0.0) return multiply(constant(1.0 / node(b).value), a);
  if (has_sign(*this, a)) return negate(divide(node(a).a, b));
  if (has_sign(*this, b)) return negate(divide(a, node(b).a));
  return apply(Op::divide, a, b);
}

Id Graph::choose(Id condition, Id a, Id b) {
  if (is_constant(condition)) return node(condition).value != 0.0 ? a : b;
  if (a == b) return a;
  return apply(Op::choose, condition, a, b);
}

std::vector<double> evaluate(const Graph& graph, std::span<const double> symbols) {
  const std::span<const Node> nodes = graph.nodes();
  std::vector<double> values(nodes.size(), 0.0);
  const auto value = [&](Id id) { return id < 0 ? 0.0 : values[static_cast<std::size_t>(id)]; };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op == Op::constant) {
      values[i] = node.value;
    } else if (node.op == Op::symbol) {
      values[i] = symbols[static_cast<std::size_t>(node.symbol)];
    } else {
      values[i] = compute(node, value(node.a), value(node.b), value(node.c));
    }
  }
  return values;
}

std::vector<bool> needed(const Graph& graph, std::span<const Id> results) {
  std::vector<bool> is_needed(graph.nodes().size(), false);
  for (const Id result : results) is_needed[static_cast<std::size_t>(result)] = true;
  for (std::size_t i = is_needed.size(); i-- > 0;) {
    if (!is_needed[i]) continue;
    const Node& node = graph.nodes()[i];
    for (const Id operand : {node.a, node.b, node.c}) {
      if (operand >= 0) is_needed[static_cast<std::size_t>(operand)] = true;
    }
  }
  return is_needed;
}

std::vector<bool> known_before(const Graph& graph) {
  const std::span<const Node> nodes = graph.nodes();
  std::vector<bool> is_known(nodes.size(), true);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op == Op::symbol) is_known[i] = graph.symbol_at(node.symbol).kind == Symbol::Kind::parameter;
    for (const Id operand : {node.a, node.b, node.c}) {
      if (operand >= 0 && !is_known[static_cast<std::size_t>(operand)]) is_known[i] = false;
    }
  }
  return is_known;
}

OperationCount count_operations(const Graph& graph, std::span<const Id> results, bool before) {
  const std::vector<bool> is_needed = needed(graph, results);
  const std::vector<bool> is_known = known_before(graph);
  OperationCount count;
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (!is_needed[i] || is_known[i] != before) continue;
    const Op op = graph.nodes()[i].op;
    if (op == Op::add || op == Op::subtract) ++count.sums;
    if (op == Op::multiply) ++count.products;
    if (op == Op::divide) ++count.quotients;
    if (is_function(op)) ++count.functions;
  }
  return count;
}

}  // namespace gelenk::symbolic
