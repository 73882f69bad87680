#pragma once

#include <vector>

#include "gelenk/mechanics/motion.h"

namespace gelenk::mechanics {

// Where the nodes of a machine are (system::Node), as balance_nodes() found them.
struct NodeMotions {
  std::vector<Motion<double>> motions;        // axes are those of their frames
  std::vector<std::vector<double>> inverses;  // of each group: (∂ forces / ∂ unknowns)⁻¹, by row
  std::vector<std::vector<double>> matrices;  // likewise, before it was inverted
  std::vector<char> is_found;                 // of each group
};

}  // namespace gelenk::mechanics
