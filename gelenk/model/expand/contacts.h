#pragma once

#include "gelenk/model/expand/elements.h"
#include "gelenk/model/expand/shapes.h"

namespace gelenk::model::expanding {

// Machine::contours, from parts and grounds. Needs the parts.
void add_contours(Instances& instances, Numbers& numbers, Places& places, Shapes& shapes, Machine& machine,
                  Diagnostics& diagnostics);

// Machine::contacts. Needs the contours.
void add_contacts(Instances& instances, Numbers& numbers, Machine& machine, Reports& reports);
// Their channels may be read.
void list_contacts(const Machine& machine, Elements& elements);

}  // namespace gelenk::model::expanding
