#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

namespace gelenk::exporting {

struct JointNames {
  std::string type;           // "revolute"
  std::string first, second;  // paths of the parts, or "ground"
};

// What the channels of a run do not say: which parts a joint connects, and which coordinate a driver drives.
struct MachineNames {
  std::unordered_map<std::string, JointNames> joints;   // by path
  std::unordered_map<std::string, std::string> drives;  // "motor": "main_bearing.angle"; drivers and actuators
  // How many there are, whether they were recorded or not.
  std::size_t part_count = 0, coordinate_count = 0, force_count = 0, output_count = 0;  // forces without actuators
};

// From the resolved model of a run. What cannot be read is left out: a report without it is better than none.
MachineNames machine_names(const std::string& resolved_model);

}  // namespace gelenk::exporting
