#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/units.h"

namespace gelenk {

// Units in which a model wants its quantities to be shown (`display:`). Values are SI everywhere else.
using Display = std::vector<std::pair<Quantity, std::string>>;

// A unit for people.
struct ShownUnit {
  std::string symbol;
  double factor = 1.0;
  double offset = 0.0;

  double shown(double si) const { return (si - offset) / factor; }
};

// The unit of `display`. Without one SI, but degrees for angles: nobody thinks in rad.
ShownUnit shown_unit(const Display& display, Quantity quantity);
// "25.9 mm", "30 deg", with so many digits.
std::string shown_quantity(const Display& display, double si, Quantity quantity, int digits);

}  // namespace gelenk
