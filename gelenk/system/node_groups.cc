#include "gelenk/system/node_groups.h"

#include <algorithm>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/base/index.h"

namespace gelenk::system {
namespace {

void add_node_at(const System& system, std::int32_t frame, std::vector<std::int32_t>& nodes) {
  if (frame >= 0 && is_node(system.frames[at(frame)].body)) {
    nodes.push_back(node_of_body(system.frames[at(frame)].body));
  }
}

void nodes_read(const System& system, const Signal& signal, std::vector<std::int32_t>& nodes) {
  for (const Symbol& symbol : signal.symbols) {
    if (symbol.kind != Symbol::Kind::channel) continue;
    const ChannelRef& read = symbol.channel;
    switch (read.kind) {
      case ChannelRef::Kind::frame_position:
      case ChannelRef::Kind::frame_orientation:
      case ChannelRef::Kind::frame_velocity:
      case ChannelRef::Kind::frame_angular_velocity:
      case ChannelRef::Kind::frame_angle:
      case ChannelRef::Kind::frame_distance_rate:
        for (const std::int32_t number : {read.element, read.relative_to}) {
          if (number >= 0) add_node_at(system, system.read_frames[at(number)], nodes);
        }
        break;
      case ChannelRef::Kind::node_rate:
        nodes.push_back(read.element);
        break;
      case ChannelRef::Kind::force_channel:
      case ChannelRef::Kind::force_power:
      case ChannelRef::Kind::force_energy:
        for (std::int32_t k = 0; k < (read.kind == ChannelRef::Kind::force_power ? read.coordinate : 1); ++k) {
          const Force& other = system.forces[at(read.element + k)];
          add_node_at(system, other.frame_a, nodes);
          add_node_at(system, other.frame_b, nodes);
          if (other.value >= 0) nodes_read(system, system.signals[at(other.value)], nodes);
        }
        break;
      default:
        break;
    }
  }
}

void add_states(const System& system, const Signal& signal, std::vector<std::int32_t>& states) {
  for (const Symbol& symbol : signal.symbols) {
    if (symbol.kind != Symbol::Kind::channel) continue;
    if (symbol.channel.kind == ChannelRef::Kind::state) states.push_back(symbol.channel.element);
    if (!is_of_force(symbol.channel.kind)) continue;
    const std::int32_t value = system.forces[at(symbol.channel.element)].value;
    if (value >= 0) add_states(system, system.signals[at(value)], states);
  }
}

// Its own ways, and what its forces read.
void find_states(const System& system, NodeGroup& group) {
  for (std::size_t s = 0; s < system.states.size(); ++s) {
    for (const std::int32_t n : group.nodes) {
      const Node& node = system.nodes[at(n)];
      const bool is_own =
          std::find(node.places.begin(), node.places.end(), system.states[s].place) != node.places.end();
      if (node.flows && is_own) group.states.push_back(static_cast<std::int32_t>(s));
    }
  }
  for (const std::int32_t f : group.forces) {
    const std::int32_t value = system.forces[at(f)].value;
    if (value >= 0) add_states(system, system.signals[at(value)], group.states);
  }
  std::sort(group.states.begin(), group.states.end());
  group.states.erase(std::unique(group.states.begin(), group.states.end()), group.states.end());
}

}  // namespace

void add_nodes(const model::Machine& machine, System& system) {
  for (std::size_t n = 0; n < machine.nodes.size(); ++n) {
    Node& node = system.nodes.emplace_back();
    node.path = machine.nodes[n].path;
    node.where = machine.nodes[n].where;
    node.flows = machine.nodes[n].flows;
    node.frame = static_cast<std::int32_t>(system.frames.size());
    system.frames.push_back({node_of_body(static_cast<std::int32_t>(n)), kGround, {}});
  }
}

void place_nodes(const model::Machine& machine, System& system) {
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t state = machine.nodes[n].states[k];
      if (state >= 0) system.nodes[n].places[k] = system.states[at(state)].place;
    }
  }
}

bool is_velocity_of_still_node(const model::Machine& machine, const model::ChannelUse& use) {
  if (use.element != model::ChannelUse::Element::frame) return false;
  if (use.quantity != "velocity" && use.quantity != model::kDistanceRate) return false;
  const auto is_still = [&](std::int32_t read) {
    const std::int32_t node = read < 0 ? -1 : machine.read_frames[at(read)].frame.node;
    return node >= 0 && !machine.nodes[at(node)].flows;
  };
  return is_still(use.index) || is_still(use.relative_to);
}

void group_nodes(System& system) {
  if (system.nodes.empty()) return;
  system.formula_depth *= 2;  // what reads a node, and the forces that say where it is
  DisjointSets sets(system.nodes.size());
  std::vector<std::vector<std::int32_t>> nodes_of_force(system.forces.size());
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    const Force& force = system.forces[f];
    std::vector<std::int32_t>& nodes = nodes_of_force[f];
    add_node_at(system, force.frame_a, nodes);
    add_node_at(system, force.frame_b, nodes);
    if (nodes.empty()) continue;
    std::vector<std::int32_t> connected = nodes;
    if (force.value >= 0) nodes_read(system, system.signals[at(force.value)], connected);
    for (const std::int32_t other : connected) sets.join(at(nodes.front()), at(other));
  }
  const std::vector<std::size_t> numbers = sets.numbers();
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    if (numbers[n] >= system.node_groups.size()) system.node_groups.resize(numbers[n] + 1);
    Node& node = system.nodes[n];
    node.group = static_cast<std::int32_t>(numbers[n]);
    NodeGroup& group = system.node_groups[numbers[n]];
    group.nodes.push_back(static_cast<std::int32_t>(n));
    for (int k = 0; k < 3; ++k) {
      if (node.places[static_cast<std::size_t>(k)] >= 0) group.unknowns.push_back({static_cast<std::int32_t>(n), k});
    }
  }
  for (std::size_t f = 0; f < system.forces.size(); ++f) {
    if (nodes_of_force[f].empty()) continue;
    system.node_groups[numbers[at(nodes_of_force[f].front())]].forces.push_back(static_cast<std::int32_t>(f));
  }
  for (NodeGroup& group : system.node_groups) find_states(system, group);
}

void groups_at(const System& system, const Force& force, std::vector<std::int32_t>& groups) {
  std::vector<std::int32_t> nodes;
  add_node_at(system, force.frame_a, nodes);
  add_node_at(system, force.frame_b, nodes);
  for (const std::int32_t node : nodes) groups.push_back(system.nodes[at(node)].group);
}

void groups_read(const System& system, const Signal& signal, std::vector<std::int32_t>& groups) {
  std::vector<std::int32_t> nodes;
  nodes_read(system, signal, nodes);
  for (const std::int32_t node : nodes) groups.push_back(system.nodes[at(node)].group);
}

}  // namespace gelenk::system
