#pragma once

#include <cstddef>

#include "gelenk/base/diagnostics.h"

namespace gelenk::system {

struct System;

// Forces that read each other's channels must come to an end: a circle is an error that names its members. Returns how
// many formulas may be open at once, each read by the one before.
std::size_t check_force_order(const System& system, Diagnostics& diagnostics);

}  // namespace gelenk::system
