#pragma once

#include <vector>

#include "gelenk/system/system.h"

namespace gelenk::analysis {

// For each joint whether its two sides hang together without it. Time grows with the number of joints.
std::vector<bool> joints_in_loops(const system::System& system);

}  // namespace gelenk::analysis
