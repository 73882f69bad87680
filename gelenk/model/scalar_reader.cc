#include "gelenk/model/scalar_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gelenk/base/text.h"
#include "gelenk/model/foreign_words.h"

namespace gelenk::model {

using expression::Expression;
using expression::ExpressionError;

namespace {

// "a mass (kg)"; of what has no dimension, all units but percent are those of angles.
std::string what_it_is(std::string_view text, const Dimension& dimension) {
  const std::string_view unit = trim(trim(text).substr(std::min(number_length(trim(text)), trim(text).size())));
  const bool is_angle = dimension.is_none() && !unit.empty() && unit != "%" && unit != "1";
  return is_angle ? "an angle" : describe_dimension(dimension);
}

}  // namespace

std::string range_problem(double value, const Range& range, Quantity quantity) {
  const bool below = range.min_excluded ? !(value > range.min) : value < range.min;
  if (!below && value <= range.max) return {};
  const std::string_view symbol = quantity_info(quantity).si_symbol;
  const auto with_unit = [&](double number) {
    const std::string text = format_rounded(number, 6);
    return symbol.empty() || symbol == "1" ? text : fmt::format("{} {}", text, symbol);
  };
  if (below && range.min == 0.0) {
    return fmt::format("must {}, but is {}", range.min_excluded ? "be positive" : "not be negative", with_unit(value));
  }
  if (below) return fmt::format("must be at least {}, but is {}", with_unit(range.min), with_unit(value));
  return fmt::format("must be at most {}, but is {}", with_unit(range.max), with_unit(value));
}

bool ScalarReader::expect(const Node& node, Node::Kind kind, std::string_view what, std::string hint) const {
  if (node.kind == kind) return true;
  diagnostics.error(Code::wrong_kind, node.range,
                    fmt::format("{} expected, but this is {}", what, kind_name(node.kind)), std::move(hint));
  return false;
}

std::uint32_t ScalarReader::offset_of(const Node& node, std::size_t index) const {
  // Escapes in quoted text move the characters.
  const std::string_view written = sources.text(node.range);
  const std::size_t shift = node.quoted ? 1 : 0;
  if (written.size() < shift + node.text.size() || written.substr(shift, node.text.size()) != node.text) return 0;
  return node.range.begin + static_cast<std::uint32_t>(shift + std::min(index, node.text.size()));
}

SourceRange ScalarReader::part_of(const Node& node, std::size_t begin, std::size_t end) const {
  const std::uint32_t first = offset_of(node, begin);
  if (first == 0 && node.range.begin != 0) return node.range;
  return {node.range.file, first, std::max(first, offset_of(node, end))};
}

void ScalarReader::report(const Node& node, std::size_t skip, const ExpressionError& error) const {
  diagnostics.error(error.code, part_of(node, error.span.begin + skip, error.span.end + skip), error.message,
                    error.hint);
}

std::optional<Expression> ScalarReader::formula(const Node& node, std::size_t skip) const {
  expression::ParseResult result = expression::parse(std::string_view(node.text).substr(skip));
  for (const ExpressionError& error : result.errors) report(node, skip, error);
  return result.expression;
}

void ScalarReader::warn_about_bare_angle(const Node& node, double value) const {
  if (!(std::abs(value) > 2.0 * std::numbers::pi)) return;
  diagnostics.warning(Code::wrong_dimension, node.range,
                      fmt::format("{} without a unit means {} rad, which is {} turns", node.text, node.text,
                                  format_rounded(std::abs(value) / (2.0 * std::numbers::pi), 3)),
                      fmt::format("write {} deg or {} rad", node.text, node.text));
}

bool ScalarReader::fits(const Node& node, const Expression& literal, const Field& field) const {
  const expression::ExpressionNode& constant = literal.nodes().front();
  const QuantityInfo& expected = quantity_info(field.quantity);
  if (!(constant.dimension == expected.dimension)) {
    diagnostics.error(Code::wrong_dimension, node.range,
                      fmt::format("'{}' is a {}, but '{}' is {}", field.key, expected.name, node.text,
                                  what_it_is(node.text, constant.dimension)),
                      fmt::format("use a unit such as {}", expected.si_symbol));
    return false;
  }
  if (constant.is_hertz && field.quantity == Quantity::angular_rate) {
    diagnostics.error(
        Code::hertz_for_angular_rate, node.range,
        fmt::format("'{}' is an angular rate, but Hz counts turns per second", field.key),
        fmt::format("1 Hz is 2π rad/s: write {} rpm or {} rad/s", format_rounded(constant.value * 60.0, 6),
                    format_rounded(constant.value * 2.0 * 3.14159265358979323846, 6)));
    return false;
  }
  const std::string problem = range_problem(constant.value, field.range, field.quantity);
  if (!problem.empty()) {
    diagnostics.error(field.key == "mass" ? Code::mass_not_positive : Code::out_of_range, node.range,
                      fmt::format("'{}' {}", field.key, problem));
    return false;
  }
  return true;
}

std::optional<Expression> ScalarReader::number(const Node& node, const Field& field) const {
  if (!expect(node, Node::Kind::scalar, "a number")) return std::nullopt;
  if (!node.text.empty() && node.text.front() == '=') return formula(node, 1);

  expression::ParseResult result = expression::parse_quantity(node.text);
  for (const ExpressionError& error : result.errors) report(node, 0, error);
  if (!result.expression || field.quantity == Quantity::any) return result.expression;

  // "12" is 12 of the field's SI unit; "12 rad" stays a pure number, as angles are.
  const bool is_bare = parse_number(trim(node.text)).has_value();
  if (is_bare) {
    const double value = result.expression->nodes().front().value;
    if (field.quantity == Quantity::angle) warn_about_bare_angle(node, value);
    result.expression = Expression::constant(value, quantity_info(field.quantity).dimension);
  }
  if (!fits(node, *result.expression, field)) return std::nullopt;
  return result.expression;
}

std::optional<Expression> ScalarReader::channel_or_formula(const Node& node) const {
  if (!expect(node, Node::Kind::scalar, "a channel or an expression")) return std::nullopt;
  const bool is_formula = !node.text.empty() && node.text.front() == '=';
  return formula(node, is_formula ? 1 : 0);
}

std::optional<bool> ScalarReader::flag(const Node& node) const {
  if (!expect(node, Node::Kind::scalar, "true or false")) return std::nullopt;
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  diagnostics.error(Code::unknown_choice, node.range, fmt::format("'{}' is neither true nor false", node.text));
  return std::nullopt;
}

std::optional<std::string> ScalarReader::choice(const Node& node, const Field& field) const {
  const std::span<const std::string_view> choices = field.choices;
  if (!expect(node, Node::Kind::scalar, "one of the choices")) return std::nullopt;
  if (std::find(choices.begin(), choices.end(), node.text) != choices.end()) return node.text;
  const std::vector<std::string> names(choices.begin(), choices.end());
  std::string hint = field.key == "method" ? hint_for_method(node.text) : std::string();
  if (hint.empty()) hint = did_you_mean(node.text, names);
  if (hint.empty()) hint = "one of " + join(names, ", ");
  diagnostics.error(Code::unknown_choice, node.range, fmt::format("'{}' cannot be {}", field.key, shown(node.text)),
                    hint);
  return std::nullopt;
}

std::optional<std::string> ScalarReader::path(const Node& node) const {
  if (!expect(node, Node::Kind::scalar, "a name")) return std::nullopt;
  const std::vector<std::string> segments = split(node.text, '.');
  const auto is_segment = [](const std::string& segment) {
    const bool is_index =
        !segment.empty() && std::all_of(segment.begin(), segment.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_index || is_valid_name(segment);
  };
  if (!std::all_of(segments.begin(), segments.end(), is_segment)) {
    std::string hint = "names contain letters, digits, '_' and '-', joined by dots";
    if (!node.text.empty() && node.text.front() == '=') hint = "a name is expected here, not an expression";
    diagnostics.error(Code::bad_name, node.range, fmt::format("'{}' is not a name", node.text), hint);
    return std::nullopt;
  }
  return node.text;
}

bool ScalarReader::is_named_direction(const Node& node) const {
  static constexpr std::array<std::string_view, 6> kNames{"x", "y", "z", "-x", "-y", "-z"};
  return node.is_scalar() && std::find(kNames.begin(), kNames.end(), node.text) != kNames.end();
}

}  // namespace gelenk::model
