#pragma once

#include <string>
#include <vector>

#include "gelenk/formats/imported.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {

// A fixed joint between two children of the root, as drawn.
formats::ImportedJoint hold_as_drawn(const formats::ImportedModel& model,
                                     const std::vector<formats::ImportedLeaf>& leaves, std::size_t to,
                                     std::size_t child, const std::string& reason, formats::NameRegister& names);

// Children of the root that no chain of joints leads to from one of them would fall when the machine moves: each group
// of them is fixed to the nearest part that is held, as drawn. Returns the names of those that are fixed; a note names
// groups of several.
std::vector<std::string> hold_loose_groups(formats::ImportedModel& model, std::size_t ground);

}  // namespace gelenk::cad
