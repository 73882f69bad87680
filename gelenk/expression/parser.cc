#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "gelenk/base/text.h"
#include "gelenk/expression/expression.h"
#include "gelenk/expression/lexer.h"
#include "gelenk/expression/measures.h"
#include "gelenk/expression/operations.h"
#include "gelenk/expression/parse_messages.h"

namespace gelenk::expression {
namespace {

using Index = std::int32_t;
constexpr Index kFailed = -1;
constexpr std::size_t kMaxErrors = 20;

// Recursive descent, one function per level of the grammar; each returns the node of what it read, or kFailed after a
// syntax error, which ends the parse. Wrong units, functions and counts are collected and the parse goes on.
class Parser {
 public:
  Parser(std::string_view text, const ParseLimits& limits)
      : text_(text), limits_(limits), data_(std::make_shared<Expression::Data>()) {}

  ParseResult parse() {
    if (text_.size() > limits_.max_bytes) {
      fail(
          {Code::expression_too_long, span_of_text(),
           fmt::format("the expression has {} characters, but at most {} are allowed", text_.size(), limits_.max_bytes),
           "split it into several parameters"});
      return finished();
    }
    advance();
    if (token_.kind == TokenKind::end) {
      fail({Code::expression_syntax, span_of_text(), "the expression is empty", ""});
    } else if (parse_or() != kFailed && token_.kind != TokenKind::end) {
      fail(operator_expected(token_));
    }
    return finished();
  }

 private:
  // Counts how deeply the parse is nested as long as it lives.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  Index parse_or() {
    const Deeper deeper(*this);
    if (depth_ > limits_.max_depth) {
      return fail({Code::expression_too_long, token_.span,
                   fmt::format("the expression is nested more than {} levels deep", limits_.max_depth),
                   "split it into several parameters"});
    }
    Index left = parse_and();
    while (left != kFailed && is_word("or")) left = binary(Op::logical_or, left, &Parser::parse_and);
    return left;
  }

  Index parse_and() {
    Index left = parse_not();
    while (left != kFailed && is_word("and")) left = binary(Op::logical_and, left, &Parser::parse_not);
    return left;
  }

  Index parse_not() {
    if (!is_word("not")) return parse_comparison();
    const Token sign = token_;
    advance();
    return prefixed(Op::logical_not, sign, &Parser::parse_not);
  }

  Index parse_comparison() {
    const Index left = parse_sum();
    const std::optional<Op> op = comparison();
    if (left == kFailed || !op) return left;
    const Index result = binary(*op, left, &Parser::parse_sum);
    if (result != kFailed && comparison()) {
      return fail({Code::expression_syntax, token_.span, "comparisons cannot be chained", "write a < b and b < c"});
    }
    return result;
  }

  Index parse_sum() {
    Index left = parse_product();
    while (left != kFailed && (token_.kind == TokenKind::plus || token_.kind == TokenKind::minus)) {
      left = binary(token_.kind == TokenKind::plus ? Op::add : Op::subtract, left, &Parser::parse_product);
    }
    return left;
  }

  Index parse_product() {
    Index left = parse_sign();
    while (left != kFailed && (token_.kind == TokenKind::star || token_.kind == TokenKind::slash)) {
      left = binary(token_.kind == TokenKind::star ? Op::multiply : Op::divide, left, &Parser::parse_sign);
    }
    return left;
  }

  Index parse_sign() {
    const Token sign = token_;
    if (sign.kind != TokenKind::plus && sign.kind != TokenKind::minus) return parse_power();
    const bool negative = sign.kind == TokenKind::minus;
    advance();
    if (!negative) return nested(&Parser::parse_sign);
    if (token_.kind != TokenKind::number) return prefixed(Op::negate, sign, &Parser::parse_sign);

    Index literal = parse_number(true);
    if (literal == kFailed || token_.kind != TokenKind::caret) return literal;
    node(literal).value = -node(literal).value;  // -2^2: the sign was not the number's
    literal = parse_exponent(literal);
    return literal == kFailed ? kFailed : push(Op::negate, spanning(sign.span, node(literal).span), literal);
  }

  Index parse_power() {
    const Index base = parse_primary();
    return base != kFailed && token_.kind == TokenKind::caret ? parse_exponent(base) : base;
  }

