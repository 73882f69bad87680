#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gelenk {

// An undirected graph: the neighbors of node k are neighbors[begin[k]] .. neighbors[begin[k + 1] - 1], in ascending
// order, each edge listed at both of its ends, no node its own neighbor.
struct Graph {
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> neighbors;

  std::size_t node_count() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::span<const std::int32_t> neighbors_of(std::size_t node) const {
    return std::span(neighbors).subspan(static_cast<std::size_t>(begin[node]),
                                        static_cast<std::size_t>(begin[node + 1] - begin[node]));
  }
};

// The nodes in an order in which a sparse symmetric elimination keeps little fill (approximate minimum degree). The
// same graph gives the same order.
std::vector<std::int32_t> fill_reducing_order(const Graph& graph);

}  // namespace gelenk
