#pragma once

#include <span>
#include <vector>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {

// What couples coordinates of joints -> Machine::couplings: gears and the like, and joints that couple their own, as a
// screw does. Reads Machine::joints. Returns those with a formula, which may read what is not listed yet.
std::vector<Pending> add_couplings(Instances& instances, Numbers& numbers, Machine& machine, Elements& elements,
                                   Reports& reports);
// Their formulas, the coordinates in them and the slopes where the machine is drawn.
void bind_coupling_laws(std::span<const Pending> laws, Signals& signals, Machine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
