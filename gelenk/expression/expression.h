#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gelenk/base/diagnostic_codes.h"
#include "gelenk/base/units.h"
#include "gelenk/math/table.h"

namespace gelenk::expression {

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  choose,  // if(condition, a, b)
  step,    // step(x): 0 for x < 0, else 1
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  min,
  max,
  floor,
  ceil,
  mod,
  hypot,
  table,             // value of a table at argument a
  table_derivative,  // its slope; arises from differentiation only
};

// A part of the expression's text, for messages.
struct TextSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// One operation. Operands are indices of earlier nodes: the nodes are in evaluation order, the last is the result.
struct ExpressionNode {
  Op op = Op::constant;
  std::int32_t a = -1;
  std::int32_t b = -1;
  std::int32_t c = -1;
  std::int32_t index = -1;  // symbol or table
  double value = 0.0;       // of a constant, SI
  Dimension dimension;      // of a constant
  bool is_hertz = false;    // of a constant written in Hz
  TextSpan span;
};

// A name in an expression: "crank_length", "time", "front_left.strut.force".
struct Symbol {
  std::string name;
  TextSpan span;  // first use
};

// A formula over named quantities, kept as a tree in flat form. Immutable and cheap to copy. Evaluates without
// allocation, differentiates exactly, and knows where each piece was written.
class Expression {
 public:
  Expression() = default;

  static Expression constant(double value, const Dimension& dimension = {}, bool is_hertz = false);
  // A formula that is this name alone.
  static Expression symbol(std::string name);
  // table(argument)
  static Expression table(std::shared_ptr<const Table> table, const Expression& argument);
  // mod(argument - first, period) + first; the numbers are of the argument's dimension.
  static Expression reduced(const Expression& argument, double first, double period, const Dimension& dimension);

  bool is_empty() const { return data_ == nullptr; }
  // A number without any symbol or operation.
  bool is_literal() const;
  std::span<const ExpressionNode> nodes() const;
  std::span<const Symbol> symbols() const;
  std::span<const std::shared_ptr<const Table>> tables() const;
  // Number of scratch values that evaluate() needs.
  std::size_t scratch_size() const { return nodes().size(); }

  // Same operations on the same names and numbers, wherever they were written and however terms are shared.
  friend bool operator==(const Expression& a, const Expression& b);

  struct Data;
  explicit Expression(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

struct Expression::Data {
  std::vector<ExpressionNode> nodes;
  std::vector<Symbol> symbols;
  std::vector<std::shared_ptr<const Table>> tables;
};

struct ExpressionError {
  Code code{};
  TextSpan span;  // in the text that was parsed or from which the expression came
  std::string message;
  std::string hint;
};

struct ParseResult {
  std::optional<Expression> expression;  // set when there is no error
  std::vector<ExpressionError> errors;
  // parse_quantity() only: a unit was written. "5 deg" and "5" are both pure numbers, but only the second may stand
  // for 5 m in a field that is a length.
  bool has_unit = false;
};

// Bounds on what a person writes; beyond them parse() refuses with GK1216.
struct ParseLimits {
  std::size_t max_bytes = 10'000;
  int max_depth = 100;  // parentheses, calls, signs, exponents inside each other
  std::size_t max_nodes = 10'000;
};

// Parses the text behind the '='. Grammar, weakest first: or; and; not; < <= > >= == !=; + -; * /; unary -; ^ (right
// associative, binds tighter than unary minus); numbers with one unit symbol `5 mm` or a compound in parentheses
// `120 (rad/s)`; names with dots; function calls; pi. The sign before a number belongs to the number, so that -5 degC
// is 268.15 K and that a written constant reads back as a constant; -2^2 is still -(2^2).
ParseResult parse(std::string_view text, const ParseLimits& limits = {});

// A quantity as it stands in a model file without '=': "12 mm", "1500 1/min", "-3.5", "2.1e5 N/m".
ParseResult parse_quantity(std::string_view text);

// Words that mean something in every expression and cannot name a parameter there: pi, and, or, not, sin, if ...
bool is_reserved_word(std::string_view name);
// What to try when a name is not known because it was meant as a unit: `3 m/s` must be `3 (m/s)`. Empty otherwise.
std::string unknown_name_hint(std::string_view name);

// What is known of a symbol's meaning.
struct SymbolMeaning {
  Dimension dimension;
  bool is_hertz = false;
};

struct DimensionResult {
  Dimension dimension;
  bool is_hertz = false;  // the result is still cycles per second
  bool is_zero = false;   // the literal 0 fits every dimension
  std::vector<ExpressionError> errors;
};

// Dimension of the result; one meaning per symbol, in the order of symbols().
DimensionResult infer_dimension(const Expression& expression, std::span<const SymbolMeaning> meanings);

// Power of the radian in the result, which a dimension does not know: 1 for an angle, a difference of angles, a rate of
// turning; 0 for a ratio of two angles. One power per symbol; nothing for parameters and numbers, which take the side
// of what they are added to, and for a result of nothing else. It decides how values are shown, never what they are.
std::optional<int> angle_power(const Expression& expression, std::span<const std::optional<int>> symbols);

// Exact derivative with respect to symbol number `symbol`. Jumps (step, if, sign, floor) have derivative zero
// beside the jump. The result has the same symbol list as the expression; it shares repeated terms between its nodes.
// Empty when the expression contains the slope of a table whose argument depends on the symbol, that is, for second
// derivatives of tables: there is no operation for them.
Expression differentiate(const Expression& expression, std::size_t symbol);

// The expression with symbols replaced by formulas: one for each symbol, null: it stays. A formula that is used several
// times stands there once. The symbols of the result are those that stay, then those of the formulas, one formula after
// the other; `everywhere` is a name that means the same in all of them and is there once. Other names of the formulas
// get the name of what they replace before them, as `motor.voltage/gain`: they mean something in their own place only.
Expression substitute(const Expression& expression, std::span<const Expression* const> formulas,
                      std::string_view everywhere);

// Text that parses to an equal expression. Constants are written in SI with their base units.
// Tables cannot be written inline: they print as `table#k(...)` and are handled by the model writer.
// Derivatives of derivatives can be long without their sharing: beyond kMaxWrittenBytes the text ends in "...".
inline constexpr std::size_t kMaxWrittenBytes = 1u << 20;
std::string to_text(const Expression& expression);

}  // namespace gelenk::expression