  Index parse_exponent(Index base) {
    advance();
    const Index exponent = nested(&Parser::parse_sign);
    if (exponent == kFailed) return kFailed;
    return push(Op::power, spanning(node(base).span, node(exponent).span), base, exponent);
  }

  Index parse_primary() {
    if (token_.kind == TokenKind::number) return parse_number(false);
    if (token_.kind == TokenKind::left_parenthesis) return parse_parenthesized();
    const bool keyword = is_word("and") || is_word("or") || is_word("not");
    if (token_.kind != TokenKind::name || keyword) return fail(value_expected(token_));
    const Token name = token_;
    advance();
    if (token_.kind == TokenKind::left_parenthesis) {
      const MeasureFunction* const measure = find_measure(name.text);
      return measure == nullptr ? parse_call(name) : parse_measure(name, *measure);
    }
    if (name.text == "pi") {
      const Index constant = push(Op::constant, name.span);
      if (constant != kFailed) node(constant).value = std::numbers::pi;
      return constant;
    }
    if (find_function(name.text) != nullptr) {
      return fail({Code::expression_syntax, name.span, fmt::format("'{}' is a function", name.text),
                   fmt::format("write {}(...)", name.text)});
    }
    return push_symbol(name.span);
  }

  // The name of the symbol is its text; other blanks are spaces, so that places in the name are places in the text.
  Index push_symbol(TextSpan span) {
    const Index symbol = push(Op::symbol, span);
    if (symbol == kFailed) return kFailed;
    std::string name(text_.substr(span.begin, span.end - span.begin));
    for (char& c : name) c = is_blank(c) ? ' ' : c;
    const auto [it, is_new] = symbols_.try_emplace(name, static_cast<Index>(data_->symbols.size()));
    if (is_new) data_->symbols.push_back({std::move(name), span});
    node(symbol).index = it->second;
    return symbol;
  }

  // A function of frames, and what of it is meant: `distance(a, b)`, `relative(a, b).velocity.x`.
  Index parse_measure(const Token& name, const MeasureFunction& measure) {
    const Token open = token_;
    std::size_t count = 0;
    do {
      advance();
      if (count == 0 && token_.kind == TokenKind::right_parenthesis) break;
      if (token_.kind != TokenKind::name || is_word("and") || is_word("or") || is_word("not")) {
        return fail(frame_expected(token_, measure));
      }
      ++count;
      advance();
    } while (token_.kind == TokenKind::comma);
    TextSpan span = spanning(name.span, token_.span);
    if (token_.kind == TokenKind::name || token_.kind == TokenKind::number)
      return fail(frame_expected(token_, measure));
    if (!close(open)) return kFailed;
    if (token_.kind == TokenKind::other && token_.text == "." && token_.span.begin == span.end) {
      advance();
      if (token_.kind != TokenKind::name || token_.span.begin != span.end + 1) return fail(quantity_expected(token_));
      span = spanning(name.span, token_.span);
      advance();
    }
    if (count != kMeasuredFrames) report(wrong_frame_count(name, measure, count));
    return push_symbol(span);
  }

  Index parse_parenthesized() {
    const Token open = token_;
    advance();
    const Index inside = parse_or();
    if (inside == kFailed || !close(open)) return kFailed;
    return inside;
  }

  Index parse_call(const Token& name) {
    const Token open = token_;
    advance();
    std::vector<Index> arguments;
    while (token_.kind != TokenKind::right_parenthesis || !arguments.empty()) {
      arguments.push_back(parse_or());
      if (arguments.back() == kFailed) return kFailed;
      if (token_.kind != TokenKind::comma) break;
      advance();
    }
    const TextSpan span = spanning(name.span, token_.span);
    if (!close(open)) return kFailed;
    return apply(name, span, arguments);
  }

  Index apply(const Token& name, TextSpan span, std::span<const Index> arguments) {
    const Function* function = find_function(name.text);
    if (function == nullptr) {
      report(unknown_function(name));
      return push(Op::constant, span);
    }
    if (arguments.size() < function->min_arguments || arguments.size() > function->max_arguments) {
      report(wrong_argument_count(name, *function, arguments.size()));
      return push(Op::constant, span);
    }
    if (arguments.size() == 1) return push(function->op, span, arguments[0]);
    if (function->op == Op::choose) return push(function->op, span, arguments[0], arguments[1], arguments[2]);
    Index result = push(function->op, span, arguments[0], arguments[1]);
    for (std::size_t i = 2; i < arguments.size() && result != kFailed; ++i) {
      result = push(function->op, span, result, arguments[i]);
    }
    return result;
  }

