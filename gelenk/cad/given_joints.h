#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/math/pose.h"

namespace gelenk::cad {

// A joint that the user says: which two, which type, and, where surfaces do not show it, where.
struct GivenJoint {
  std::string name, type;
  std::array<std::string, 2> between;  // parts or sub-assemblies
  std::optional<Vector3> at;           // in the drawing, m
  std::optional<Vector3> axis;         // in the drawing, of length 1
  std::string where;                   // "joints.yaml:3:5"
};

// Reads a file such as
//   joints:
//     crank_rod: {type: revolute, between: [crank, rod]}
//     frame_ram: {type: prismatic, between: [frame, ram], at: [0, 0, 120 mm], axis: z}
// Nothing when it is anything else, with all mistakes in `error`, one a line, each with file and line.
std::optional<std::vector<GivenJoint>> read_given_joints(const std::string& path, std::string& error);

// Adds a line, unless there are more than anybody reads.
void add_mistake(const std::string& mistake, std::string& error);

}  // namespace gelenk::cad
