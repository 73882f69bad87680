#pragma once

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/places.h"

namespace gelenk::model::expanding {

// Own joints and attachments: their frames on both parts, mirrored where the assembly is, start values and limits.
// Reads Machine::parts; makes Machine::joints, those of its assemblies, and their entries in `elements`.
void add_joints(Instances& instances, Numbers& numbers, Places& places, Machine& machine, Elements& elements,
                Diagnostics& diagnostics);

// Warns of blades that nothing keeps on a plane.
void check_blades(const Machine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
