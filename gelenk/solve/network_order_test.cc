#include "gelenk/solve/network_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace gelenk::solve::network_order_test {
namespace {

NetGraph sheet(std::int32_t width, std::int32_t height) {
  NetGraph graph;
  const std::int32_t count = width * height;
  graph.neighbors.resize(static_cast<std::size_t>(count));
  graph.is_held.assign(static_cast<std::size_t>(count), 0);
  const auto link = [&](std::int32_t a, std::int32_t b) {
    graph.neighbors[static_cast<std::size_t>(a)].push_back({b, 1});
    graph.neighbors[static_cast<std::size_t>(b)].push_back({a, 1});
  };
  for (std::int32_t i = 0; i < count; ++i) {
    if (i % width + 1 < width) link(i, i + 1);
    if (i / width + 1 < height) link(i, i + width);
  }
  return graph;
}

std::vector<std::int32_t> all_of(const NetGraph& graph) {
  std::vector<std::int32_t> all(graph.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Rows that lead from the first vertices of an order to the others, at most.
std::int32_t widest_front(const NetGraph& graph, const std::vector<std::int32_t>& order) {
  std::vector<char> is_done(graph.size(), 0);
  std::int32_t open = 0;
  std::int32_t widest = 0;
  for (const std::int32_t v : order) {
    for (const NetGraph::Edge& edge : graph.neighbors[static_cast<std::size_t>(v)]) {
      open += is_done[static_cast<std::size_t>(edge.other)] != 0 ? -edge.weight : edge.weight;
    }
    is_done[static_cast<std::size_t>(v)] = 1;
    widest = std::max(widest, open);
  }
  return widest;
}

// From edge to edge the front is as wide as the sheet and one more; from a corner it would be twice as wide.
TEST(NetworkOrder, SheetIsSweptAlongItsLongSide) {
  for (const std::int32_t n : {5, 12, 31}) {
    for (const NetGraph& graph : {sheet(n, 2 * n), sheet(2 * n, n), sheet(n, n)}) {
      std::vector<std::int32_t> order = sweep_order(graph, all_of(graph));
      EXPECT_EQ(widest_front(graph, order), n + 1);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, all_of(graph));
    }
  }
}

TEST(NetworkOrder, SweepStartsWhereTheNetIsHeld) {
  NetGraph graph = sheet(9, 9);
  for (std::size_t i = 0; i < 9; ++i) graph.is_held[9 * i] = 1;
  EXPECT_EQ(sweep_order(graph, all_of(graph)).front() % 9, 0);
}

TEST(NetworkOrder, HalvesAreCutBetweenFewRows) {
  constexpr std::int32_t kSide = 24;
  const NetGraph graph = sheet(kSide, kSide);
  const Dissection dissection = dissect(graph, 8);
  std::vector<std::int32_t> vertices = dissection.vertices;
  std::sort(vertices.begin(), vertices.end());
  EXPECT_EQ(vertices, all_of(graph));
  for (const Dissection::Part& part : dissection.parts) {
    EXPECT_GE(part.count, 6);
    if (part.halves[0] < 0) {
      EXPECT_LT(part.count, 16);
      continue;
    }
    const Dissection::Part& first = dissection.parts[static_cast<std::size_t>(part.halves[0])];
    const Dissection::Part& second = dissection.parts[static_cast<std::size_t>(part.halves[1])];
    EXPECT_EQ(first.first, part.first);
    EXPECT_EQ(second.first, first.first + first.count);
    EXPECT_EQ(first.count + second.count, part.count);
    EXPECT_GE(10 * std::min(first.count, second.count), 4 * part.count - 10);
  }
  std::vector<char> is_first(graph.size(), 0);
  for (const std::int32_t v : dissection.vertices_of(dissection.parts[1])) is_first[static_cast<std::size_t>(v)] = 1;
  std::int32_t cut = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    for (const NetGraph::Edge& edge : graph.neighbors[v]) {
      if (is_first[v] != 0 && is_first[static_cast<std::size_t>(edge.other)] == 0) ++cut;
    }
  }
  EXPECT_EQ(cut, kSide);
}

TEST(NetworkOrder, PiecesThatAreNotConnected) {
  NetGraph graph = sheet(4, 4);
  graph.neighbors.resize(40);
  graph.is_held.resize(40, 0);
  std::vector<std::int32_t> order = sweep_order(graph, all_of(graph));
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, all_of(graph));
  std::vector<std::int32_t> vertices = dissect(graph, 4).vertices;
  std::sort(vertices.begin(), vertices.end());
  EXPECT_EQ(vertices, all_of(graph));
}

}  // namespace
}  // namespace gelenk::solve::network_order_test
