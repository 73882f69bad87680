#pragma once

#include <optional>
#include <string>

#include "gelenk/cad/step_reader.h"

namespace gelenk::cad {

struct FreecadContent {
  StepContent content;                // joints of the file included
  std::optional<std::size_t> ground;  // the child of the root that the file holds to the ground
};

// Reads a FreeCAD file: the assembly that no other one contains, or without an assembly all parts at the top. Children
// of the assembly are rigid, those of a flexible sub-assembly are children of the root. Parts without a density are
// taken for steel. Nothing, with a sentence in `error`, when it cannot be read or has no solid.
std::optional<FreecadContent> read_freecad(const std::string& path, const Progress& progress, std::string& error);

}  // namespace gelenk::cad
