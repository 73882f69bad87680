#pragma once

#include <cassert>
#include <cmath>
#include <span>

#include "gelenk/expression/expression.h"
#include "gelenk/math/dual.h"

namespace gelenk::expression {

// Values of a table for every scalar: the slope carries the derivative.
inline double table_value(const Table& table, double x) { return table.value(x); }
inline double table_slope(const Table& table, double x) { return table.slope(x); }
// On one of its pieces, wherever x is
inline double table_value_on(const Table& table, std::int32_t piece, double x) { return table.value_on(piece, x); }
inline double table_slope_on(const Table& table, std::int32_t piece, double x) { return table.slope_on(piece, x); }
template <int N>
Dual<N> table_value_on(const Table& table, std::int32_t piece, const Dual<N>& x) {
  return Dual<N>::chain(table.value_on(piece, x.value), x, table.slope_on(piece, x.value));
}
template <int N>
Dual<N> table_slope_on(const Table& table, std::int32_t piece, const Dual<N>& x) {
  return Dual<N>::chain(table.slope_on(piece, x.value), x, table.curvature_on(piece, x.value));
}
template <int N>
Dual<N> table_value(const Table& table, const Dual<N>& x) {
  return Dual<N>::chain(table.value(x.value), x, table.slope(x.value));
}
template <int N>
Dual<N> table_slope(const Table& table, const Dual<N>& x) {
  return Dual<N>::chain(table.slope(x.value), x, table.curvature(x.value));
}

// The remainder a - b ⌊a/b⌋: it has the sign of b, so that an angle modulo 2π is never negative.
inline double floored_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}
template <int N>
Dual<N> floored_remainder(const Dual<N>& a, const Dual<N>& b) {
  return Dual<N>::chain(floored_remainder(a.value, b.value), a, 1.0, b, -std::floor(a.value / b.value));
}

// The smaller and the larger; of equals the first, whose derivative differentiate() takes too.
inline double smaller(double a, double b) { return a <= b ? a : b; }
inline double larger(double a, double b) { return a >= b ? a : b; }
template <int N>
Dual<N> smaller(const Dual<N>& a, const Dual<N>& b) {
  return min(a, b);
}
template <int N>
Dual<N> larger(const Dual<N>& a, const Dual<N>& b) {
  return max(a, b);
}

// One operation on values. Truth is 1 and 0; every number but 0 counts as true.
template <class T>
T apply(const Expression& expression, const ExpressionNode& node, std::span<const T> symbols,
        std::span<const T> results) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::ceil, std::cos, std::cosh, std::exp, std::floor;
  using std::hypot, std::log, std::log10, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  const auto a = [&]() -> const T& { return results[index(node.a)]; };
  const auto b = [&]() -> const T& { return results[index(node.b)]; };
  const auto c = [&]() -> const T& { return results[index(node.c)]; };
  const auto truth = [](bool condition) { return T(condition ? 1.0 : 0.0); };
  const auto is_true = [](const T& x) { return value_of(x) != 0.0; };
  switch (node.op) {
    case Op::constant:
      return T(node.value);
    case Op::symbol:
      return symbols[index(node.index)];
    case Op::add:
      return a() + b();
    case Op::subtract:
      return a() - b();
    case Op::multiply:
      return a() * b();
    case Op::divide:
      return a() / b();
    case Op::power:
      return pow(a(), b());
    case Op::negate:
      return -a();
    case Op::less:
      return truth(a() < b());
    case Op::less_equal:
      return truth(a() <= b());
    case Op::greater:
      return truth(a() > b());
    case Op::greater_equal:
      return truth(a() >= b());
    case Op::equal:
      return truth(a() == b());
    case Op::not_equal:
      return truth(a() != b());
    case Op::logical_and:
      return truth(is_true(a()) && is_true(b()));
    case Op::logical_or:
      return truth(is_true(a()) || is_true(b()));
    case Op::logical_not:
      return truth(!is_true(a()));
    case Op::choose:
      return is_true(a()) ? b() : c();
    case Op::step:
      return truth(!(value_of(a()) < 0.0));
    case Op::sin:
      return sin(a());
    case Op::cos:
      return cos(a());
    case Op::tan:
      return tan(a());
    case Op::asin:
      return asin(a());
    case Op::acos:
      return acos(a());
    case Op::atan:
      return atan(a());
    case Op::atan2:
      return atan2(a(), b());
    case Op::sinh:
      return sinh(a());
    case Op::cosh:
      return cosh(a());
    case Op::tanh:
      return tanh(a());
    case Op::exp:
      return exp(a());
    case Op::log:
      return log(a());
    case Op::log10:
      return log10(a());
    case Op::sqrt:
      return sqrt(a());
    case Op::abs:
      return abs(a());
    case Op::sign:
      return T(value_of(a()) > 0.0 ? 1.0 : value_of(a()) < 0.0 ? -1.0 : 0.0);
    case Op::min:
      return smaller(a(), b());
    case Op::max:
      return larger(a(), b());
    case Op::floor:
      return floor(a());
    case Op::ceil:
      return ceil(a());
    case Op::mod:
      return floored_remainder(a(), b());
    case Op::hypot:
      return hypot(a(), b());
    case Op::table:
      return table_value(*expression.tables()[index(node.index)], a());
    case Op::table_derivative:
      return table_slope(*expression.tables()[index(node.index)], a());
  }
  return T(0.0);
}

// The value for T = double; for T = Dual<N> also its exact derivatives. One value per symbol, in the order of
// symbols(); scratch of at least scratch_size(). Allocates nothing. An empty expression is zero.
template <class T>
T evaluate(const Expression& expression, std::span<const T> symbol_values, std::span<T> scratch) {
  const std::span<const ExpressionNode> nodes = expression.nodes();
  assert(symbol_values.size() >= expression.symbols().size() && scratch.size() >= nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    scratch[i] = apply<T>(expression, nodes[i], symbol_values, scratch);
  }
  return nodes.empty() ? T(0.0) : scratch[nodes.size() - 1];
}

// For where speed does not matter: allocates the scratch.
double evaluate(const Expression& expression, std::span<const double> symbol_values);

}  // namespace gelenk::expression
