#pragma once

#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/shapes.h"

// What an instance has beside its parts.
namespace gelenk::model::expanding {

// Shapes and frames of its ground, for Machine::ground_shapes and frames.
void add_ground(Instance& instance, Places& places, Shapes& shapes, Machine& machine);
// Its own frames, for Machine::frames.
void add_frames(Instance& instance, Places& places, Machine& machine);
// Ports are checked even when nothing uses them yet; those of the root are Machine::ports.
void add_ports(Instance& instance, Places& places, Machine& machine, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
