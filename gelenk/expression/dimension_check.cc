#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/expression/operations.h"

namespace gelenk::expression {
namespace {

constexpr std::size_t kMaxDimensionErrors = 20;

// What is known of a node's value.
struct Meaning {
  Dimension dimension;
  bool is_hertz = false;
  bool is_zero = false;            // the literal 0
  bool is_unknown = false;         // an error was reported below: do not report its echoes
  std::optional<double> constant;  // value of a pure number without symbols; for exponents
};

struct Fraction {
  int numerator = 0;
  int denominator = 1;
};

// The fraction with a small denominator that a constant exponent stands for: 0.5, 1/3, -2.
std::optional<Fraction> as_fraction(double value) {
  constexpr int kMaxDenominator = 12;
  constexpr double kMaxNumerator = 1000.0;
  constexpr double kRounding = 1e-12;  // some roundings of 1/3 or of 0.1 + 0.2; far below 1/12 - 1/13
  for (int denominator = 1; denominator <= kMaxDenominator; ++denominator) {
    const double numerator = value * denominator;
    if (!(std::abs(numerator) <= kMaxNumerator)) return std::nullopt;
    if (std::abs(numerator - std::round(numerator)) <= kRounding * std::max(1.0, std::abs(numerator))) {
      return Fraction{static_cast<int>(std::round(numerator)), denominator};
    }
  }
  return std::nullopt;
}

class Checker {
 public:
  Checker(const Expression& expression, std::span<const SymbolMeaning> symbols)
      : expression_(expression), symbols_(symbols) {}

  DimensionResult check() {
    for (const ExpressionNode& node : expression_.nodes()) {
      Meaning meaning = meaning_of(node);
      fold_constant(node, meaning);
      meanings_.push_back(meaning);
    }
    DimensionResult result;
    result.errors = std::move(errors_);
    if (meanings_.empty()) return result;
    result.dimension = meanings_.back().dimension;
    result.is_hertz = meanings_.back().is_hertz;
    result.is_zero = meanings_.back().is_zero;
    return result;
  }

 private:
  const Meaning& at(std::int32_t i) const { return meanings_[static_cast<std::size_t>(i)]; }
  const ExpressionNode& node_at(std::int32_t i) const { return expression_.nodes()[static_cast<std::size_t>(i)]; }

  Meaning meaning_of(const ExpressionNode& node) {
    switch (node.op) {
      case Op::constant:
        return {node.dimension, node.is_hertz, node.value == 0.0 && node.dimension.is_none(), false, std::nullopt};
      case Op::symbol:
        return symbol(static_cast<std::size_t>(node.index));
      case Op::add:
      case Op::subtract:
      case Op::min:
      case Op::max:
      case Op::mod:
      case Op::hypot:
        return same(node, node.a, node.b);
      case Op::choose:
        need_number(node.a, "the condition of 'if'");
        return same(node, node.b, node.c);
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::equal:
      case Op::not_equal:
      case Op::atan2:
        same(node, node.a, node.b);
        return {};
      case Op::multiply:
        return product(node, 1);
      case Op::divide:
        return product(node, -1);
      case Op::power:
        return power(node);
      case Op::sqrt:
        return root(node);
      case Op::negate:
      case Op::abs: {
        Meaning meaning = at(node.a);
        meaning.constant.reset();
        return meaning;
      }
      case Op::sign:
      case Op::step:
        return {};
      case Op::table:
      case Op::table_derivative:
        return table(node);
      case Op::logical_and:
      case Op::logical_or:
        need_number(node.a, fmt::format("'{}'", binary_operator(node.op)->text));
        need_number(node.b, fmt::format("'{}'", binary_operator(node.op)->text));
        return {};
      case Op::logical_not:
        need_number(node.a, "'not'");
        return {};
      default:
        need_number(node.a, fmt::format("'{}'", function_of(node.op)->name));
        return {};
    }
  }

  Meaning symbol(std::size_t index) const {
    if (index >= symbols_.size()) return {};
    return {symbols_[index].dimension, symbols_[index].is_hertz, false, false, std::nullopt};
  }

  // Two values that must be of one kind. The literal 0 is of every kind.
  Meaning same(const ExpressionNode& node, std::int32_t first, std::int32_t second) {
    const Meaning& a = at(first);
    const Meaning& b = at(second);
    const bool unknown = a.is_unknown || b.is_unknown;
    if (!unknown && !a.is_zero && !b.is_zero && a.dimension != b.dimension) {
      const std::int32_t bare = a.dimension.is_none() ? first : second;
      error(node.span, mismatch(node.op, a.dimension, b.dimension), unit_hint(bare, bare == first ? b : a));
      return unknown_meaning();
    }
    const Meaning& leading = a.is_zero ? b : a;
    return {leading.dimension, a.is_hertz || b.is_hertz, a.is_zero && b.is_zero, unknown, std::nullopt};
  }

  static std::string mismatch(Op op, const Dimension& a, const Dimension& b) {
    const std::string first = describe_dimension(a);
    const std::string second = describe_dimension(b);
    if (op == Op::add) return fmt::format("cannot add {} and {}", first, second);
    if (op == Op::subtract) return fmt::format("cannot subtract {} from {}", second, first);
    if (op == Op::choose) return fmt::format("the two values of 'if' are {} and {}", first, second);
    if (const Function* function = function_of(op)) {
      return fmt::format("the arguments of '{}' are {} and {}", function->name, first, second);
    }
    return fmt::format("cannot compare {} with {}", first, second);
  }

