#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gelenk/system/system.h"

// Where a machine can rest under its loads.
namespace gelenk::analysis {

struct Equilibrium {
  bool is_found = false;
  system::State state;         // at rest there; where the search ended when nothing was found
  bool is_stable = false;      // small motions stay small or fade, neutral ones aside
  int neutral_motions = 0;     // ways in which it rests anywhere
  int steps = 0;               // of the search
  bool left_unstable = false;  // the search began where the machine rests but would not stay, and went on from there
  bool is_driven = false;      // drivers move the machine: nothing rests
  // When nothing was found: a state of System::states that nothing brings to rest; or the body that nothing holds, or
  // that ended farthest away, and in which direction it went, or about which it turns.
  std::int32_t restless_state = -1;
  std::int32_t runaway = -1;
  bool is_turning = false;
  Vector3 direction;
};

// From a closed pose downhill to where all forces are in balance, with drivers and joints held. Steps of Newton's
// method with exact derivatives, within a radius in which they can be trusted, so that the search follows the forces
// and does not end on a hilltop beside it.
Equilibrium find_equilibrium(const system::System& system, const system::Params& params, const system::State& from,
                             double rank_tolerance);

// The pose itself, with all velocities zero: found unless drivers move there.
Equilibrium hold_still(const system::System& system, const system::Params& params, const system::State& from,
                       double rank_tolerance);

}  // namespace gelenk::analysis
