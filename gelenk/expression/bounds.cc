#include "gelenk/expression/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gelenk::expression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kAnything{-kInfinity, kInfinity};
constexpr Interval kUndecided{0.0, 1.0};  // of a condition

Interval sorted(double a, double b) { return a <= b ? Interval{a, b} : Interval{b, a}; }
Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Interval truth(bool is_certain, bool value) {
  if (!is_certain) return kUndecided;
  return value ? Interval{1.0, 1.0} : Interval{0.0, 0.0};
}
bool is_point(const Interval& x) { return x.low == x.high; }

// Zero times anything is zero here: infinite bounds stand for large numbers.
double product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

Interval multiplied(const Interval& a, const Interval& b) {
  const auto [low, high] =
      std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  return {low, high};
}

Interval divided(const Interval& a, const Interval& b) {
  if (b.contains(0.0)) return kAnything;
  return multiplied(a, {1.0 / b.high, 1.0 / b.low});
}

Interval absolute(const Interval& x) {
  if (x.contains(0.0)) return {0.0, x.size()};
  return sorted(std::abs(x.low), std::abs(x.high));
}

Interval raised(const Interval& a, const Interval& b) {
  if (is_point(b) && b.low == std::floor(b.low) && b.low >= 0.0) {
    const bool is_even = std::fmod(b.low, 2.0) == 0.0;
    const Interval base = is_even ? absolute(a) : a;
    return {std::pow(base.low, b.low), std::pow(base.high, b.low)};
  }
  if (!(a.low > 0.0)) return kAnything;
  const auto [low, high] =
      std::minmax({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low), std::pow(a.high, b.high)});
  return {low, high};
}

// Of sin; cos is sin a quarter turn ahead.
Interval sine(const Interval& x) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (!(x.width() < kTurn)) return {-1.0, 1.0};
  Interval result = sorted(std::sin(x.low), std::sin(x.high));
  // Whether a place quarter + k·turn lies inside
  const auto passes = [&](double quarter) {
    return std::floor((x.high - quarter) / kTurn) != std::floor((x.low - quarter) / kTurn);
  };
  if (passes(0.25 * kTurn)) result.high = 1.0;
  if (passes(-0.25 * kTurn)) result.low = -1.0;
  return result;
}

Interval tangent(const Interval& x) {
  const auto branch = [](double angle) { return std::floor(angle / std::numbers::pi + 0.5); };
  if (!(x.width() < std::numbers::pi) || branch(x.low) != branch(x.high)) return kAnything;
  return {std::tan(x.low), std::tan(x.high)};
}

// A function that only grows, defined from `from` to `to`.
template <class Function>
Interval growing(const Interval& x, double from, double to, Function&& function) {
  if (!(x.low >= from && x.high <= to)) return kAnything;
  return {function(x.low), function(x.high)};
}

Interval remainder(const Interval& a, const Interval& b) {
  if (!is_point(b) || !(b.low > 0.0)) return kAnything;
  const double first = std::floor(a.low / b.low);
  if (!(first == std::floor(a.high / b.low))) return {0.0, b.low};
  return {a.low - first * b.low, a.high - first * b.low};
}

Interval table_bounds(const Table& table, const Interval& x, bool is_slope) {
  Interval result{kInfinity, -kInfinity};
  const std::int32_t last = table.piece_at(x.high);
  for (std::int32_t piece = table.piece_at(x.low); piece <= last; ++piece) {
    const auto i = static_cast<std::size_t>(piece);
    const double begin = piece == 0 ? x.low : std::max(x.low, table.x()[i - 1]);
    const double end = i >= table.x().size() ? x.high : std::min(x.high, table.x()[i]);
    result = hull(result, bound_piece(table, piece, {begin, end}, is_slope));
  }
  return result;
}

Interval compared(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
      return truth(a.high < b.low || a.low > b.high, a.high < b.low);
    case Op::greater:
    case Op::greater_equal:
      return truth(a.low > b.high || a.high<b.low, a.low> b.high);
    default: {  // equal, not equal
      const bool is_apart = a.high < b.low || a.low > b.high;
      const bool is_same = is_point(a) && is_point(b) && a.low == b.low;
      return truth(is_apart || is_same, op == Op::equal ? is_same : is_apart);
    }
  }
}

// Whether a number counts as true: 1 certainly, 0 certainly not, or undecided.
Interval as_truth(const Interval& x) { return truth(!x.contains(0.0) || is_point(x), !x.contains(0.0)); }

