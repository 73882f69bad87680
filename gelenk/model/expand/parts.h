#pragma once

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/shapes.h"

namespace gelenk::model::expanding {

// Machine::parts with their names alone, their entries in `elements`, and the ids of the instances.
void list_parts(Instances& instances, Machine& machine, Elements& elements);

// Places, shapes, masses and start velocities of the parts of an instance, and their frames for Machine::frames.
void fill_parts(Instance& instance, Numbers& numbers, Places& places, Shapes& shapes, Machine& machine,
                Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
