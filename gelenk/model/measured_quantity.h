#pragma once

#include <string_view>

#include "gelenk/base/units.h"
#include "gelenk/model/machine.h"

namespace gelenk::model {

// What a signal measures, for showing it: the quantity of the channel that it is; otherwise that of its dimension,
// where what turns is distinguished from what does not: a difference of angles is an angle, a ratio of angles is a
// number, and 1/time is not a rate of turning. Quantity::any where the dimension has no name.
Quantity measured_quantity(const Signal& signal);

// What turns, by its unit ("deg", "rad/s", "rpm") or by its rate, which is made of angles. Quantity::any: that does not
// say so.
Quantity turning_of_unit(std::string_view unit);
Quantity turning_of_rate(const Signal& rate);

}  // namespace gelenk::model
