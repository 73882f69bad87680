#pragma once

#include <span>

#include "gelenk/mechanics/evaluate.h"

// Tracked angles of joints, straight from the motion of the bodies.
namespace gelenk::mechanics {

// Rates of the tracked angles, at their places among the extra states.
void angle_rates(const Context& context, const Workspace& workspace, std::span<double> rates);
// Sets tracked angles to the full turns nearest to what they were. Unlike the function without parameters it needs no
// frames in the workspace.
void settle_angles(const system::Params& params, const Workspace& workspace, system::State& state);

}  // namespace gelenk::mechanics
