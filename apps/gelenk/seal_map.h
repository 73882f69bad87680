#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/component/manifest.h"

// The maker's own list of what is inside a sealed component: messages of the component name elements by number.
namespace gelenk::app {

// Elements by "joint#3" and their path (analysis/inside_names.h).
std::string map_text(const component::Manifest& manifest,
                     const std::vector<std::pair<std::string, std::string>>& elements);
// Only the user can read it, also when a file of this name was open to others. Returns what went wrong, or nothing.
std::string write_map(const std::string& path, const std::string& text);

}  // namespace gelenk::app
