#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gelenk/solve/row_system.h"

namespace gelenk::solve {

// What is known about the sparse factor of N = S G M⁻¹ Gᵀ S (row_system.h) before any number is: the order
// of elimination, the blocks of the factor and which block changes which.
//
// Rows between the same two bodies have the same neighbors in N and stay together: a group. Groups are ordered for
// little fill; `place` is a row's position in that order. Groups that follow each other with (almost) the same rows
// below them form a supernode: one dense block, its own rows on top, the rows below that it changes after that.
//
// N itself is a sum over bodies, N = Σ_b X_b Y_bᵀ with X_b the scaled rows at the body and Y_b = X_b M_b⁻¹: a body adds
// to blocks exactly as an eliminated supernode subtracts from them. Both are sources.
struct SparsePlan {
  struct Supernode {
    std::size_t first_place;
    std::size_t width;         // own rows
    std::size_t height;        // own rows and those below
    std::size_t stride;        // height, padded for the kernels
    std::size_t first_value;   // in the array of all blocks, column by column
    std::size_t first_row;     // in `rows`
    std::size_t first_update;  // in `updates`, up to that of the next supernode
  };

  // Rows `from` .. of a source's list change a supernode; the first `columns` of these rows are own rows of it.
  // local_rows[first_local + i] is the place of the source's row from + i in the block.
  struct Update {
    std::size_t source;  // body or supernode
    bool is_body;
    std::size_t from;
    std::size_t columns;
    std::size_t count;
    std::size_t first_local;
  };

  std::vector<std::int32_t> row_at_place;
  std::vector<std::int32_t> place_of_row;
  std::vector<Supernode> supernodes;  // one more at the end
  std::vector<Update> updates;
  std::vector<std::int32_t> rows;        // of supernodes, as places
  std::vector<std::int32_t> local_rows;  // of updates
  std::size_t value_count = 0;
  std::size_t largest_height = 0;

  std::span<const std::int32_t> rows_of(std::size_t supernode) const {
    return std::span(rows).subspan(supernodes[supernode].first_row, supernodes[supernode].height);
  }
};

// Sorts the slots of the system by the places of the plan.
SparsePlan make_sparse_plan(RowSystem& system);

}  // namespace gelenk::solve