  // A bare number beside a length most often lacks its unit.
  std::string unit_hint(std::int32_t bare, const Meaning& other) const {
    const ExpressionNode& node = node_at(bare);
    if (node.op != Op::constant || !node.dimension.is_none()) return {};
    const Quantity quantity = quantity_of(other.dimension);
    const std::string unit =
        quantity == Quantity::any ? other.dimension.text() : std::string(quantity_info(quantity).si_symbol);
    const bool single = find_unit_symbol(unit).has_value();
    return fmt::format("give the number a unit: {} {}", format_rounded(node.value, 6),
                       single ? unit : "(" + unit + ")");
  }

  Meaning product(const ExpressionNode& node, int sign) {
    const Meaning& a = at(node.a);
    const Meaning& b = at(node.b);
    if (a.is_unknown || b.is_unknown) return unknown_meaning();
    const std::optional<Dimension> dimension = Dimension::checked_product(a.dimension, b.dimension, sign);
    if (!dimension) return too_large(node);
    return {*dimension, false, false, false, std::nullopt};
  }

  Meaning power(const ExpressionNode& node) {
    const Meaning& base = at(node.a);
    const Meaning& exponent = at(node.b);
    if (exponent.is_unknown || base.is_unknown) return unknown_meaning();
    if (!exponent.dimension.is_none()) {
      error(node_at(node.b).span,
            fmt::format("an exponent must be a pure number, but this is {}", describe_dimension(exponent.dimension)),
            "");
      return unknown_meaning();
    }
    if (base.dimension.is_none()) return {};
    if (!exponent.constant) {
      error(node.span, fmt::format("a power of {} needs a constant exponent", describe_dimension(base.dimension)),
            "divide by a reference value first, or write the exponent as a number");
      return unknown_meaning();
    }
    const std::optional<Fraction> fraction = as_fraction(*exponent.constant);
    const std::optional<Dimension> dimension =
        fraction ? base.dimension.power(fraction->numerator, fraction->denominator) : std::nullopt;
    if (dimension) return {*dimension, false, false, false, std::nullopt};
    error(node.span,
          fmt::format("{} to the power {} has no proper unit", describe_dimension(base.dimension),
                      format_rounded(*exponent.constant, 6)),
          "use a whole exponent or a simple fraction");
    return unknown_meaning();
  }

  Meaning root(const ExpressionNode& node) {
    const Meaning& inside = at(node.a);
    if (inside.is_unknown) return unknown_meaning();
    const std::optional<Dimension> dimension = inside.dimension.power(1, 2);
    if (dimension) return {*dimension, false, inside.is_zero, false, std::nullopt};
    error(node.span, fmt::format("the root of {} has no proper unit", describe_dimension(inside.dimension)), "");
    return unknown_meaning();
  }

  Meaning table(const ExpressionNode& node) {
    const Table& table = *expression_.tables()[static_cast<std::size_t>(node.index)];
    const Meaning& argument = at(node.a);
    if (!argument.is_unknown && !argument.is_zero && argument.dimension != table.argument_dimension) {
      error(node_at(node.a).span,
            fmt::format("the table is over {}, but its argument is {}", describe_dimension(table.argument_dimension),
                        describe_dimension(argument.dimension)),
            "");
    }
    if (node.op == Op::table) return {table.value_dimension, false, false, false, std::nullopt};
    return {table.value_dimension / table.argument_dimension, false, false, false, std::nullopt};
  }

  void need_number(std::int32_t argument, const std::string& who) {
    const Meaning& meaning = at(argument);
    if (meaning.is_unknown || meaning.dimension.is_none()) return;
    error(node_at(argument).span,
          fmt::format("{} needs a pure number, but gets {}", who, describe_dimension(meaning.dimension)),
          "divide by a reference value of the same kind");
  }

  Meaning too_large(const ExpressionNode& node) {
    error(node.span, "the unit of this product has an exponent that is too large", "");
    return unknown_meaning();
  }

  static Meaning unknown_meaning() {
    Meaning meaning;
    meaning.is_unknown = true;
    return meaning;
  }

  void error(TextSpan span, std::string message, std::string hint) {
    if (errors_.size() >= kMaxDimensionErrors) return;
    errors_.push_back({Code::dimension_mismatch, span, std::move(message), std::move(hint)});
  }

  // Follows pure numbers through arithmetic, for exponents such as 1/2 or -(3 - 1).
  void fold_constant(const ExpressionNode& node, Meaning& meaning) const {
    if (meaning.is_unknown || !meaning.dimension.is_none() || node.op == Op::symbol) return;
    std::array<double, 3> operands{};
    const std::array<std::int32_t, 3> indices{node.a, node.b, node.c};
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0) continue;
      if (!at(indices[i]).constant) return;
      operands[i] = *at(indices[i]).constant;
    }
    ExpressionNode alone = node;
    alone.a = 0;
    alone.b = 1;
    alone.c = 2;
    meaning.constant = apply<double>(expression_, alone, {}, operands);
  }

  const Expression& expression_;
  std::span<const SymbolMeaning> symbols_;
  std::vector<Meaning> meanings_;
  std::vector<ExpressionError> errors_;
};

}  // namespace

DimensionResult infer_dimension(const Expression& expression, std::span<const SymbolMeaning> meanings) {
  return Checker(expression, meanings).check();
}

}  // namespace gelenk::expression