Interval elementary(Op op, const Interval& a) {
  switch (op) {
    case Op::sin:
      return sine(a);
    case Op::cos:
      return sine({a.low + 0.5 * std::numbers::pi, a.high + 0.5 * std::numbers::pi});
    case Op::tan:
      return tangent(a);
    case Op::asin:
      return growing(a, -1.0, 1.0, [](double x) { return std::asin(x); });
    case Op::acos: {
      const Interval turned = growing(a, -1.0, 1.0, [](double x) { return -std::acos(x); });
      return {-turned.high, -turned.low};
    }
    case Op::atan:
      return {std::atan(a.low), std::atan(a.high)};
    case Op::sinh:
      return {std::sinh(a.low), std::sinh(a.high)};
    case Op::cosh: {
      const Interval distance = absolute(a);
      return {std::cosh(distance.low), std::cosh(distance.high)};
    }
    case Op::tanh:
      return {std::tanh(a.low), std::tanh(a.high)};
    case Op::exp:
      return {std::exp(a.low), std::exp(a.high)};
    case Op::log:
      return growing(a, 0.0, kInfinity, [](double x) { return std::log(x); });
    case Op::log10:
      return growing(a, 0.0, kInfinity, [](double x) { return std::log10(x); });
    case Op::sqrt:
      return growing(a, 0.0, kInfinity, [](double x) { return std::sqrt(x); });
    case Op::floor:
      return {std::floor(a.low), std::floor(a.high)};
    case Op::ceil:
      return {std::ceil(a.low), std::ceil(a.high)};
    default:
      return kAnything;
  }
}

Interval bound(const Expression& expression, const ExpressionNode& node, std::span<const Interval> symbols,
               std::span<const Interval> done) {
  const auto operand = [&](std::int32_t i) { return i < 0 ? Interval{} : done[static_cast<std::size_t>(i)]; };
  const Interval a = operand(node.a);
  const Interval b = operand(node.b);
  switch (node.op) {
    case Op::constant:
      return {node.value, node.value};
    case Op::symbol:
      return symbols[static_cast<std::size_t>(node.index)];
    case Op::add:
      return {a.low + b.low, a.high + b.high};
    case Op::subtract:
      return {a.low - b.high, a.high - b.low};
    case Op::negate:
      return {-a.high, -a.low};
    case Op::multiply:
      return node.a == node.b ? raised(a, {2.0, 2.0}) : multiplied(a, b);
    case Op::divide:
      return divided(a, b);
    case Op::power:
      return raised(a, b);
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
      return compared(node.op, a, b);
    case Op::logical_and:
      return {std::min(as_truth(a).low, as_truth(b).low), std::min(as_truth(a).high, as_truth(b).high)};
    case Op::logical_or:
      return {std::max(as_truth(a).low, as_truth(b).low), std::max(as_truth(a).high, as_truth(b).high)};
    case Op::logical_not:
      return {1.0 - as_truth(a).high, 1.0 - as_truth(a).low};
    case Op::choose: {
      const Interval condition = as_truth(a);
      if (is_point(condition)) return condition.low != 0.0 ? b : operand(node.c);
      return hull(b, operand(node.c));
    }
    case Op::step:
      return truth(a.low >= 0.0 || a.high < 0.0, a.low >= 0.0);
    case Op::sign:
      return {a.low > 0.0 ? 1.0 : a.low == 0.0 ? 0.0 : -1.0, a.high < 0.0 ? -1.0 : a.high == 0.0 ? 0.0 : 1.0};
    case Op::abs:
      return absolute(a);
    case Op::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::mod:
      return remainder(a, b);
    case Op::hypot:
      return {std::hypot(absolute(a).low, absolute(b).low), std::hypot(a.size(), b.size())};
    case Op::atan2:
      return {-std::numbers::pi, std::numbers::pi};
    case Op::table:
    case Op::table_derivative: {
      const Table& table = *expression.tables()[static_cast<std::size_t>(node.index)];
      if (!std::isfinite(a.low) || !std::isfinite(a.high)) return kAnything;
      return table_bounds(table, a, node.op == Op::table_derivative);
    }
    default:
      return elementary(node.op, a);
  }
}

}  // namespace

double Interval::size() const { return std::max(std::abs(low), std::abs(high)); }

Interval bound_node(const Expression& expression, const ExpressionNode& node, std::span<const Interval> symbols,
                    std::span<const Interval> before) {
  const Interval result = bound(expression, node, symbols, before);
  // What is not a number is not known.
  return std::isnan(result.low) || std::isnan(result.high) ? kAnything : result;
}

// A piece of third order lies between the four points that Bézier draws it by, its slope between three.
Interval bound_piece(const Table& table, std::int32_t piece, const Interval& x, bool is_slope) {
  const double length = x.width();
  const double first = table.slope_on(piece, x.low);
  const double last = table.slope_on(piece, x.high);
  if (is_slope) {
    const auto [low, high] = std::minmax({first, first + 0.5 * table.curvature_on(piece, x.low) * length, last});
    return {low, high};
  }
  const double begin = table.value_on(piece, x.low);
  const double end = table.value_on(piece, x.high);
  const auto [low, high] = std::minmax({begin, begin + first * length / 3.0, end - last * length / 3.0, end});
  return {low, high};
}

}  // namespace gelenk::expression
