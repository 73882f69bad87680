#pragma once

#include <cstddef>
#include <string>

#include "gelenk/expression/lexer.h"
#include "gelenk/expression/operations.h"

namespace gelenk::expression {

// What to say about a token that stands where a value should begin.
ExpressionError value_expected(const Token& token);
// What to say about a token that stands where an operator or the end should be.
ExpressionError operator_expected(const Token& token);

ExpressionError unknown_function(const Token& name);
ExpressionError wrong_argument_count(const Token& name, const Function& function, std::size_t count);

}  // namespace gelenk::expression
