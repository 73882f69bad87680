#pragma once

#include <span>
#include <vector>

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/reports.h"
#include "gelenk/model/expand/signals.h"

namespace gelenk::model::expanding {

// Machine::drivers with their names alone, and their entries in `elements`. Returns what is to be bound.
std::vector<Pending> list_drivers(Instances& instances, Machine& machine, Elements& elements);

// Which coordinates they drive, and how.
void bind_drivers(std::span<const Pending> drivers, Signals& signals, const Elements& elements, Machine& machine,
                  Reports& reports);

}  // namespace gelenk::model::expanding
