#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/held_coordinates.h"
#include "gelenk/system/system.h"

// How far coordinates can be led through a machine, by its joints alone: no masses, forces or times matter. That is
// what a driver can reach, and where the machine locks up.
namespace gelenk::analysis {

// A part that carries a load from one joint to another, along the line between them.
struct LoadedPart {
  std::int32_t part = -1;
  std::int32_t joint_a = -1, joint_b = -1;
  bool is_stretched = true;  // false: compressed
};

struct DrivenWay {
  double done = 1.0;    // share of the way that is possible
  system::State state;  // at its end
  // Where the way ends early: whose joints hold the led coordinates there.
  std::size_t led = 0;               // the coordinate that works hardest against them
  std::int32_t coordinate = -1;      // System::coordinates: the same
  double reached = 0.0;              // its value, m or rad
  std::vector<std::int32_t> joints;  // with the largest loads first; few
  std::optional<LoadedPart> part;    // the one that locks, when it is a single one

  bool is_complete() const { return done >= 1.0; }
};

// Leads the coordinates from where they are in a closed state to their values, all at the same pace, in small
// increments. What else is free moves as little as it can, in the mass metric.
DrivenWay follow_way(const system::System& system, const system::Params& params, const system::State& from,
                     std::vector<HeldCoordinate> led);

// Where drivers would take the machine next, from a state of a run: enough of the way to see whether it locks up.
// Empty when nothing is driven or the drivers rest.
std::vector<HeldCoordinate> next_drives(const system::System& system, const system::Params& params,
                                        const system::State& state, double ahead);

// "cannot turn 'crank_bearing' past 44.42 deg"
std::string limit_text(const system::System& system, const DrivenWay& way);
// "'rod' is stretched between 'pin' and 'wrist' (dead center)"
std::string lock_text(const system::System& system, const DrivenWay& way);

}  // namespace gelenk::analysis
