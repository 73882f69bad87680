#include "gelenk/solve/coupling_factor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gelenk/base/index.h"

namespace gelenk::solve {

CouplingFactor::CouplingFactor(std::size_t count)
    : count_(count), order_(count), place_(count), inverse_(count, 0.0), work_(count, 0.0) {
  std::iota(order_.begin(), order_.end(), 0);
  put_order(std::vector<std::int32_t>(order_), 0);
}

void CouplingFactor::put_pattern(const NumberLists& neighbors) {
  pattern_ = neighbors;
  products_.assign(pattern_.numbers.size(), 0.0);
  mirrored_.resize(products_.size());
  for (std::size_t k = 0; k < count_; ++k) {
    const std::span<const std::int32_t> row = pattern_[k];
    for (std::size_t e = 0; e < row.size(); ++e) {
      const std::size_t entry = pattern_.begin[k] + e;
      mirrored_[entry] = entry;
      if (at(row[e]) <= k) continue;
      const std::span<const std::int32_t> other = pattern_[at(row[e])];
      const auto found = std::lower_bound(other.begin(), other.end(), static_cast<std::int32_t>(k));
      mirrored_[entry] = pattern_.begin[at(row[e])] + static_cast<std::size_t>(found - other.begin());
    }
  }
  is_planned_ = false;
}

void CouplingFactor::clear() { std::fill(products_.begin(), products_.end(), 0.0); }

void CouplingFactor::add(std::size_t k, std::size_t l, double value) {
  const std::span<const std::int32_t> row = pattern_[k];
  const auto found = std::lower_bound(row.begin(), row.end(), static_cast<std::int32_t>(l));
  products_[mirrored_[pattern_.begin[k] + static_cast<std::size_t>(found - row.begin())]] +=
      k == l ? value : 0.5 * value;
}

void CouplingFactor::put_order(std::span<const std::int32_t> order, std::size_t rank) {
  is_planned_ = is_planned_ && rank == rank_ && std::equal(order.begin(), order.end(), order_.begin(), order_.end());
  std::copy(order.begin(), order.end(), order_.begin());
  for (std::size_t i = 0; i < count_; ++i) place_[at(order_[i])] = static_cast<std::int32_t>(i);
  rank_ = rank;
}

// Row i of L has an entry at every place on the ways from the entries of N up the tree of elimination: from a place to
// the first later row that has an entry there.
void CouplingFactor::find_rows() {
  rows_ = {};
  std::vector<std::size_t> parent(count_, count_), seen_by(count_, count_);
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t end = std::min(i, rank_);
    for (const std::int32_t other : pattern_[at(order_[i])]) {
      for (std::size_t j = at(place_[at(other)]); j < end && seen_by[j] != i; j = parent[j]) {
        seen_by[j] = i;
        rows_.numbers.push_back(static_cast<std::int32_t>(j));
        if (parent[j] == count_ && i < rank_) parent[j] = i;
      }
    }
    std::sort(rows_.numbers.begin() + static_cast<std::ptrdiff_t>(rows_.begin.back()), rows_.numbers.end());
    rows_.close();
  }
  values_.assign(rows_.numbers.size(), 0.0);
  is_planned_ = true;
}

// L of the row at place i against the accepted rows before it; returns the square of its distance from them.
double CouplingFactor::fill_row(std::size_t i) {
  const std::size_t k = at(order_[i]);
  double rest = 0.0;
  for (std::size_t e = pattern_.begin[k]; e < pattern_.begin[k + 1]; ++e) {
    const std::size_t j = at(place_[at(pattern_.numbers[e])]);
    if (j == i) rest = products_[e];
    if (j < std::min(i, rank_)) work_[j] = products_[mirrored_[e]];
  }
  for (std::size_t e = rows_.begin[i]; e < rows_.begin[i + 1]; ++e) {
    const std::size_t j = at(rows_.numbers[e]);
    double sum = work_[j];
    for (std::size_t o = rows_.begin[j]; o < rows_.begin[j + 1]; ++o) sum -= work_[at(rows_.numbers[o])] * values_[o];
    work_[j] = values_[e] = sum * inverse_[j];
  }
  for (std::size_t e = rows_.begin[i]; e < rows_.begin[i + 1]; ++e) {
    rest -= values_[e] * values_[e];
    work_[at(rows_.numbers[e])] = 0.0;
  }
  return rest;
}

