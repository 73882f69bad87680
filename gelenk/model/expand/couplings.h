#pragma once

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/reports.h"

namespace gelenk::model::expanding {

// What couples coordinates of joints -> Machine::couplings: gears and the like, and joints that couple their own, as a
// screw does. Reads Machine::joints.
void add_couplings(Instances& instances, Numbers& numbers, Machine& machine, Elements& elements, Reports& reports);

}  // namespace gelenk::model::expanding
