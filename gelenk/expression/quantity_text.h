#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gelenk/base/units.h"

namespace gelenk::expression {

// A number with a unit, as options of the program and arguments of Python take it: "5 ms"; without a unit it is SI.
struct QuantityText {
  std::optional<double> value;  // SI
  std::string problem, hint;  // why it cannot be read at all; empty where it is something else, such as 5 kg for a time
};
QuantityText read_quantity(std::string_view text, Quantity wanted);

}  // namespace gelenk::expression
