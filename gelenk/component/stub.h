#pragma once

#include <span>
#include <string>

#include "gelenk/component/manifest.h"

namespace gelenk::component {

// The text of a model file that has parameters and ports as the manifest lists them: all that a machine with this
// component may know of it.
std::string stub_of(std::span<const Port> ports, std::span<const Parameter> parameters);

}  // namespace gelenk::component
