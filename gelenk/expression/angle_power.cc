#include <cmath>

#include "gelenk/expression/expression.h"

namespace gelenk::expression {
namespace {

// Two values that are added or compared: a constant takes the side of the other one. Unlike powers make a plain number.
std::optional<int> common(std::optional<int> a, std::optional<int> b) {
  if (!a || !b) return a ? a : b;
  return *a == *b ? *a : 0;
}

std::optional<int> product(std::optional<int> a, std::optional<int> b, int sign) {
  if (!a && !b) return std::nullopt;
  return a.value_or(0) + sign * b.value_or(0);
}

std::optional<int> raised(std::optional<int> base, const ExpressionNode& exponent) {
  if (!base || *base == 0) return base;
  const bool is_whole =
      exponent.op == Op::constant && std::abs(exponent.value) <= 12.0 && exponent.value == std::round(exponent.value);
  return is_whole ? *base * static_cast<int>(exponent.value) : 0;
}

}  // namespace

std::optional<int> angle_power(const Expression& expression, std::span<const std::optional<int>> symbols) {
  const std::span<const ExpressionNode> nodes = expression.nodes();
  std::vector<std::optional<int>> powers;
  powers.reserve(nodes.size());
  const auto at = [&](std::int32_t i) { return powers[static_cast<std::size_t>(i)]; };
  for (const ExpressionNode& node : nodes) {
    std::optional<int> power = 0;
    switch (node.op) {
      case Op::constant:
        power = std::nullopt;
        break;
      case Op::symbol:
        power = symbols[static_cast<std::size_t>(node.index)];
        break;
      case Op::add:
      case Op::subtract:
      case Op::min:
      case Op::max:
      case Op::mod:
      case Op::hypot:
        power = common(at(node.a), at(node.b));
        break;
      case Op::choose:
        power = common(at(node.b), at(node.c));
        break;
      case Op::negate:
      case Op::abs:
      case Op::floor:
      case Op::ceil:
        power = at(node.a);
        break;
      case Op::multiply:
        power = product(at(node.a), at(node.b), 1);
        break;
      case Op::divide:
        power = product(at(node.a), at(node.b), -1);
        break;
      case Op::power:
        power = raised(at(node.a), nodes[static_cast<std::size_t>(node.b)]);
        break;
      case Op::sqrt:
        power = at(node.a) && *at(node.a) % 2 == 0 ? std::optional<int>(*at(node.a) / 2) : 0;
        break;
      case Op::asin:
      case Op::acos:
      case Op::atan:
      case Op::atan2:
        power = 1;
        break;
      default:  // sines, comparisons, tables: plain numbers or what only their dimension shows
        break;
    }
    powers.push_back(power);
  }
  return powers.empty() ? std::nullopt : powers.back();
}

}  // namespace gelenk::expression
