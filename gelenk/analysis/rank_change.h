#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/math/joint_rows.h"
#include "gelenk/solve/pivot_set.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// What happened to the rows of a machine from one step to the next, by who has them. Elements are joints by their
// number, then drivers. A joint that loses a row and takes another instead is not named.
struct RankChange {
  double time = 0.0;
  std::int32_t before = 0, after = 0;  // independent rows
  std::vector<std::int32_t> lost;      // with rows that became dependent
  std::vector<std::int32_t> regained;  // with rows that became independent again
  std::vector<std::int32_t> locked;    // joints that came into a singular pose of their own

  bool is_rank_change() const { return before != after; }
  // Inside a step: what is lost there is regained at once.
  bool is_passed() const { return is_rank_change() && !lost.empty() && lost == regained; }
  void save(ByteWriter& out) const;
  // Fails when an element does not exist.
  void load(ByteReader& in, std::size_t element_count);
};

std::size_t element_count(const system::System& system);
// "corner", "motor"
const std::string& element_path(const system::System& system, std::int32_t element);
std::vector<std::string> element_paths(const system::System& system, const std::vector<std::int32_t>& elements);

// Nothing when neither the rank nor the joints in their own singular pose have changed. A set of no rank is one that
// nobody has chosen yet.
std::optional<RankChange> find_rank_change(const system::System& system, const JointRowLayout& layout, double time,
                                           const solve::PivotSet& before, const solve::PivotSet& after);

// One sentence without the time: "rows of 'corner' are no longer independent (17 independent rows, now 16)".
std::string rank_change_text(const system::System& system, const RankChange& change);

}  // namespace gelenk::analysis
