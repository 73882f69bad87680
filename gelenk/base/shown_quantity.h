#pragma once

#include <string>

#include "gelenk/base/units.h"
#include "gelenk/model/machine.h"

namespace gelenk::model {

// A unit for people: value in it = SI value / factor.
struct ShownUnit {
  double factor = 1.0;
  std::string symbol;
};

// The unit that the model wants to be shown (`display:`). Without one SI, but degrees for angles: nobody thinks in rad.
ShownUnit shown_unit(const Machine& machine, Quantity quantity);
// "25.9 mm", "30 deg", with so many digits.
std::string shown_quantity(const Machine& machine, double si, Quantity quantity, int digits);

}  // namespace gelenk::model
