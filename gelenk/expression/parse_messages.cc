#include "gelenk/expression/parse_messages.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "gelenk/base/text.h"

namespace gelenk::expression {
namespace {

// What the habits of other languages are called here; empty for characters that mean nothing anywhere.
std::string foreign_operator_hint(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"&&", "write 'and'"},
      {"||", "write 'or'"},
      {"&", "write 'and'"},
      {"|", "write 'or'"},
      {"!", "write 'not'"},
      {"**", "write '^' for a power"},
      {"=", "write '==' to compare"},
      {"?", "write if(condition, a, b)"},
      {":", "write if(condition, a, b)"},
      {"%", "write mod(a, b) for the remainder of a division"},
      {"[", "use round parentheses"},
      {"{", "use round parentheses"},
      {"]", "use round parentheses"},
      {"}", "use round parentheses"},
      {"·", "write '*' to multiply"},
      {"×", "write '*' to multiply"},
      {"−", "use the '-' of the keyboard"},
      {"²", "write '^2'"},
      {"³", "write '^3'"},
  };
  for (const auto& [sign, hint] : kHints) {
    if (text.starts_with(sign)) return std::string(hint);
  }
  return {};
}

ExpressionError syntax_error(const Token& token, std::string message, std::string hint = {}) {
  return {Code::expression_syntax, token.span, std::move(message), std::move(hint)};
}

}  // namespace

ExpressionError value_expected(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return syntax_error(token, "the expression ends where a value is expected");
    case TokenKind::name:
      if (token.text == "not") return syntax_error(token, "'not' is not possible here", "put it in parentheses");
      return syntax_error(token, fmt::format("a value is missing before {}", shown(token.text)));
    case TokenKind::unit_sign: {
      std::string hint = foreign_operator_hint(token.text);
      if (hint.empty()) hint = "names contain letters a to z, digits and underscores; a unit follows a number";
      return syntax_error(token, fmt::format("{} is not a value", shown(token.text)), std::move(hint));
    }
    case TokenKind::other:
      return syntax_error(token, fmt::format("{} is not possible here", shown(token.text)),
                          foreign_operator_hint(token.text));
    default:
      return syntax_error(token, fmt::format("a value is missing before {}", shown(token.text)));
  }
}

ExpressionError operator_expected(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return syntax_error(token, "the expression ends too early");
    case TokenKind::right_parenthesis:
      return syntax_error(token, "this ')' has no '('");
    case TokenKind::comma:
      return syntax_error(token, "a comma is possible only between the arguments of a function",
                          "use a decimal point: 12.5");
    case TokenKind::number:
    case TokenKind::name:
    case TokenKind::left_parenthesis:
      return syntax_error(token, fmt::format("an operator is missing before {}", shown(token.text)),
                          "to multiply, write *");
    default:
      return syntax_error(token, fmt::format("{} is not possible here", shown(token.text)),
                          foreign_operator_hint(token.text));
  }
}

ExpressionError unknown_function(const Token& name) {
  constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"ln", "log"},   {"arcsin", "asin"}, {"arccos", "acos"}, {"arctan", "atan"},  {"arctan2", "atan2"},
      {"sgn", "sign"}, {"fmod", "mod"},    {"fabs", "abs"},    {"ceiling", "ceil"},
  };
  std::string hint;
  for (const auto& [other, ours] : kOtherNames) {
    if (name.text == other) hint = fmt::format("did you mean '{}'?", ours);
  }
  if (name.text == "pow" || name.text == "power") hint = "write a ^ b";
  if (hint.empty()) {
    std::vector<std::string> names;
    for (const Function& function : functions()) names.emplace_back(function.name);
    for (const MeasureFunction& measure : measure_functions()) names.emplace_back(measure.name);
    hint = did_you_mean(name.text, names);
  }
  if (hint.empty() && name.text.size() <= 40) hint = fmt::format("to multiply, write {} * (...)", name.text);
  return {Code::unknown_function, name.span, fmt::format("unknown function {}", shown(name.text)), std::move(hint)};
}

ExpressionError wrong_argument_count(const Token& name, const Function& function, std::size_t count) {
  const bool open = function.max_arguments == kAnyCount;
  std::string message = fmt::format("'{}' takes {}{} argument{}, but gets {}", function.name, open ? "at least " : "",
                                    function.min_arguments, function.min_arguments == 1 ? "" : "s", count);
  std::string hint = function.op == Op::choose ? "write if(condition, value, other_value)" : "";
  return {Code::wrong_argument_count, name.span, std::move(message), std::move(hint)};
}

ExpressionError frame_expected(const Token& token, const MeasureFunction& measure) {
  if (token.kind == TokenKind::end) return value_expected(token);
  return syntax_error(token, fmt::format("'{}' takes the names of two frames, not {}", measure.name, shown(token.text)),
                      fmt::format("write {}; a and b are parts, frames or ports", measure.call));
}

ExpressionError quantity_expected(const Token& token) {
  return syntax_error(token, "the name of a quantity is expected after the dot", "as in relative(a, b).position.x");
}

ExpressionError wrong_frame_count(const Token& name, const MeasureFunction& measure, std::size_t count) {
  return {Code::wrong_argument_count, name.span,
          fmt::format("'{}' takes {} frames, but gets {}", measure.name, kMeasuredFrames, count),
          fmt::format("write {}; `ground` is the world", measure.call)};
}

}  // namespace gelenk::expression
