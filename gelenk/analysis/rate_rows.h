#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/evaluate.h"

namespace gelenk::analysis {

// Rows of velocities in a stage. The stage demands a velocity of such a row, G v = 0, and its end has both a velocity
// and a position that follow the unknown: δ(G v) = G c x + H k T x, equations.md (9.7).
class RateRows {
 public:
  void clear() { is_rate_.clear(); }
  // share: k/c.
  void find(const mechanics::Context& context, mechanics::Workspace& workspace, std::span<const std::int32_t> accepted,
            double share);

  bool is_empty() const { return is_rate_.empty(); }
  bool has(std::int32_t row) const { return !is_rate_.empty() && is_rate_[at(row)] != 0; }
  // k/c H of a row that it has.
  const RowBlock& by_position(std::int32_t row) const { return by_position_[at(row)]; }
  double share() const { return share_; }
  // By row; empty: none is.
  const std::vector<char>& flags() const { return is_rate_; }

 private:
  std::vector<char> is_rate_;
  std::vector<RowBlock> by_position_;
  double share_ = 0.0;
};

}  // namespace gelenk::analysis
