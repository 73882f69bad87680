#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "gelenk/expression/expression.h"
#include "gelenk/expression/operations.h"

namespace gelenk::expression {
namespace {

using Index = std::int32_t;
constexpr Index kZero = -1;        // a derivative that vanishes
constexpr Index kImpossible = -2;  // a derivative for which there is no operation

// Appends nodes, sharing equal ones, and leaves out what does nothing: 0 + x, 1 * x, 0 * x, constants on constants.
// kZero stands for zero everywhere, as an operand and as a result.
class Builder {
 public:
  explicit Builder(const Expression& expression)
      : data_{{},
              {expression.symbols().begin(), expression.symbols().end()},
              {expression.tables().begin(), expression.tables().end()}} {}

  void set_span(TextSpan span) { span_ = span; }

  Index add(Index a, Index b) {
    if (a == kZero) return b;
    if (b == kZero) return a;
    return push(Op::add, a, b);
  }
  Index subtract(Index a, Index b) {
    if (b == kZero) return a;
    if (a == kZero) return negate(b);
    return push(Op::subtract, a, b);
  }
  Index negate(Index a) {
    if (a == kZero) return kZero;
    if (node(a).op == Op::negate) return node(a).a;
    if (node(a).op == Op::constant) {
      ExpressionNode constant = node(a);
      constant.value = -constant.value;
      return push(constant);
    }
    return push(Op::negate, a);
  }
  Index multiply(Index a, Index b) {
    if (a == kZero || b == kZero) return kZero;
    if (is_number(a, 1.0)) return b;
    if (is_number(b, 1.0)) return a;
    if (is_number(a, -1.0)) return negate(b);
    if (is_number(b, -1.0)) return negate(a);
    if (const Index folded = multiply_constants(a, b); folded != kZero) return folded;
    return push(Op::multiply, a, b);
  }
  Index divide(Index a, Index b) {
    if (a == kZero) return kZero;
    if (is_number(b, 1.0)) return a;
    return push(Op::divide, a, b);
  }
  Index power(Index base, Index exponent) {
    if (is_number(exponent, 1.0)) return base;
    if (is_number(exponent, 0.0)) return number(1.0);
    return push(Op::power, base, exponent);
  }
  Index choose(Index condition, Index a, Index b) {
    if (a == b) return a;
    return push(Op::choose, condition, a == kZero ? number(0.0) : a, b == kZero ? number(0.0) : b);
  }
  Index square(Index a) { return push(Op::multiply, a, a); }
  Index number(double value) {
    ExpressionNode constant;
    constant.value = value;
    constant.span = span_;
    return push(constant);
  }
  Index push(Op op, Index a, Index b = -1, Index c = -1) { return push({op, a, b, c, -1, 0.0, {}, false, span_}); }
  Index push(const ExpressionNode& node) {
    const Key key{node.op,
                  node.a,
                  node.b,
                  node.c,
                  node.index,
                  std::bit_cast<std::uint64_t>(node.value),
                  node.dimension.text(),
                  node.is_hertz};
    const auto [it, is_new] = known_.try_emplace(key, static_cast<Index>(data_.nodes.size()));
    if (is_new) data_.nodes.push_back(node);
    return it->second;
  }

  const ExpressionNode& node(Index i) const { return data_.nodes[static_cast<std::size_t>(i)]; }
  bool is_number(Index i, double value) const {
    const ExpressionNode& n = node(i);
    return n.op == Op::constant && n.value == value && n.dimension.is_none() && !n.is_hertz;
  }

