#pragma once

#include <span>
#include <vector>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {

// Machine::forces with their names and the coordinates they act on, and their entries in `elements`. Reads
// Machine::joints. Returns what is to be bound.
std::vector<Pending> list_forces(Instances& instances, Machine& machine, Elements& elements, Reports& reports);

// Their numbers, frames and laws.
void bind_forces(std::span<const Pending> forces, Numbers& numbers, Places& places, Signals& signals, Machine& machine,
                 Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