  // A number with its unit: `5`, `5 mm`, `120 (rad/s)`.
  Index parse_number(bool negative) {
    const Token number = token_;
    advance();
    const std::optional<double> magnitude = gelenk::parse_number(number.text);
    if (!magnitude) {
      report({Code::not_finite, number.span, fmt::format("the number {} is too large", shown(number.text)), ""});
    }
    TextSpan span = number.span;
    const std::optional<Unit> unit = parse_number_unit(number, span);
    if (failed_) return kFailed;
    const Index literal = push(Op::constant, span);
    if (literal == kFailed) return kFailed;
    const Unit& meaning = unit ? *unit : Unit{};
    const double value = magnitude.value_or(0.0);
    ExpressionNode& constant = node(literal);
    constant.value = (negative ? -value : value) * meaning.factor + meaning.offset;
    constant.dimension = meaning.dimension;
    constant.is_hertz = meaning.is_hertz;
    if (!std::isfinite(constant.value)) {
      report({Code::not_finite, span, fmt::format("the number {} is too large in SI units", shown(number.text)), ""});
    }
    if (unit && token_.kind == TokenKind::caret) {
      return fail({Code::expression_syntax, spanning(span, token_.span),
                   "it is not clear whether the power belongs to the unit or to the whole quantity",
                   "write 5 (m^2) or (5 m)^2"});
    }
    return literal;
  }

  // The unit behind a number, if any; lengthens the span by it.
  std::optional<Unit> parse_number_unit(const Token& number, TextSpan& span) {
    if (token_.kind == TokenKind::left_parenthesis) return parse_compound_unit(number, span);
    const bool word = token_.kind == TokenKind::name && !is_word("and") && !is_word("or") && !is_word("not");
    if (!word && token_.kind != TokenKind::unit_sign) return std::nullopt;
    const Token symbol = token_;
    advance();
    const std::string product =
        fmt::format("to multiply, write {} * {}", short_text(number.text), short_text(symbol.text));
    const bool meant_as_factor = token_.kind == TokenKind::left_parenthesis ||
                                 symbol.text.find('.') != std::string_view::npos || symbol.text == "pi";
    if (word && meant_as_factor) {
      fail({Code::expression_syntax, symbol.span, fmt::format("an operator is missing before {}", shown(symbol.text)),
            product});
      return std::nullopt;
    }
    const UnitParse unit = parse_unit(symbol.text);
    span = spanning(span, symbol.span);
    if (!unit.unit) report_unit(unit, symbol.span, product);
    return unit.unit;
  }

  std::optional<Unit> parse_compound_unit(const Token& number, TextSpan& span) {
    const Token open = token_;
    int depth = 0;
    while (token_.kind != TokenKind::end) {
      if (token_.kind == TokenKind::left_parenthesis) ++depth;
      if (token_.kind == TokenKind::right_parenthesis && --depth == 0) break;
      advance();
    }
    const Token end = token_;
    if (!close(open)) return std::nullopt;
    const TextSpan both = spanning(open.span, end.span);
    const std::string_view inside = text_.substr(open.span.end, end.span.begin - open.span.end);
    const std::string product =
        fmt::format("to multiply, write {} * ({})", short_text(number.text), short_text(inside));
    span = spanning(span, both);
    if (looks_like_formula(inside)) {
      report({Code::expression_syntax, both, "parentheses after a number hold its unit", product});
      return std::nullopt;
    }
    const UnitParse unit = parse_unit(inside);
    if (!unit.unit) report_unit(unit, both, product);
    return unit.unit;
  }

  // A sum, a difference or a list in parentheses behind a number was meant as a factor.
  static bool looks_like_formula(std::string_view inside) {
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (std::string_view("+,<>=").find(inside[i]) != std::string_view::npos) return true;
      const bool negative_exponent = i > 0 && (inside[i - 1] == '^' || inside[i - 1] == '(');
      if (inside[i] == '-' && !negative_exponent) return true;
    }
    return false;
  }

