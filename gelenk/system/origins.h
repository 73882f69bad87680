#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/system/system.h"

// Far from the world's origin a position has few digits left for the gaps of joints: at 1e10 m it is known to a
// micrometer. So positions of bodies that are connected with each other are kept relative to an origin of their own,
// which is far away where they are. Near the world's origin there is none, and nothing changes.
namespace gelenk::system {

// The group of each body: bodies that joints or forces connect, 0: with the ground. Empty where others see positions:
// with sealed components, mounts, and code.
std::vector<std::int32_t> connected_groups(const System& system);

// Origin for a group whose first body is here: zero when that is not far. Differences from it are exact.
Vector3 origin_for(const Vector3& position, double length);

// Groups that have moved far from their origin get another one; the ground and what is connected with it stay. The
// places of the bodies remain the same to the last bit.
void move_origins(const System& system, const Params& params, State& state);

inline Vector3 origin_of(const State& state, std::size_t body) {
  return state.origin.empty() ? Vector3(Vector3::Zero()) : state.origin[body];
}
// In the world.
inline Vector3 place_of(const State& state, std::size_t body) {
  return state.origin.empty() ? state.position[body] : Vector3(state.origin[body] + state.position[body]);
}

}  // namespace gelenk::system
