#include <numbers>

#include "gelenk/symbolic/graph.h"

namespace gelenk::symbolic {
namespace {

// Forward along the nodes: the derivative of each from those of its operands.
class Derivative {
 public:
  explicit Derivative(Graph& graph) : graph_(graph) {}

  // Of node `id`, whose operands a, b, c have the derivatives da, db, dc.
  Id of(Id id, Id da, Id db, Id dc) {
    const Node node = graph_.node(id);
    switch (node.op) {
      case Op::add:
        return graph_.make(Op::add, da, db);
      case Op::subtract:
        return graph_.make(Op::subtract, da, db);
      case Op::multiply:
        return sum(product(da, node.b), product(node.a, db));
      case Op::divide:  // (da - f db) / b
        return quotient(difference(da, product(id, db)), node.b);
      case Op::negate:
        return graph_.make(Op::negate, da);
      case Op::choose:
        return graph_.make(Op::choose, node.a, db, dc);
      case Op::min:
        return graph_.make(Op::choose, graph_.make(Op::less_equal, node.a, node.b), da, db);
      case Op::max:
        return graph_.make(Op::choose, graph_.make(Op::greater_equal, node.a, node.b), da, db);
      case Op::mod:
        return da;
      case Op::atan2:  // (b da - a db) / (a² + b²)
        return quotient(difference(product(node.b, da), product(node.a, db)),
                        sum(product(node.a, node.a), product(node.b, node.b)));
      case Op::hypot:
        return quotient(sum(product(node.a, da), product(node.b, db)), id);
      case Op::power:
        return power(id, da, db);
      default:
        return product(slope(id), da);
    }
  }

 private:
  Id number(double value) { return graph_.constant(value); }
  Id sum(Id a, Id b) { return graph_.make(Op::add, a, b); }
  Id difference(Id a, Id b) { return graph_.make(Op::subtract, a, b); }
  Id product(Id a, Id b) { return graph_.make(Op::multiply, a, b); }
  Id quotient(Id a, Id b) { return graph_.make(Op::divide, a, b); }
  Id call(Op op, Id a) { return graph_.make(op, a); }

  // aᵇ: b aᵇ⁻¹ da + aᵇ ln a db
  Id power(Id id, Id da, Id db) {
    const Node node = graph_.node(id);
    const Id by_base = product(product(node.b, graph_.make(Op::power, node.a, difference(node.b, number(1.0)))), da);
    if (graph_.is(db, 0.0)) return by_base;
    return sum(by_base, product(product(id, call(Op::log, node.a)), db));
  }

  // Of a function of one operand.
  Id slope(Id id) {
    const Node node = graph_.node(id);
    const Id a = node.a;
    const auto one_less_square = [&] { return difference(number(1.0), product(a, a)); };
    switch (node.op) {
      case Op::sin:
        return call(Op::cos, a);
      case Op::cos:
        return call(Op::negate, call(Op::sin, a));
      case Op::tan:
        return sum(number(1.0), product(id, id));
      case Op::asin:
        return quotient(number(1.0), call(Op::sqrt, one_less_square()));
      case Op::acos:
        return quotient(number(-1.0), call(Op::sqrt, one_less_square()));
      case Op::atan:
        return quotient(number(1.0), sum(number(1.0), product(a, a)));
      case Op::sinh:
        return call(Op::cosh, a);
      case Op::cosh:
        return call(Op::sinh, a);
      case Op::tanh:
        return difference(number(1.0), product(id, id));
      case Op::exp:
        return id;
      case Op::log:
        return quotient(number(1.0), a);
      case Op::log10:
        return quotient(number(1.0 / std::numbers::ln10), a);
      case Op::sqrt:
        return quotient(number(0.5), id);
      case Op::abs:
        return call(Op::sign, a);
      default:  // comparisons, steps, signs, whole parts
        return number(0.0);
    }
  }

  Graph& graph_;
};

}  // namespace

std::vector<Id> differentiate(Graph& graph, std::span<const Id> results, Id symbol) {
  const Id zero = graph.constant(0.0);
  const Id one = graph.constant(1.0);
  const std::vector<bool> is_needed = needed(graph, results);
  std::vector<Id> derivatives(is_needed.size(), zero);
  Derivative derivative(graph);
  const auto of = [&](Id id) { return id < 0 ? zero : derivatives[static_cast<std::size_t>(id)]; };
  for (std::size_t i = 0; i < derivatives.size(); ++i) {
    const auto id = static_cast<Id>(i);
    if (!is_needed[i]) continue;
    const Node node = graph.node(id);
    if (node.op == Op::symbol || node.op == Op::constant) {
      derivatives[i] = id == symbol ? one : zero;
      continue;
    }
    const Id da = of(node.a), db = of(node.b), dc = of(node.c);
    if (da != zero || db != zero || dc != zero) derivatives[i] = derivative.of(id, da, db, dc);
  }
  std::vector<Id> result;
  for (const Id id : results) result.push_back(of(id));
  return result;
}

}  // namespace gelenk::symbolic
