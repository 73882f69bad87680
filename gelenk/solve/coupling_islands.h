#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/math/constraint_blocks.h"

namespace gelenk::solve {

// Lists of numbers, one after another: list i is numbers[begin[i]] ... numbers[begin[i + 1] - 1].
struct NumberLists {
  std::vector<std::size_t> begin{0};
  std::vector<std::int32_t> numbers;

  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t i) const {
    return std::span(numbers).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void close() { begin.push_back(numbers.size()); }
};

// Which couplings feel each other. Bodies that joints connect, the ground left out, are an island: what acts on one
// moves no other. Couplings that share no island share a sweep, a group: whose response a body shows, its island says.
// A row of gears on the ground has two groups, however long it is.
struct CouplingIslands {
  // `is_whole`: everything is one island, as beside components from elsewhere.
  CouplingIslands(std::size_t body_count, std::span<const RowBodies> rows, std::size_t coupling_count, bool is_whole);

  // Bodies that the couplings touch: always the same ones.
  void put_couplings(std::span<const CouplingBlock> blocks);

  std::size_t coupling_count = 0;
  std::vector<std::int32_t> island_of_body;
  NumberLists bodies, rows;        // of islands
  NumberLists islands;             // of couplings
  NumberLists couplings;           // of islands
  NumberLists neighbors;           // of couplings: those that share an island with one, and itself
  std::vector<std::size_t> group;  // of couplings
  std::size_t group_count = 0;

 private:
  void find_neighbors();
  void make_groups();
};

}  // namespace gelenk::solve