  // Keeps only the nodes that the result needs, in their order.
  Expression finish(Index result) const {
    std::vector<char> needed(data_.nodes.size(), 0);
    needed[static_cast<std::size_t>(result)] = 1;
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (needed[i] == 0) continue;
      for (const Index operand : {data_.nodes[i].a, data_.nodes[i].b, data_.nodes[i].c}) {
        if (operand >= 0) needed[static_cast<std::size_t>(operand)] = 1;
      }
    }
    auto kept = std::make_shared<Expression::Data>();
    kept->symbols = data_.symbols;
    kept->tables = data_.tables;
    std::vector<Index> place(data_.nodes.size(), -1);
    const auto moved = [&](Index operand) { return operand < 0 ? operand : place[static_cast<std::size_t>(operand)]; };
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] == 0) continue;
      place[i] = static_cast<Index>(kept->nodes.size());
      ExpressionNode node = data_.nodes[i];
      node.a = moved(node.a);
      node.b = moved(node.b);
      node.c = moved(node.c);
      kept->nodes.push_back(node);
    }
    return Expression(std::move(kept));
  }

 private:
  using Key = std::tuple<Op, Index, Index, Index, Index, std::uint64_t, std::string, bool>;

  // Only where the dimension stays as it is: exponents of dimensions are bounded, and the bound is not checked here.
  Index multiply_constants(Index a, Index b) {
    const ExpressionNode& x = node(a);
    const ExpressionNode& y = node(b);
    if (x.op != Op::constant || y.op != Op::constant || !(x.dimension.is_none() || y.dimension.is_none())) return kZero;
    ExpressionNode constant = x.dimension.is_none() ? y : x;
    constant.value = x.value * y.value;
    constant.is_hertz = false;
    if (!std::isfinite(constant.value) || constant.value == 0.0) return kZero;
    return push(constant);
  }

  Expression::Data data_;
  std::map<Key, Index> known_;
  TextSpan span_;
};

// Forward over the nodes: beside each value its derivative.
class Differentiator {
 public:
  Differentiator(const Expression& expression, std::size_t symbol)
      : expression_(expression), symbol_(static_cast<Index>(symbol)), build_(expression) {}

  Expression run() {
    for (ExpressionNode node : expression_.nodes()) {
      const auto copied = [&](Index i) { return i < 0 ? i : values_[static_cast<std::size_t>(i)]; };
      const Index derivative_a = node.op == Op::choose ? kZero : derivative(node.a);  // of a condition: none
      const Index derivative_b = derivative(node.b);
      const Index derivative_c = derivative(node.c);
      node.a = copied(node.a);
      node.b = copied(node.b);
      node.c = copied(node.c);
      build_.set_span(node.span);
      values_.push_back(build_.push(node));
      const bool impossible = derivative_a == kImpossible || derivative_b == kImpossible || derivative_c == kImpossible;
      derivatives_.push_back(impossible ? kImpossible
                                        : rule(node, values_.back(), derivative_a, derivative_b, derivative_c));
    }
    if (derivatives_.empty() || derivatives_.back() == kImpossible) return {};
    const Index result = derivatives_.back();
    return build_.finish(result == kZero ? build_.number(0.0) : result);
  }

 private:
  // Comparisons, logic, step, sign, floor, ceil: the derivative beside the jumps is zero.
  static bool is_piecewise_constant(Op op) {
    const std::optional<Operator> binary = binary_operator(op);
    if (binary && binary->binding <= Binding::comparison) return true;
    return op == Op::logical_not || op == Op::step || op == Op::sign || op == Op::floor || op == Op::ceil;
  }

  Index derivative(Index i) const { return i < 0 ? kZero : derivatives_[static_cast<std::size_t>(i)]; }

