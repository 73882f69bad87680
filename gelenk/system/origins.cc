#include "gelenk/system/origins.h"

#include <cmath>

#include "gelenk/base/disjoint_sets.h"

namespace gelenk::system {
namespace {

// Lengths of the machine that an origin is a multiple of, which is a power of two, as the length is; and how many of
// these a group may be away from the origin of the world, and from one of its own.
constexpr double kGrid = 16.0;
constexpr double kFar = 1024.0, kAway = 4.0;

bool is_beyond(const Vector3& position, double grids, double length) {
  return position.cwiseAbs().maxCoeff() > grids * kGrid * length;
}

Vector3 on_grid(const Vector3& position, double length) {
  const double grid = kGrid * length;
  return {grid * std::round(position.x() / grid), grid * std::round(position.y() / grid),
          grid * std::round(position.z() / grid)};
}

}  // namespace

std::vector<std::int32_t> connected_groups(const System& system) {
  if (!system.sealed.empty() || !system.mounts.empty() || !system.codes.empty()) return {};
  // The ground comes first.
  DisjointSets nodes(system.bodies.size() + 1);
  const auto node_of = [&](std::int32_t frame) {
    const std::int32_t body = system.frames[static_cast<std::size_t>(frame)].body;
    return body < 0 ? std::size_t{0} : static_cast<std::size_t>(body) + 1;
  };
  const auto connect = [&](std::int32_t a, std::int32_t b) {
    if (a >= 0 && b >= 0) nodes.join(node_of(a), node_of(b));
  };
  for (const Joint& joint : system.joints) connect(joint.frame_a, joint.frame_b);
  for (const Force& force : system.forces) connect(force.frame_a, force.frame_b);
  std::vector<std::int32_t> groups(system.bodies.size());
  for (std::size_t b = 0; b < groups.size(); ++b) groups[b] = static_cast<std::int32_t>(nodes.leader(b + 1));
  return groups;
}

Vector3 origin_for(const Vector3& position, double length) {
  return is_beyond(position, kFar, length) ? on_grid(position, length) : Vector3(Vector3::Zero());
}

// A group has the number of its first body, counted from one.
void move_origins(const System& system, const Params& params, State& state) {
  for (std::size_t b = 0; b < system.groups.size(); ++b) {
    const auto group = static_cast<std::size_t>(system.groups[b]);
    const double most = origin_of(state, b).isZero(0.0) ? kFar : kAway;
    if (group != b + 1 || !is_beyond(state.position[b], most, params.length)) continue;
    const Vector3 shift = on_grid(state.position[b], params.length);
    state.origin.resize(state.position.size(), Vector3::Zero());
    for (std::size_t other = b; other < system.groups.size(); ++other) {
      if (static_cast<std::size_t>(system.groups[other]) != group) continue;
      state.position[other] -= shift;
      state.origin[other] += shift;
    }
  }
}

}  // namespace gelenk::system
