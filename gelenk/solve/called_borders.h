#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/component_plan.h"

namespace gelenk::solve {

// What the owner sees of a component that it calls: its bodies with joints of owners. The component is on a body of the
// owner, its seat, when all ways from it to the root of the owner lead through that one, and joints connect it with
// that: these are closed inside, and all is shown relative to the seat. Else one of its bodies is the anchor, unless
// joints connect the component with the ground. The others are live when loops of the owner pass through them. What of
// the owner only hangs on one of them is loaded on it before the component is called. components.md, (9) to (13)
struct CalledBorder {
  std::vector<std::int32_t> bodies;      // of the machine, in order
  std::vector<char> is_live, is_loaded;  // each of them; the anchor is neither
  std::int32_t anchor = kNone;           // of the machine
  bool is_seated = false;                // the anchor is a body of an owner, or of another component of the same owner
  bool is_tied = false;                  // to the ground, by joints inside
  std::vector<std::int32_t> roots;       // bodies of the machine from which groups without ground start inside
};

// Of all components, from the outermost one inwards: what the graph of an owner says of the components inside it, these
// need for their own. Only the graph counts. children, joints: of each component; joints to seats move inside.
std::vector<CalledBorder> called_borders(const Plan& plan, std::span<const std::vector<std::int32_t>> children,
                                         std::span<std::vector<std::int32_t>> joints);

}  // namespace gelenk::solve
