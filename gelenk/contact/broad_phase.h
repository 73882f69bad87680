#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gelenk/math/pose.h"

namespace gelenk::contact {

// A box along the axes of the world; of a plane it is infinite.
struct Extent {
  Vector3 low, high;
};

// Pairs of boxes that overlap, each once with the smaller number first, sorted. Depends on the boxes alone.
class BroadPhase {
 public:
  void find(std::span<const Extent> boxes, std::vector<std::pair<std::int32_t, std::int32_t>>& pairs);

 private:
  std::vector<std::int32_t> order_;   // by the lower end along x
  std::vector<std::int32_t> active_;  // whose upper end is not passed yet
};

}  // namespace gelenk::contact
