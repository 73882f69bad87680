#pragma once

#include "gelenk/base/diagnostics.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Velocities that meet all joints and drivers, the start rates of joint coordinates and the start velocities of parts.
// Joints that nobody speaks of stand still where that is possible; what is then left open is as near to rest as can be
// in the mass metric. Also sets the sides of all switches, and the rates
// that acceleration drivers start from. False, with the reason in the diagnostics, when the start values contradict.
bool start_velocities(const system::System& system, const system::Params& params, const model::Machine& machine,
                      double rank_tolerance, system::State& state, Diagnostics& diagnostics);

}  // namespace gelenk::analysis
