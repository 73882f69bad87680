#pragma once

#include <string>
#include <vector>

#include "gelenk/model/machine.h"

namespace gelenk::model {

struct ReadableChannel {
  std::string name;  // with its component: "rod.tip.velocity.x"
  Quantity quantity = Quantity::any;
  std::string unit;  // SI; "" for a pure number
};

// All that expressions of the root may read by name, in the order of the machine: parts, frames, ports of
// sub-assemblies, joints, drivers, forces, states.
std::vector<ReadableChannel> readable_channels(const Machine& machine);

}  // namespace gelenk::model
