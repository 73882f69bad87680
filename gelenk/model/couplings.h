#pragma once

#include "gelenk/model/machine.h"

namespace gelenk::model {

// A joint coordinate where the parts are drawn.
double drawn_coordinate(const Machine& machine, const CoordinateUse& use);

// What the sum of a coupling's terms is: as it says, or as the machine is drawn.
double coupling_constant(const Machine& machine, const CouplingNode& coupling);

}  // namespace gelenk::model
