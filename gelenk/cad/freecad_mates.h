#pragma once

#include "gelenk/cad/freecad_tree.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::cad {

// Whether an object is a constraint of the workbench A2plus, or of Assembly2 before it: between an element of one part
// and an element of another, switched on.
bool is_mate(const FreecadObject& object);

// Adds a joint for every two parts that have constraints between them: what all of these together leave free. Where
// that is not a joint, a note says so. `names` are those of the assembly.
void add_mates(const FreecadDocument& document, const FreecadTree& tree, StepContent& content,
               formats::NameRegister& names);

}  // namespace gelenk::cad
