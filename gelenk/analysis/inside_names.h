#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/model/machine.h"

// What the owner of a sealed component reads in the place of names that are inside: "joint#3".
namespace gelenk::analysis {

// What is shown, and the path that it stands for. Elements are counted by their kind from 0, in the order of the
// machine, which must be expanded with the parameters as written: other values may add or take away elements.
std::vector<std::pair<std::string, std::string>> inside_names(const model::Machine& machine);

// The first error, without names and numbers of the inside: "joint#3: joints cannot be closed (GK1704)". An element
// that the map does not have is called by its kind.
std::string public_error(const Diagnostics& diagnostics, const std::vector<std::pair<std::string, std::string>>& names);

}  // namespace gelenk::analysis
