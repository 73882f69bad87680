#include "gelenk/analysis/machine/statistics.h"

namespace gelenk::analysis {

void MachineStatistics::save(ByteWriter& out) const {
  for (const std::int64_t count : {factorizations, pivot_changes, rank_changes, rank_change_count}) out.put(count);
  for (const double size : {largest_drift, largest_residual, largest_rate_residual, largest_dropped}) out.put(size);
  out.put(static_cast<std::uint64_t>(rank_history.size()));
  for (const RankChange& change : rank_history) change.save(out);
}

void MachineStatistics::load(ByteReader& in, std::size_t element_count) {
  for (std::int64_t* count : {&factorizations, &pivot_changes, &rank_changes, &rank_change_count}) in.get(*count);
  for (double* size : {&largest_drift, &largest_residual, &largest_rate_residual, &largest_dropped}) in.get(*size);
  const auto changes = in.get<std::uint64_t>();
  if (changes > kMostKeptRankChanges) in.fail();
  rank_history.clear();
  rank_history.reserve(kMostKeptRankChanges);
  for (std::uint64_t i = 0; i < changes && in.is_good(); ++i) rank_history.emplace_back().load(in, element_count);
}

}  // namespace gelenk::analysis
