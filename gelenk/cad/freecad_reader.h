#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gelenk/cad/step_reader.h"

namespace gelenk::cad {

// The reason of joints that hold parts to the ground beside the first one.
inline constexpr std::string_view kBothOnGround = "both are fixed to the ground";

struct FreecadContent {
  StepContent content;                // joints of the file included
  std::optional<std::size_t> ground;  // the child of the root that the file holds to the ground
};

// Reads a FreeCAD file: the assembly that no other one contains, or without an assembly all parts at the top. Children
// of the assembly are rigid, those of a flexible sub-assembly are children of the root. Parts without a density are
// taken for steel. Links may lead to other files in `links_folder` (empty: that of the file). Nothing, with a sentence
// in `error`, when it cannot be read or has no solid.
std::optional<FreecadContent> read_freecad(const std::string& path, const std::string& links_folder,
                                           const Progress& progress, std::string& error);

}  // namespace gelenk::cad