  void report_unit(const UnitParse& unit, TextSpan span, const std::string& product) {
    if (unit.unknown.empty()) {
      report({Code::expression_syntax, span, unit.error, product});
      return;
    }
    const std::string guess = unit.suggestion.empty() ? "" : fmt::format("did you mean '{}'? ", unit.suggestion);
    report({Code::unknown_unit, span, unit.error, guess + product});
  }

  static std::string_view short_text(std::string_view text) { return text.size() <= 30 ? text : "..."; }

  Index binary(Op op, Index left, Index (Parser::*operand)()) {
    advance();
    const Index right = (this->*operand)();
    if (right == kFailed) return kFailed;
    return push(op, spanning(node(left).span, node(right).span), left, right);
  }

  // What follows a sign or `not`. The sign of a constant goes into the constant.
  Index prefixed(Op op, const Token& sign, Index (Parser::*operand)()) {
    const Index inside = nested(operand);
    if (inside == kFailed) return kFailed;
    if (op == Op::negate && node(inside).op == Op::constant) {
      node(inside).value = -node(inside).value;
      node(inside).span = spanning(sign.span, node(inside).span);
      return inside;
    }
    return push(op, spanning(sign.span, node(inside).span), inside);
  }

  Index nested(Index (Parser::*operand)()) {
    const Deeper deeper(*this);
    if (depth_ > limits_.max_depth) return parse_or();  // reports the depth
    return (this->*operand)();
  }

  Index push(Op op, TextSpan span, Index a = -1, Index b = -1, Index c = -1) {
    if (data_->nodes.size() >= limits_.max_nodes) {
      return fail({Code::expression_too_long, span,
                   fmt::format("the expression has more than {} operations", limits_.max_nodes),
                   "split it into several parameters"});
    }
    data_->nodes.push_back({op, a, b, c, -1, 0.0, {}, false, span});
    return static_cast<Index>(data_->nodes.size() - 1);
  }

  bool close(const Token& open) {
    if (token_.kind == TokenKind::right_parenthesis) {
      advance();
      return true;
    }
    if (token_.kind == TokenKind::end) {
      fail({Code::expression_syntax, open.span, "this '(' is never closed", "add a ')'"});
    } else {
      fail(operator_expected(token_));
    }
    return false;
  }

  std::optional<Op> comparison() const {
    switch (token_.kind) {
      case TokenKind::less:
        return Op::less;
      case TokenKind::less_equal:
        return Op::less_equal;
      case TokenKind::greater:
        return Op::greater;
      case TokenKind::greater_equal:
        return Op::greater_equal;
      case TokenKind::equal:
        return Op::equal;
      case TokenKind::not_equal:
        return Op::not_equal;
      default:
        return std::nullopt;
    }
  }

  bool is_word(std::string_view word) const { return token_.kind == TokenKind::name && token_.text == word; }
  void advance() { token_ = read_token(text_, token_.span.end); }
  ExpressionNode& node(Index i) { return data_->nodes[static_cast<std::size_t>(i)]; }
  static TextSpan spanning(TextSpan first, TextSpan last) { return {first.begin, last.end}; }
  TextSpan span_of_text() const { return {0, static_cast<std::uint32_t>(text_.size())}; }

  void report(ExpressionError error) {
    if (errors_.size() < kMaxErrors) errors_.push_back(std::move(error));
  }
  // Only the first syntax error is worth reading; those behind it are echoes.
  Index fail(ExpressionError error) {
    if (!failed_) report(std::move(error));
    failed_ = true;
    return kFailed;
  }

  ParseResult finished() {
    ParseResult result;
    result.errors = std::move(errors_);
    if (result.errors.empty() && !failed_) result.expression = Expression(std::move(data_));
    return result;
  }

  std::string_view text_;
  ParseLimits limits_;
  Token token_;
  int depth_ = 0;
  bool failed_ = false;
  std::shared_ptr<Expression::Data> data_;
  std::map<std::string, Index> symbols_;
  std::vector<ExpressionError> errors_;
};

}  // namespace

ParseResult parse(std::string_view text, const ParseLimits& limits) { return Parser(text, limits).parse(); }

}  // namespace gelenk::expression
