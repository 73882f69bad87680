#pragma once

#include "gelenk/model/expand/places.h"

namespace gelenk::model::expanding {

// Frames of assemblies with `moves`. Makes Machine::nodes and Instance::nodes; reads where the instances are.
void list_nodes(Instances& instances, Places& places, Machine& machine, Diagnostics& diagnostics);

// Whether each node flows, and its states. Reads Machine::forces, which are bound; adds to Machine::states.
void bind_nodes(Machine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
