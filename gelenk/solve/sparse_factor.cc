#include "gelenk/solve/sparse_factor.h"
#include "gelenk/solve/rank_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/math/column_kernels.h"

namespace gelenk::solve {
namespace {

// Part of an update that is computed at once: what it reads stays in the cache when supernodes are wide.
constexpr std::size_t kUpdateRows = 192;
constexpr std::size_t kUpdateColumns = 16;
// The kernels read a little behind the last column.
constexpr std::size_t kSlack = kRowStep;

}  // namespace

SparseFactor::SparseFactor(const RowSystem& system, SparsePlan plan)
    : plan_(std::move(plan)),
      product_(kUpdateColumns * kUpdateRows),
      places_(system.row_count()),
      gathered_(plan_.largest_height),
      is_accepted_(system.row_count()),
      rest_(system.row_count()),
      combination_(system.row_count()),
      response_(system.row_count()) {}

// block(local_i, local_j) ± product(i, j) for rows and columns of the update from these on, lower triangle.
void SparseFactor::scatter(const SparsePlan::Update& update, Part rows, Part columns, double* block,
                           std::size_t stride) {
  const std::int32_t* local = &plan_.local_rows[update.first_local];
  const double sign = update.is_body ? 1.0 : -1.0;
  for (std::size_t j = columns.begin; j < columns.end; ++j) {
    double* target = block + at(local[j]) * stride;
    const double* source = &product_[(j - columns.begin) * round_up_to_step(rows.end - rows.begin)];
    for (std::size_t i = std::max(j, rows.begin); i < rows.end; ++i)
      target[at(local[i])] += sign * source[i - rows.begin];
  }
}

void SparseFactor::assemble(const RowSystem& system, std::size_t supernode) {
  const SparsePlan::Supernode& node = plan_.supernodes[supernode];
  double* block = &values_[node.first_value];
  std::fill_n(block, node.stride * node.width, 0.0);
  for (std::size_t u = node.first_update; u < plan_.supernodes[supernode + 1].first_update; ++u) {
    const SparsePlan::Update& update = plan_.updates[u];
    ConstBlock rows{};
    ConstBlock factors{};
    std::size_t depth = 6;
    if (update.is_body) {
      rows = system.scaled_rows(update.source, update.from);
      factors = system.moved_rows(update.source, update.from);
    } else {
      const SparsePlan::Supernode& source = plan_.supernodes[update.source];
      rows = factors = {&values_[source.first_value + update.from], source.stride};
      depth = source.width;
    }
    for (std::size_t row = 0; row < update.count; row += kUpdateRows) {
      const Part row_part{row, std::min(row + kUpdateRows, update.count)};
      for (std::size_t column = 0; column < std::min(update.columns, row_part.end); column += kUpdateColumns) {
        const Part column_part{column, std::min(column + kUpdateColumns, update.columns)};
        // Above the diagonal nothing is needed.
        const Part lower{std::max(row, column), row_part.end};
        multiply_transposed({rows.values + lower.begin, rows.stride}, {factors.values + column, factors.stride},
                            lower.end - lower.begin, column_part.end - column, depth, product_.data());
        scatter(update, lower, column_part, block, node.stride);
      }
    }
  }
}

// accept(place, pivot) decides about each row.
template <class Accept>
void SparseFactor::factor_all(const RowSystem& system, Accept&& accept) {
  values_.resize(plan_.value_count + kSlack);
  for (std::size_t k = 0; k + 1 < plan_.supernodes.size(); ++k) {
    assemble(system, k);
    const SparsePlan::Supernode& node = plan_.supernodes[k];
    ColumnFactor(&values_[node.first_value], node.stride, node.width).run([&](std::size_t column, double pivot) {
      rest_[node.first_place + column] = pivot;
      return accept(node.first_place + column, pivot);
    });
  }
}

// Accepts, in the order of elimination, every row with a larger pivot.
void SparseFactor::accept_above(const RowSystem& system, double clear_pivot) {
  smallest_ = std::numeric_limits<double>::infinity();
  factor_all(system, [&](std::size_t place, double pivot) {
    const bool is_clear = pivot > clear_pivot;
    is_accepted_[place] = is_clear ? 1 : 0;
    if (is_clear) smallest_ = std::min(smallest_, pivot);
    return is_clear;
  });
}

// With the rows marked in is_accepted_.
void SparseFactor::factor_accepted(const RowSystem& system, double smallest_allowed) {
  is_positive_ = true;
  smallest_ = std::numeric_limits<double>::infinity();
  factor_all(system, [&](std::size_t place, double pivot) {
    if (is_accepted_[place] == 0) return false;
    smallest_ = std::min(smallest_, pivot);
    if (pivot > smallest_allowed) return true;
    is_positive_ = false;
    return false;
  });
  if (std::isinf(smallest_)) smallest_ = 0.0;
}

RowFactor::Kept SparseFactor::factor_with(RowSystem& system, const RankRule& rule, const PivotSet& pivots) {
  std::fill(is_accepted_.begin(), is_accepted_.end(), char{0});
  for (const std::int32_t row : pivots.accepted) is_accepted_[at(plan_.place_of_row[at(row)])] = 1;
  factor_accepted(system, smallest_allowed(rule, pivots));
  if (!is_positive_) return Kept::degraded;
  if (!rule.decides) return Kept::good;
  // What was left of a dropped row in its turn is an upper bound of its distance from all accepted rows.
  const double restored_pivot = restored(rule);
  const bool are_redundant = std::all_of(pivots.dropped.begin(), pivots.dropped.end(), [&](std::int32_t row) {
    return rest_[at(plan_.place_of_row[at(row)])] <= restored_pivot ||
           distance_from_accepted(system, row, restored_pivot, {}) <= restored_pivot;
  });
  return are_redundant ? Kept::good : Kept::row_restored;
}

void SparseFactor::solve(std::span<double> x) {
  for (std::size_t k = 0; k < places_.size(); ++k) places_[k] = x[at(plan_.row_at_place[k])];
  for (std::size_t k = 0; k + 1 < plan_.supernodes.size(); ++k) {
    const SparsePlan::Supernode& node = plan_.supernodes[k];
    const std::int32_t* rows = &plan_.rows[node.first_row];
    std::copy_n(&places_[node.first_place], node.width, gathered_.begin());
    std::fill_n(gathered_.begin() + static_cast<std::ptrdiff_t>(node.width), node.height - node.width, 0.0);
    solve_columns({&values_[node.first_value], node.stride}, node.width, node.height, gathered_.data());
    std::copy_n(gathered_.begin(), node.width, &places_[node.first_place]);
    for (std::size_t i = node.width; i < node.height; ++i) places_[at(rows[i])] += gathered_[i];
  }
  for (std::size_t k = plan_.supernodes.size() - 1; k-- > 0;) {
    const SparsePlan::Supernode& node = plan_.supernodes[k];
    const std::int32_t* rows = &plan_.rows[node.first_row];
    for (std::size_t i = 0; i < node.height; ++i) gathered_[i] = places_[at(rows[i])];
    solve_columns_transposed({&values_[node.first_value], node.stride}, node.width, node.height, gathered_.data());
    std::copy_n(gathered_.begin(), node.width, &places_[node.first_place]);
  }
  for (std::size_t k = 0; k < places_.size(); ++k) x[at(plan_.row_at_place[k])] = places_[k];
}

}  // namespace gelenk::solve
