#include "gelenk/solve/reaction_groups.h"

#include <numeric>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::solve {

Sets::Sets(std::size_t count) : owner_(count) { std::iota(owner_.begin(), owner_.end(), 0); }

std::int32_t Sets::name_of(std::int32_t item) const {
  while (owner_[at(item)] != item) item = owner_[at(item)];
  return item;
}

void Sets::join(std::int32_t a, std::int32_t b) {
  const std::int32_t first = name_of(a);
  const std::int32_t second = name_of(b);
  const std::int32_t name = std::min(first, second);
  // Ways are kept short: a joined member points to its name at once.
  for (const std::int32_t item : {a, b, first, second}) owner_[at(item)] = name;
}

std::vector<std::int32_t> ReactionGroups::rows_of(std::int32_t group) const {
  std::vector<std::int32_t> rows;
  for (std::size_t j = 0; j < of_row.size(); ++j) {
    if (of_row[j] == group) rows.push_back(static_cast<std::int32_t>(j));
  }
  return rows;
}

std::int32_t number_groups(const Sets& sets, std::span<const char> takes_part, std::vector<std::int32_t>& numbers) {
  numbers.assign(takes_part.size(), ReactionGroups::kUnique);
  std::int32_t count = 0;
  for (std::size_t j = 0; j < takes_part.size(); ++j) {
    if (takes_part[j] == 0) continue;
    // The name of a set is its smallest member that takes part, which has its number already.
    const auto name = static_cast<std::size_t>(sets.name_of(static_cast<std::int32_t>(j)));
    numbers[j] = name == j ? count++ : numbers[name];
  }
  return count;
}

ReactionGroups reaction_groups(MotionSolver& solver) {
  const std::size_t rows = solver.row_count();
  Sets sets(rows);
  std::vector<char> takes_part(rows, 0);
  std::vector<double> mu(rows);
  const std::vector<std::int32_t> dropped(solver.dropped_rows().begin(), solver.dropped_rows().end());
  for (const std::int32_t row : dropped) {
    solver.balanced_forces(row, mu);
    for (std::size_t j = 0; j < rows; ++j) {
      if (mu[j] == 0.0) continue;
      takes_part[j] = 1;
      sets.join(row, static_cast<std::int32_t>(j));
    }
  }
  ReactionGroups groups;
  groups.count = number_groups(sets, takes_part, groups.of_row);
  return groups;
}

}  // namespace gelenk::solve
