#include "gelenk/math/fill_reducing_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace gelenk::fill_reducing_order_test {
namespace {

Graph from_edges(std::size_t nodes, const std::vector<std::pair<std::int32_t, std::int32_t>>& edges) {
  std::vector<std::set<std::int32_t>> lists(nodes);
  for (const auto& [p, q] : edges) {
    lists[static_cast<std::size_t>(p)].insert(q);
    lists[static_cast<std::size_t>(q)].insert(p);
  }
  Graph graph{{0}, {}};
  for (const std::set<std::int32_t>& list : lists) {
    graph.neighbors.insert(graph.neighbors.end(), list.begin(), list.end());
    graph.begin.push_back(static_cast<std::int32_t>(graph.neighbors.size()));
  }
  return graph;
}

// Edges that elimination in this order adds: neighbors of an eliminated node become neighbors of each other.
std::size_t fill(const Graph& graph, const std::vector<std::int32_t>& order) {
  std::vector<std::set<std::int32_t>> lists(graph.node_count());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    for (const std::int32_t other : graph.neighbors_of(k)) lists[k].insert(other);
  }
  std::size_t added = 0;
  for (const std::int32_t node : order) {
    const std::set<std::int32_t> around = lists[static_cast<std::size_t>(node)];
    for (const std::int32_t p : around) {
      lists[static_cast<std::size_t>(p)].erase(node);
      for (const std::int32_t q : around) {
        if (p < q && lists[static_cast<std::size_t>(p)].insert(q).second) {
          lists[static_cast<std::size_t>(q)].insert(p);
          ++added;
        }
      }
    }
  }
  return added;
}

void expect_permutation(std::vector<std::int32_t> order, std::size_t nodes) {
  std::sort(order.begin(), order.end());
  ASSERT_EQ(order.size(), nodes);
  for (std::size_t k = 0; k < nodes; ++k) EXPECT_EQ(order[k], static_cast<std::int32_t>(k));
}

// Leaves first would leave a tree without any fill. The degrees of the method are bounds, so it comes close only.
TEST(FillReducingOrder, TreesFillLittle) {
  constexpr std::size_t kNodes = 200;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t k = 1; k < static_cast<std::int32_t>(kNodes); ++k) edges.emplace_back(k, (k * 7 % 11) * k / 11);
  const Graph graph = from_edges(kNodes, edges);
  std::vector<std::int32_t> by_number(kNodes);
  std::iota(by_number.begin(), by_number.end(), 0);
  EXPECT_GT(fill(graph, by_number), 5 * kNodes);
  const std::vector<std::int32_t> order = fill_reducing_order(graph);
  expect_permutation(order, kNodes);
  EXPECT_LE(fill(graph, order), kNodes / 5);
}

TEST(FillReducingOrder, CenterOfAStarGoesAmongTheLast) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t k = 1; k < 30; ++k) edges.emplace_back(0, k);
  const std::vector<std::int32_t> order = fill_reducing_order(from_edges(30, edges));
  expect_permutation(order, 30);
  EXPECT_GE(std::find(order.begin(), order.end(), 0) - order.begin(), 28);
}

TEST(FillReducingOrder, GridFillsLessThanRowByRow) {
  constexpr std::int32_t kSide = 12;
  constexpr std::size_t kNodes = 144;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t i = 0; i < kSide; ++i) {
    for (std::int32_t j = 0; j < kSide; ++j) {
      if (i + 1 < kSide) edges.emplace_back(kSide * i + j, kSide * (i + 1) + j);
      if (j + 1 < kSide) edges.emplace_back(kSide * i + j, kSide * i + j + 1);
    }
  }
  const Graph graph = from_edges(kNodes, edges);
  std::vector<std::int32_t> by_number(kNodes);
  std::iota(by_number.begin(), by_number.end(), 0);
  const std::vector<std::int32_t> order = fill_reducing_order(graph);
  expect_permutation(order, kNodes);
  EXPECT_LT(fill(graph, order), fill(graph, by_number));
  EXPECT_EQ(order, fill_reducing_order(graph));
}

TEST(FillReducingOrder, NoEdgesNoNodes) {
  expect_permutation(fill_reducing_order(from_edges(4, {})), 4);
  EXPECT_TRUE(fill_reducing_order(Graph{}).empty());
}

}  // namespace
}  // namespace gelenk::fill_reducing_order_test
