#pragma once

#include "gelenk/model/expand/numbers.h"

namespace gelenk::model::expanding {

// What concerns the machine as a whole: gravity and `up`, display units, settings of the simulation.
void read_world(Instance& root, Numbers& numbers, Machine& machine);

}  // namespace gelenk::model::expanding
