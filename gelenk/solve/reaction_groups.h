#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/motion_solver.h"

// Which reactions of a pose are unique, and which rows share theirs with which others.
namespace gelenk::solve {

// A partition of numbered things that grows together; the smallest number of a set names it.
class Sets {
 public:
  explicit Sets(std::size_t count);

  std::size_t size() const { return owner_.size(); }
  std::int32_t name_of(std::int32_t item) const;
  void join(std::int32_t a, std::int32_t b);

 private:
  std::vector<std::int32_t> owner_;  // another member with a smaller number, or itself
};

// Two rows are in one group when some forces in balance act on both, or on both and rows between. That does not depend
// on which rows were dropped, docs/theory/elimination.md (6.9).
struct ReactionGroups {
  static constexpr std::int32_t kUnique = -1;
  std::vector<std::int32_t> of_row;  // number of the group, or kUnique
  std::int32_t count = 0;

  bool is_unique(std::size_t row) const { return of_row[row] == kUnique; }
  std::vector<std::int32_t> rows_of(std::int32_t group) const;
};

// A solve for each dropped row of the factored pose; allocates.
ReactionGroups reaction_groups(MotionSolver& solver);

// Numbers the sets of those items that take part, in the order of their first members; the others are kUnique.
std::int32_t number_groups(const Sets& sets, std::span<const char> takes_part, std::vector<std::int32_t>& numbers);

}  // namespace gelenk::solve
