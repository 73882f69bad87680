#pragma once

#include <string>

#include "gelenk/base/dimension.h"

namespace gelenk {

// The SI unit as people write it: "N*m", "V", "kg*m^3"; "1" for a pure number. parse_unit() reads it back.
std::string si_unit(const Dimension& dimension);

}  // namespace gelenk
