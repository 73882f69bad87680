#pragma once

#include <cstddef>
#include <string>

#include "gelenk/expression/lexer.h"
#include "gelenk/expression/measures.h"
#include "gelenk/expression/operations.h"

namespace gelenk::expression {

// What to say about a token that stands where a value should begin.
ExpressionError value_expected(const Token& token);
// What to say about a token that stands where an operator or the end should be.
ExpressionError operator_expected(const Token& token);

ExpressionError unknown_function(const Token& name);
ExpressionError wrong_argument_count(const Token& name, const Function& function, std::size_t count);

// About functions of frames: what stands in the place of a frame's name, behind the dot; how many frames there are.
ExpressionError frame_expected(const Token& token, const MeasureFunction& measure);
ExpressionError quantity_expected(const Token& token);
ExpressionError wrong_frame_count(const Token& name, const MeasureFunction& measure, std::size_t count);

}  // namespace gelenk::expression
