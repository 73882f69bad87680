#pragma once

#include "gelenk/model/expand/places.h"

namespace gelenk::model::expanding {

// Coordinates as written, through all mirrors, to the world: X_WA and mirrors of Machine::assemblies and of sealed
// components. `standing`: of the root.
void place_assemblies(Instances& instances, const Standing& standing, Places& places, Machine& machine);

}  // namespace gelenk::model::expanding
