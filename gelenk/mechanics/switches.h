#pragma once

#include <span>

#include "gelenk/mechanics/evaluate.h"

// Sides of the switches in laws and forces (`if`, `step`, `abs`, ...): held during a step, changed at events.
namespace gelenk::mechanics {

// The first time after `time` at which any law jumps or kinks by itself; infinity: never.
double next_discontinuity(const system::System& system, const system::Params& params, double time);

// Sides of the switches that depend on time alone, for the time span that begins at state.time.
void set_time_sides(const system::System& system, const system::Params& params, system::State& state);
// All sides, as the state says. Needs positions and velocities in the workspace.
void set_all_sides(const system::System& system, const system::Params& params, Workspace& workspace,
                   system::State& state);

// How far each of System::state_switches is from leaving its side; negative: it has.
void switch_slacks(const Context& context, Workspace& workspace, std::span<double> slacks);
// Takes one of System::state_switches to its other side.
void flip_switch(const system::System& system, const system::Params& params, Workspace& workspace, std::size_t which,
                 system::State& state);

}  // namespace gelenk::mechanics
