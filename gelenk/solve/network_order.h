#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Orders in which the bodies of a large net are taken, docs/theory/elimination.md, section 9. Nothing here is numeric,
// random or timed: the same net gives the same order everywhere.
namespace gelenk::solve {

// Bodies (or groups that are taken together) as vertices, the rows between two of them as the weight of an edge.
struct NetGraph {
  struct Edge {
    std::int32_t other = 0;
    std::int32_t weight = 0;
  };
  std::vector<std::vector<Edge>> neighbors;
  std::vector<char> is_held;  // by the ground or the base

  std::size_t size() const { return neighbors.size(); }
};

// An order for one front that grows: of several sweeps across the net the one whose front stays narrowest.
std::vector<std::int32_t> sweep_order(const NetGraph& graph, std::span<const std::int32_t> vertices);

// A net halved again and again, each time between few rows.
struct Dissection {
  struct Part {
    std::int32_t first = 0, count = 0;  // in `vertices`
    std::int32_t halves[2] = {-1, -1};  // parts
  };
  std::vector<std::int32_t> vertices;
  std::vector<Part> parts;  // the first one is the whole

  std::span<const std::int32_t> vertices_of(const Part& part) const {
    return std::span(vertices).subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.count));
  }
};
Dissection dissect(const NetGraph& graph, std::size_t smallest_part);

}  // namespace gelenk::solve
