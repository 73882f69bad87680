#pragma once

#include "gelenk/mechanics/evaluate.h"

// Points without mass, equations.md, section 14. The forces at a node add up to zero along the axes along which it
// moves. What follows from that is its place, or its velocity where forces follow it.
namespace gelenk::mechanics {

// Finds all nodes of the machine; poses and velocities of all bodies and ports are known. Places are sought from those
// in the state. A group without balance is nowhere: not a number.
void balance_nodes(const Context& context, Workspace& workspace);

// Ways of the nodes that do not flow, as they were found: where the next search begins.
void settle_nodes(const Context& context, const Workspace& workspace, system::State& state);

}  // namespace gelenk::mechanics
