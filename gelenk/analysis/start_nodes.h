#pragma once

#include "gelenk/base/diagnostics.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Nodes where their forces balance, when all parts are placed and move. False, and reported: the forces do not hold
// one.
bool start_nodes(const system::System& system, const system::Params& params, system::State& state,
                 Diagnostics& diagnostics);

}  // namespace gelenk::analysis
