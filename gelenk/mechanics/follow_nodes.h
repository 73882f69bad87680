#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/mechanics/nodes.h"
#include "gelenk/system/system.h"

// How nodes follow what a View has seeded.
namespace gelenk::mechanics {

// Room for formulas; grows once.
template <class T>
struct Scratch {
  std::vector<T> values;
  std::size_t used = 0;
  // Of nodes with their derivatives, and whether those of a group are known.
  std::vector<Motion<T>> nodes;
  std::vector<T> balances;
  std::vector<char> is_node_known;
};

// The way of a node that flows is a state: the derivative of its place by the number at this place of State::extra.
template <class T>
void move_along_state(const system::Node& node, std::int32_t place, Motion<T>& motion) {
  for (std::size_t k = 0; k < 3 && node.flows && place >= 0; ++k) {
    if (node.places[k] != place) continue;
    for (int i = 0; i < 3; ++i) motion.p(i).partials[0] += value_of(motion.R(i, static_cast<int>(k)));
  }
}

// Derivatives of the nodes of a group, so that their forces stay in balance: equations.md (14.2). `held`: of a node
// that does not follow; `force`: of a force while all of them are held.
template <class T, class Held, class Force>
void follow_nodes(const system::System& system, const NodeMotions& nodes, std::size_t number, Held&& held,
                  Force&& force, Scratch<T>& scratch) {
  const system::NodeGroup& group = system.node_groups[number];
  const std::vector<double>& inverse = nodes.inverses[number];
  for (const std::int32_t n : group.nodes) scratch.nodes[static_cast<std::size_t>(n)] = held(n);
  std::vector<T>& balance = scratch.balances;
  balance.assign(group.unknowns.size(), T(0.0));
  const auto axis = [&](const system::NodeGroup::Unknown& one) -> Vector3 {
    return nodes.motions[static_cast<std::size_t>(one.node)].R.col(one.axis);
  };
  const auto add = [&](std::int32_t frame, const Vec3<T>& value) {
    if (frame < 0) return;
    const std::int32_t node = system::node_of_body(system.frames[static_cast<std::size_t>(frame)].body);
    for (std::size_t u = 0; u < group.unknowns.size(); ++u) {
      if (group.unknowns[u].node != node) continue;
      const Vector3 n = axis(group.unknowns[u]);
      balance[u] += value.x() * n.x() + value.y() * n.y() + value.z() * n.z();
    }
  };
  for (const std::int32_t f : group.forces) {
    const ForceResult<T> result = force(f);
    add(result.frame_a, result.on_a.force);
    add(result.frame_b, result.on_b.force);
  }
  for (std::size_t u = 0; u < group.unknowns.size(); ++u) {
    const auto n = static_cast<std::size_t>(group.unknowns[u].node);
    T change(0.0);
    for (std::size_t i = 0; i < balance.size(); ++i) change -= balance[i] * inverse[balance.size() * u + i];
    Vec3<T>& moved = system.nodes[n].flows ? scratch.nodes[n].v : scratch.nodes[n].p;
    const Vector3 direction = axis(group.unknowns[u]);
    for (int i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < change.partials.size(); ++k) {
        moved(i).partials[k] += direction(i) * change.partials[k];
      }
    }
  }
}

}  // namespace gelenk::mechanics
