#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "gelenk/expression/expression.h"

namespace gelenk::expression {

// A function as it is called in an expression.
struct Function {
  std::string_view name;
  Op op;
  std::size_t min_arguments;
  std::size_t
      max_arguments;  // more than two: the operation is repeated from the left, min(a, b, c) = min(min(a, b), c)
};

inline constexpr std::size_t kAnyCount = static_cast<std::size_t>(-1);

std::span<const Function> functions();
const Function* find_function(std::string_view name);
// The function of an operation; null for operators.
const Function* function_of(Op op);

// How tightly an operation binds, as in the grammar of parse().
enum class Binding { logical_or, logical_and, logical_not, comparison, sum, product, sign, power, primary };

struct Operator {
  std::string_view text;
  Binding binding;
};

// The two-operand operators and their texts; nothing for the rest.
std::optional<Operator> binary_operator(Op op);

// Number of operands a, b, c that an operation has.
int operand_count(Op op);

}  // namespace gelenk::expression
