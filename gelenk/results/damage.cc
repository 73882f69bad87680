#include "gelenk/results/damage.h"

#include <algorithm>

#include "gelenk/base/text.h"

namespace gelenk::results {
namespace {

constexpr std::size_t kMostShownRanges = 8;
constexpr std::size_t kMostShownOthers = 8;

}  // namespace

void Damage::add_row(std::size_t row) {
  ++row_count_;
  if (!rows_.empty() && rows_.back().last + 1 == row) {
    rows_.back().last = row;
  } else if (rows_.size() <= kMostShownRanges) {  // one more than are shown means that there are more
    rows_.push_back({row, row});
  }
}

std::vector<std::string> Damage::sentences() const {
  std::vector<std::string> result;
  if (row_count_ > 0) {
    std::vector<std::string> places;
    for (std::size_t i = 0; i < std::min(rows_.size(), kMostShownRanges); ++i) {
      const Range& range = rows_[i];
      places.push_back(std::to_string(range.first) +
                       (range.last > range.first ? " to " + std::to_string(range.last) : std::string()));
    }
    if (rows_.size() > kMostShownRanges) places.emplace_back("and more");
    const bool is_one = row_count_ == 1;
    result.push_back(std::to_string(row_count_) + (is_one ? " row differs" : " rows differ") +
                     " from what was recorded: " + join(places, ", "));
  }
  for (std::size_t i = 0; i < std::min(others_.size(), kMostShownOthers); ++i) result.push_back(others_[i]);
  if (others_.size() > kMostShownOthers) result.emplace_back("and more is damaged");
  return result;
}

std::string Damage::text() const { return join(sentences(), "; "); }

}  // namespace gelenk::results
