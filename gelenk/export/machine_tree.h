#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gelenk/model/machine.h"

// A machine as a tree of links, as formats without loops need it.
namespace gelenk::exporting {

// A part and what holds it. Owners come first.
struct TreeLink {
  std::size_t part = 0;
  std::optional<std::size_t> parent;  // part; none: the ground, or nothing when the tree has no ground
  std::optional<std::size_t> joint;   // none: it moves freely
  bool is_first = false;              // the part is on the first side of the joint
};

struct MachineTree {
  bool has_ground = false;        // the root is the ground; else it is the first part
  std::vector<TreeLink> links;    // every part once
  std::vector<std::size_t> cuts;  // joints that would close loops
  std::vector<std::size_t> left;  // joints that no tree can have: distances, and what leads into sealed components
};

// Joints that such formats can describe (fixed, revolute, prismatic, planar) are kept before others, and those that let
// fewer motions free before those with more; among equals the order of the machine decides. What no joint holds on the
// ground moves freely, by its heaviest part; a machine that nothing holds there has that part as its root.
MachineTree machine_tree(const model::Machine& machine);

}  // namespace gelenk::exporting
