#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"

namespace gelenk::solve {

// What the owner sees of a component that it calls: its bodies with joints of owners. One of them is the anchor, unless
// joints connect the component with the ground. The others are live when loops of the owner pass through them. What of
// the owner only hangs on one of them is loaded on it before the component is called.
struct CalledBorder {
  std::vector<std::int32_t> bodies;      // of the machine, in order
  std::vector<char> is_live, is_loaded;  // each of them; the anchor is neither
  std::int32_t anchor = kNone;           // of the machine
  bool is_tied = false;                  // to the ground, by joints inside
};

// Of all components, from the outermost one inwards: what the graph of an owner says of the components inside it, these
// need for their own. Only the graph counts. children, joints: of each component.
std::vector<CalledBorder> called_borders(const Plan& plan, std::span<const std::vector<std::int32_t>> children,
                                         std::span<const std::vector<std::int32_t>> joints);

}  // namespace gelenk::solve
