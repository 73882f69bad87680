#pragma once

#include <cstdint>
#include <vector>

#include "gelenk/model/machine.h"

namespace gelenk::system {

// A fixed joint that makes one body of the parts on its two sides.
struct WeldEdge {
  std::int32_t joint = -1;
  std::vector<std::int32_t> far_parts;  // those that hang on the rest of the body by this joint
  bool far_is_second = true;            // the joint's second part is on the far side
};

// Parts that move as one.
struct WeldGroup {
  std::vector<std::int32_t> parts;  // in machine order; a group without the ground is led by the first
  bool is_ground = false;
};

struct Welds {
  std::vector<WeldGroup> groups;       // every part is in one; the ground's group comes first when it has parts
  std::vector<WeldEdge> edges;         // a spanning tree of every group
  std::vector<std::int32_t> closures;  // fixed joints between parts that are welded already
};

// Which parts are welded: by fixed joints inside one assembly. With `merge` false every part is its own group.
Welds find_welds(const model::Machine& machine, bool merge);

// Pose of each part on the leading part of its group, or in the world for the ground's group; from the joints, not from
// where the parts are drawn.
std::vector<Pose> poses_in_groups(const model::Machine& machine, const Welds& welds);

}  // namespace gelenk::system
