#pragma once

#include "gelenk/mechanics/ports.h"
#include "gelenk/solve/component_plan.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Where the components of a machine touch each other. An element belongs to the lowest component that contains all
// bodies it acts on; what it sees of others becomes a port of these, and equal frames one port. The ports are entered
// in the partition, too.
mechanics::Ports find_ports(const system::System& system, const system::Params& params, solve::Partition& partition);

}  // namespace gelenk::analysis
