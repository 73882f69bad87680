#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/expression/expression.h"

namespace gelenk::expression {
namespace {

constexpr std::size_t kMaxQuantityBytes = 1000;

TextSpan span_in(std::string_view whole, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(part.data() - whole.data());
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

ParseResult refused(ExpressionError error) {
  ParseResult result;
  result.errors.push_back(std::move(error));
  return result;
}

// ".inf", "-Infinity", "NaN": what other formats and languages call values that no machine has.
bool names_no_finite_number(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  if (!word.empty() && word.front() == '.') word.remove_prefix(1);
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower == "inf" || lower == "infinity" || lower == "nan";
}

ExpressionError no_number(std::string_view whole, std::string_view text) {
  const std::string_view first_word = text.substr(0, text.find(' '));
  if (names_no_finite_number(first_word)) {
    return {Code::not_finite, span_in(whole, first_word), fmt::format("{} is not a finite number", shown(first_word)),
            ""};
  }
  std::string hint = "write a number and its unit, as in 12 mm, or '=' and an expression";
  return {Code::not_a_number, span_in(whole, text), fmt::format("{} is not a number", shown(text)), std::move(hint)};
}

// What stands behind the number does not read as a unit.
ExpressionError no_unit(std::string_view whole, std::string_view number, std::string_view rest, const UnitParse& unit) {
  if (rest.front() == ',' || rest.front() == '_' || rest.front() == '\'') {
    const std::size_t digits = number_length(rest.substr(1));
    std::string hint = "write numbers without separators";
    if (rest.front() == ',' && digits > 0 && rest.size() <= 40) {
      hint = fmt::format("use a decimal point: {}.{}", number, rest.substr(1));
    }
    const std::string_view both = trim(whole);
    return {Code::not_a_number, span_in(whole, both), fmt::format("{} is not a number", shown(both)), std::move(hint)};
  }
  std::string hint = unit.suggestion.empty() ? "" : fmt::format("did you mean '{}'?", unit.suggestion);
  if (unit.unknown.empty() && rest.find_first_of("+-*/^(") != std::string_view::npos) {
    hint = "a formula begins with '='";
  }
  if (hint.empty() && !unit.unknown.empty())
    hint = "units are written like mm, kg, N*m, rad/s; see `gelenk help units`";
  return {Code::unknown_unit, span_in(whole, rest), unit.error, std::move(hint)};
}

}  // namespace

ParseResult parse_quantity(std::string_view whole) {
  const std::string_view text = trim(whole);
  const TextSpan span = span_in(whole, text.empty() ? whole : text);
  if (text.empty()) return refused({Code::not_a_number, span, "a number is missing", ""});
  if (text.size() > kMaxQuantityBytes) {
    return refused(
        {Code::expression_too_long, span, fmt::format("a quantity of {} characters is too long", text.size()), ""});
  }
  const std::size_t sign = text.front() == '-' || text.front() == '+' ? 1 : 0;
  const std::size_t length = number_length(text.substr(sign));
  if (length == 0) return refused(no_number(whole, text));
  const std::string_view number_text = text.substr(0, sign + length);
  const std::string_view rest = trim(text.substr(sign + length));

  const std::optional<double> number = parse_number(number_text);
  const auto too_large = [&] {
    return refused({Code::not_finite, span, fmt::format("{} is too large for a number", shown(text)), ""});
  };
  if (!number) return too_large();
  Unit unit;
  if (!rest.empty()) {
    const UnitParse parsed = parse_unit(rest);
    if (!parsed.unit) return refused(no_unit(whole, number_text, rest, parsed));
    unit = *parsed.unit;
  }
  const double value = *number * unit.factor + unit.offset;
  if (!std::isfinite(value)) return too_large();

  auto data = std::make_shared<Expression::Data>();
  data->nodes.push_back({Op::constant, -1, -1, -1, -1, value, unit.dimension, unit.is_hertz, span});
  ParseResult result;
  result.expression = Expression(std::move(data));
  result.has_unit = !rest.empty();
  return result;
}

}  // namespace gelenk::expression
