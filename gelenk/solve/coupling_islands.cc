#include "gelenk/solve/coupling_islands.h"

#include <algorithm>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// Lists by key of the numbers 0, 1, ... whose keys these are; a key of -1 is in no list.
NumberLists lists_by_key(std::span<const std::int32_t> keys, std::size_t list_count) {
  NumberLists lists;
  lists.begin.assign(list_count + 1, 0);
  for (const std::int32_t key : keys) {
    if (key >= 0) ++lists.begin[at(key) + 1];
  }
  for (std::size_t i = 0; i < list_count; ++i) lists.begin[i + 1] += lists.begin[i];
  lists.numbers.resize(lists.begin.back());
  std::vector<std::size_t> next(lists.begin.begin(), lists.begin.end() - 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] >= 0) lists.numbers[next[at(keys[i])]++] = static_cast<std::int32_t>(i);
  }
  return lists;
}

void sort_and_close(NumberLists& lists) {
  const auto first = lists.numbers.begin() + static_cast<std::ptrdiff_t>(lists.begin.back());
  std::sort(first, lists.numbers.end());
  lists.numbers.erase(std::unique(first, lists.numbers.end()), lists.numbers.end());
  lists.close();
}

}  // namespace

CouplingIslands::CouplingIslands(std::size_t body_count, std::span<const RowBodies> row_bodies, std::size_t count,
                                 bool is_whole)
    : coupling_count(count), island_of_body(body_count, 0), group(count, 0) {
  std::size_t island_count = 1;
  if (!is_whole) {
    DisjointSets sets(body_count);
    for (const RowBodies& row : row_bodies) {
      if (row.a >= 0 && row.b >= 0) sets.join(at(row.a), at(row.b));
    }
    const std::vector<std::size_t> numbers = sets.numbers();
    for (std::size_t b = 0; b < body_count; ++b) {
      island_of_body[b] = static_cast<std::int32_t>(numbers[b]);
      island_count = std::max(island_count, numbers[b] + 1);
    }
  }
  bodies = lists_by_key(island_of_body, island_count);
  std::vector<std::int32_t> island_of_row;
  island_of_row.reserve(row_bodies.size());
  for (const RowBodies& row : row_bodies) {
    const std::int32_t body = std::max(row.a, row.b);
    island_of_row.push_back(is_whole ? 0 : body < 0 ? -1 : island_of_body[at(body)]);
  }
  rows = lists_by_key(island_of_row, island_count);
}

void CouplingIslands::put_couplings(std::span<const CouplingBlock> blocks) {
  std::vector<std::int32_t> coupling_of_block;
  coupling_of_block.reserve(blocks.size());
  for (const CouplingBlock& block : blocks) coupling_of_block.push_back(block.row);
  const NumberLists blocks_of_coupling = lists_by_key(coupling_of_block, coupling_count);
  const bool is_whole = bodies.size() == 1;
  islands = {};
  std::vector<std::int32_t> couplings_there, islands_there;  // each pair of a coupling and an island
  for (std::size_t k = 0; k < coupling_count; ++k) {
    if (is_whole) islands.numbers.push_back(0);  // also what touches shafts alone
    for (const std::int32_t block : blocks_of_coupling[k]) {
      islands.numbers.push_back(island_of_body[at(blocks[at(block)].body)]);
    }
    sort_and_close(islands);
    for (const std::int32_t island : islands[k]) {
      couplings_there.push_back(static_cast<std::int32_t>(k));
      islands_there.push_back(island);
    }
  }
  couplings = lists_by_key(islands_there, bodies.size());
  for (std::int32_t& pair : couplings.numbers) pair = couplings_there[at(pair)];
  find_neighbors();
  make_groups();
}

void CouplingIslands::find_neighbors() {
  neighbors = {};
  for (std::size_t k = 0; k < coupling_count; ++k) {
    neighbors.numbers.push_back(static_cast<std::int32_t>(k));
    for (const std::int32_t island : islands[k]) {
      const std::span<const std::int32_t> there = couplings[at(island)];
      neighbors.numbers.insert(neighbors.numbers.end(), there.begin(), there.end());
    }
    sort_and_close(neighbors);
  }
}

// Each takes the first group that none of its neighbors before it is in.
void CouplingIslands::make_groups() {
  group_count = 0;
  std::vector<std::size_t> taken_by(coupling_count + 1, coupling_count);
  for (std::size_t k = 0; k < coupling_count; ++k) {
    for (const std::int32_t other : neighbors[k]) {
      if (at(other) < k) taken_by[group[at(other)]] = k;
    }
    group[k] = 0;
    while (taken_by[group[k]] == k) ++group[k];
    group_count = std::max(group_count, group[k] + 1);
  }
}

}  // namespace gelenk::solve