  // f' for f = op(a, b, c) with the derivatives da, db, dc.
  Index rule(const ExpressionNode& node, Index f, Index da, Index db, Index dc) {
    if (node.op == Op::symbol) return node.index == symbol_ ? build_.number(1.0) : kZero;
    if (is_piecewise_constant(node.op) || (da == kZero && db == kZero && dc == kZero)) return kZero;
    switch (node.op) {
      case Op::add:
        return build_.add(da, db);
      case Op::subtract:
        return build_.subtract(da, db);
      case Op::multiply:
        return build_.add(build_.multiply(da, node.b), build_.multiply(node.a, db));
      case Op::divide:  // (a' - f b') / b
        return build_.divide(build_.subtract(da, build_.multiply(f, db)), node.b);
      case Op::negate:
        return build_.negate(da);
      case Op::power:
        return power_rule(node, f, da, db);
      case Op::choose:
        return build_.choose(node.a, db, dc);
      case Op::min:
        return build_.choose(build_.push(Op::less_equal, node.a, node.b), da, db);
      case Op::max:
        return build_.choose(build_.push(Op::greater_equal, node.a, node.b), da, db);
      case Op::mod:  // a - b ⌊a/b⌋
        return build_.subtract(da, build_.multiply(floor_of_quotient(node, db), db));
      case Op::hypot:  // (a a' + b b') / f
        return build_.divide(build_.add(build_.multiply(node.a, da), build_.multiply(node.b, db)), f);
      case Op::atan2:  // (b a' - a b') / (a² + b²)
        return build_.divide(build_.subtract(build_.multiply(node.b, da), build_.multiply(node.a, db)),
                             build_.add(build_.square(node.a), build_.square(node.b)));
      default:
        return unary_rule(node, f, da);
    }
  }

  Index floor_of_quotient(const ExpressionNode& node, Index db) {
    return db == kZero ? kZero : build_.push(Op::floor, build_.push(Op::divide, node.a, node.b));
  }

  // (aᵇ)' = b a^(b-1) a' + aᵇ ln(a) b'
  Index power_rule(const ExpressionNode& node, Index f, Index da, Index db) {
    Index by_base = kZero;
    if (da != kZero && !build_.is_number(node.b, 0.0)) {
      const ExpressionNode& exponent = build_.node(node.b);
      const Index less_one = exponent.op == Op::constant && exponent.dimension.is_none()
                                 ? build_.number(exponent.value - 1.0)
                                 : build_.push(Op::subtract, node.b, build_.number(1.0));
      by_base = build_.multiply(build_.multiply(node.b, build_.power(node.a, less_one)), da);
    }
    if (db == kZero) return by_base;
    return build_.add(by_base, build_.multiply(build_.multiply(f, build_.push(Op::log, node.a)), db));
  }

  Index unary_rule(const ExpressionNode& node, Index f, Index da) {
    const Index a = node.a;
    switch (node.op) {
      case Op::sin:
        return build_.multiply(build_.push(Op::cos, a), da);
      case Op::cos:
        return build_.negate(build_.multiply(build_.push(Op::sin, a), da));
      case Op::tan:
        return build_.multiply(build_.add(build_.number(1.0), build_.square(f)), da);
      case Op::asin:
        return build_.divide(da, root_of_one_minus_square(a));
      case Op::acos:
        return build_.negate(build_.divide(da, root_of_one_minus_square(a)));
      case Op::atan:
        return build_.divide(da, build_.add(build_.number(1.0), build_.square(a)));
      case Op::sinh:
        return build_.multiply(build_.push(Op::cosh, a), da);
      case Op::cosh:
        return build_.multiply(build_.push(Op::sinh, a), da);
      case Op::tanh:
        return build_.multiply(build_.subtract(build_.number(1.0), build_.square(f)), da);
      case Op::exp:
        return build_.multiply(f, da);
      case Op::log:
        return build_.divide(da, a);
      case Op::log10:
        return build_.divide(da, build_.multiply(build_.number(std::numbers::ln10), a));
      case Op::sqrt:
        return build_.divide(da, build_.multiply(build_.number(2.0), f));
      case Op::abs:
        return build_.multiply(build_.push(Op::sign, a), da);
      case Op::table: {
        ExpressionNode slope = node;
        slope.op = Op::table_derivative;
        return build_.multiply(build_.push(slope), da);
      }
      case Op::table_derivative:
        return kImpossible;
      default:
        return kZero;
    }
  }

  Index root_of_one_minus_square(Index a) {
    return build_.push(Op::sqrt, build_.subtract(build_.number(1.0), build_.square(a)));
  }

  const Expression& expression_;
  Index symbol_;
  Builder build_;
  std::vector<Index> values_;
  std::vector<Index> derivatives_;
};

}  // namespace

Expression differentiate(const Expression& expression, std::size_t symbol) {
  return Differentiator(expression, symbol).run();
}

}  // namespace gelenk::expression
