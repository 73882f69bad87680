#pragma once

#include <cstdint>
#include <span>

#include "gelenk/expression/expression.h"

namespace gelenk::expression {

// All numbers from low to high; either may be infinite.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  double width() const { return high - low; }
  // The largest absolute value.
  double size() const;
  bool contains(double x) const { return low <= x && x <= high; }
};

// Bounds of a node of the expression while each symbol takes any value of its interval, from those of the nodes before
// it: certain, but wider than what is reached where a symbol stands in several places. They get narrow as the intervals
// do. Where an operation is not defined, the bounds are infinite. Allocates nothing.
Interval bound_node(const Expression& expression, const ExpressionNode& node, std::span<const Interval> symbols,
                    std::span<const Interval> before);
// Of one piece of a table, also where the argument has left it.
Interval bound_piece(const Table& table, std::int32_t piece, const Interval& argument, bool is_slope);

}  // namespace gelenk::expression