bool CouplingFactor::factor_with(const RankRule& rule, double smallest_when_chosen) {
  if (!is_planned_) find_rows();
  const double allowed = rule.smallest_pivot(smallest_when_chosen);
  for (std::size_t i = 0; i < rank_; ++i) {
    const double pivot = fill_row(i);
    if (!(pivot > allowed * allowed)) return false;
    inverse_[i] = 1.0 / std::sqrt(pivot);
  }
  const double restored = rule.restored();
  for (std::size_t i = rank_; i < count_; ++i) {
    if (rule.decides && !(fill_row(i) < restored * restored)) return false;
  }
  return true;
}

void CouplingFactor::choose(double tau, std::size_t most) {
  struct Entry {
    std::size_t place;
    double value;
  };
  std::vector<std::vector<Entry>> rows(count_);
  std::vector<double> rest(count_, 0.0), column(count_, 0.0);
  std::vector<std::size_t> is_neighbor_of(count_, count_);
  for (std::size_t k = 0; k < count_; ++k) {
    for (std::size_t e = pattern_.begin[k]; e < pattern_.begin[k + 1]; ++e) {
      if (at(pattern_.numbers[e]) == k) rest[k] = products_[e];
    }
  }
  for (rank_ = 0; rank_ < std::min(count_, most); ++rank_) {
    std::size_t best = count_;
    double longest = tau * tau;
    for (std::size_t i = rank_; i < count_; ++i) {
      if (!(rest[at(order_[i])] > longest)) continue;
      longest = rest[at(order_[i])];
      best = i;
    }
    if (best == count_) break;
    std::swap(order_[rank_], order_[best]);
    const std::size_t p = at(order_[rank_]);
    const double inverse = 1.0 / std::sqrt(longest);
    for (std::size_t e = pattern_.begin[p]; e < pattern_.begin[p + 1]; ++e) {
      const std::size_t k = at(pattern_.numbers[e]);
      column[k] = products_[mirrored_[e]];
      is_neighbor_of[k] = p;
    }
    for (const Entry& entry : rows[p]) work_[entry.place] = entry.value;
    for (std::size_t i = rank_ + 1; i < count_; ++i) {
      const std::size_t k = at(order_[i]);
      bool is_there = is_neighbor_of[k] == p;
      double sum = is_there ? column[k] : 0.0;
      for (const Entry& entry : rows[k]) {
        is_there = is_there || work_[entry.place] != 0.0;
        sum -= entry.value * work_[entry.place];
      }
      if (!is_there) continue;
      rows[k].push_back({rank_, sum * inverse});
      rest[k] -= rows[k].back().value * rows[k].back().value;
    }
    for (const Entry& entry : rows[p]) work_[entry.place] = 0.0;
  }
  // As from the cache, so that a restart from saved pivots gives the same bits.
  std::sort(order_.begin() + static_cast<std::ptrdiff_t>(rank_), order_.end());
  is_planned_ = false;
  put_order(std::vector<std::int32_t>(order_), rank_);
}

double CouplingFactor::smallest() const {
  double largest = 1.0;
  for (std::size_t i = 0; i < rank_; ++i) largest = std::max(largest, inverse_[i]);
  return 1.0 / largest;
}

void CouplingFactor::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < rank_; ++i) {
    double sum = x[i];
    for (std::size_t e = rows_.begin[i]; e < rows_.begin[i + 1]; ++e) sum -= values_[e] * x[at(rows_.numbers[e])];
    x[i] = sum * inverse_[i];
  }
  for (std::size_t i = rank_; i-- > 0;) {
    x[i] *= inverse_[i];
    for (std::size_t e = rows_.begin[i]; e < rows_.begin[i + 1]; ++e) x[at(rows_.numbers[e])] -= values_[e] * x[i];
  }
}

}  // namespace gelenk::solve
