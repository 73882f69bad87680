#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gelenk/analysis/rank_change.h"
#include "gelenk/base/bytes.h"

namespace gelenk::analysis {

// What the equations of a machine did in a run.
struct MachineStatistics {
  static constexpr std::size_t kMostKeptRankChanges = 100;

  std::int64_t factorizations = 0;
  std::int64_t pivot_changes = 0;
  std::int64_t rank_changes = 0;
  double largest_drift = 0.0;     // position residual before projection
  double largest_residual = 0.0;  // after it
  double largest_rate_residual = 0.0;
  double largest_dropped = 0.0;          // of rows that are not enforced
  double largest_slip = 0.0;             // rate of rows of velocities before projection; not of sealed components
  std::int64_t rank_change_count = 0;    // between steps; rank_changes also counts those of stages
  std::vector<RankChange> rank_history;  // the first kMostKeptRankChanges, those of single joints among them

  void save(ByteWriter& out) const;
  void load(ByteReader& in, std::size_t element_count);
};

}  // namespace gelenk::analysis
