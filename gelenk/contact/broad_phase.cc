#include "gelenk/contact/broad_phase.h"

#include <algorithm>
#include <numeric>

#include "gelenk/base/index.h"

namespace gelenk::contact {

void BroadPhase::find(std::span<const Extent> boxes, std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
  pairs.clear();
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  const auto low = [&](std::int32_t i) { return boxes[at(i)].low.x(); };
  std::sort(order_.begin(), order_.end(),
            [&](std::int32_t i, std::int32_t j) { return low(i) != low(j) ? low(i) < low(j) : i < j; });
  active_.clear();
  for (const std::int32_t i : order_) {
    const Extent& here = boxes[at(i)];
    std::erase_if(active_, [&](std::int32_t j) { return boxes[at(j)].high.x() < here.low.x(); });
    for (const std::int32_t j : active_) {
      const Extent& other = boxes[at(j)];
      const bool overlaps = here.low.y() <= other.high.y() && other.low.y() <= here.high.y() &&
                            here.low.z() <= other.high.z() && other.low.z() <= here.high.z();
      if (overlaps) pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    active_.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace gelenk::contact
