#pragma once

#include "gelenk/system/system.h"

namespace gelenk::system {

void add_nodes(const model::Machine& machine, System& system);
// Their ways, when all states have their places.
void place_nodes(const model::Machine& machine, System& system);

// Where a node is that does not flow follows from where the parts are; how fast it moves nobody needs to know before
// the forces.
bool is_velocity_of_still_node(const model::Machine& machine, const model::ChannelUse& use);

// Makes System::node_groups: nodes that forces connect, or whose places forces at other nodes read.
void group_nodes(System& system);

// The groups that a force acts on, and those whose nodes a signal reads, through the channels of forces as well. Each
// may come several times.
void groups_at(const System& system, const Force& force, std::vector<std::int32_t>& groups);
void groups_read(const System& system, const Signal& signal, std::vector<std::int32_t>& groups);

}  // namespace gelenk::system
