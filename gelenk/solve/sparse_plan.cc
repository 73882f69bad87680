#include "gelenk/solve/sparse_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/math/column_kernels.h"
#include "gelenk/math/fill_reducing_order.h"

namespace gelenk::solve {
namespace {

using Index = std::int32_t;

// Wider supernodes are cut: the upper triangle of a diagonal block is stored for nothing.
constexpr std::size_t kLargestWidth = 160;

struct Groups {
  std::vector<std::vector<Index>> rows;
  std::vector<std::vector<Index>> at_body;  // groups at each body
};

Groups make_groups(const RowSystem& system) {
  Groups groups;
  groups.at_body.resize(system.body_count());
  std::map<std::pair<Index, Index>, std::size_t> known;
  for (std::size_t j = 0; j < system.row_count(); ++j) {
    const RowBodies row = system.rows()[j];
    const auto key = std::minmax(row.a, row.b);
    const auto [entry, is_new] = known.emplace(key, groups.rows.size());
    if (is_new) {
      const auto group = static_cast<Index>(groups.rows.size());
      groups.rows.emplace_back();
      if (row.a >= 0) groups.at_body[at(row.a)].push_back(group);
      if (row.b >= 0) groups.at_body[at(row.b)].push_back(group);
    }
    groups.rows[entry->second].push_back(static_cast<Index>(j));
  }
  return groups;
}

// Groups at one body are neighbors of each other.
Graph make_graph(const Groups& groups) {
  std::vector<std::vector<Index>> neighbors(groups.rows.size());
  for (const std::vector<Index>& at_body : groups.at_body) {
    for (const Index group : at_body) {
      neighbors[at(group)].insert(neighbors[at(group)].end(), at_body.begin(), at_body.end());
    }
  }
  Graph graph;
  graph.begin.push_back(0);
  for (std::size_t k = 0; k < neighbors.size(); ++k) {
    std::sort(neighbors[k].begin(), neighbors[k].end());
    neighbors[k].erase(std::unique(neighbors[k].begin(), neighbors[k].end()), neighbors[k].end());
    for (const Index other : neighbors[k]) {
      if (at(other) != k) graph.neighbors.push_back(other);
    }
    graph.begin.push_back(static_cast<Index>(graph.neighbors.size()));
    neighbors[k] = {};
  }
  return graph;
}

// Elimination tree of the graph in this order: the first later node that a node changes; -1 for roots. All by rank in
// the order. Walks up with path compression.
std::vector<Index> elimination_tree(const Graph& graph, const std::vector<Index>& order,
                                    const std::vector<Index>& rank) {
  std::vector<Index> parent(order.size(), -1);
  std::vector<Index> ancestor(order.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const Index other : graph.neighbors_of(at(order[k]))) {
      Index node = rank[at(other)];
      while (node >= 0 && at(node) < k) {
        const Index next = ancestor[at(node)];
        ancestor[at(node)] = static_cast<Index>(k);
        if (next < 0) parent[at(node)] = static_cast<Index>(k);
        node = next;
      }
    }
  }
  return parent;
}

// Children directly before their parents: what belongs together in memory lies together.
std::vector<Index> postorder(const std::vector<Index>& parent) {
  const std::size_t n = parent.size();
  std::vector<Index> first_child(n, -1);
  std::vector<Index> next_sibling(n, -1);
  std::vector<Index> stack;
  for (std::size_t k = n; k-- > 0;) {
    if (parent[k] < 0) {
      stack.push_back(static_cast<Index>(k));
    } else {
      next_sibling[k] = std::exchange(first_child[at(parent[k])], static_cast<Index>(k));
    }
  }
  std::vector<Index> order;
  order.reserve(n);
  while (!stack.empty()) {
    const Index node = stack.back();
    const Index child = first_child[at(node)];
    if (child >= 0) {
      first_child[at(node)] = next_sibling[at(child)];
      stack.push_back(child);
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank[at(order[k])] = static_cast<Index>(k);
  return rank;
}

// Builds the plan from groups in elimination order. "Node" is a group by its rank in that order.
class PlanBuilder {
 public:
  PlanBuilder(RowSystem& system, Groups groups) : system_(system), groups_(std::move(groups)) {}

  SparsePlan build() {
    const Graph graph = make_graph(groups_);
    order_ = fill_reducing_order(graph);
    const std::vector<Index> tree = elimination_tree(graph, order_, inverse(order_));
    std::vector<Index> better(order_.size());
    const std::vector<Index> post = postorder(tree);
    for (std::size_t k = 0; k < post.size(); ++k) better[k] = order_[at(post[k])];
    order_ = std::move(better);
    rank_ = inverse(order_);
    parent_ = elimination_tree(graph, order_, rank_);
    find_structures(graph);
    place_rows();
    make_supernodes();
    system_.sort_slots(plan_.place_of_row);
    make_updates();
    return std::move(plan_);
  }

 private:
  std::size_t size_of(Index node) const { return groups_.rows[at(order_[at(node)])].size(); }

  // Nodes below each node in the factor: neighbors that come later, and what children hand on.
  void find_structures(const Graph& graph) {
    const std::size_t n = order_.size();
    below_.resize(n);
    below_rows_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Index>& below = below_[k];
      for (const Index other : graph.neighbors_of(at(order_[k]))) {
        if (at(rank_[at(other)]) > k) below.push_back(rank_[at(other)]);
      }
      std::sort(below.begin(), below.end());
      below.erase(std::unique(below.begin(), below.end()), below.end());
    }
    std::vector<Index> merged;
    for (std::size_t k = 0; k < n; ++k) {
      for (const Index node : below_[k]) below_rows_[k] += size_of(node);
      if (parent_[k] < 0) continue;
      std::vector<Index>& target = below_[at(parent_[k])];
      merged.clear();
      std::set_union(below_[k].begin() + 1, below_[k].end(), target.begin(), target.end(), std::back_inserter(merged));
      target = merged;
    }
  }

  void place_rows() {
    plan_.place_of_row.resize(system_.row_count());
    for (const Index group : order_) {
      first_place_.push_back(plan_.row_at_place.size());
      for (const Index row : groups_.rows[at(group)]) {
        plan_.place_of_row[at(row)] = static_cast<Index>(plan_.row_at_place.size());
        plan_.row_at_place.push_back(row);
      }
    }
  }

  // The next node joins when both have the same rows below them. Storing zeros to join more of them does not pay
  // (measured on chains and ladders: 10 to 20 % slower).
  bool joins(std::size_t last, std::size_t width) const {
    if (parent_[last] != static_cast<Index>(last) + 1) return false;
    const std::size_t next_size = size_of(parent_[last]);
    return below_rows_[last] == next_size + below_rows_[last + 1] && width + next_size <= kLargestWidth;
  }

  void make_supernodes() {
    const std::size_t n = order_.size();
    supernode_of_place_.resize(system_.row_count());
    for (std::size_t node = 0; node < n;) {
      SparsePlan::Supernode supernode{};
      supernode.first_place = first_place_[node];
      std::size_t last = node;
      supernode.width = size_of(static_cast<Index>(node));
      while (last + 1 < n && joins(last, supernode.width)) supernode.width += size_of(static_cast<Index>(++last));
      supernode.height = supernode.width + below_rows_[last];
      supernode.stride = round_up_to_step(supernode.height);
      supernode.first_value = plan_.value_count;
      supernode.first_row = plan_.rows.size();
      for (std::size_t k = 0; k < supernode.width; ++k) {
        supernode_of_place_[supernode.first_place + k] = plan_.supernodes.size();
        plan_.rows.push_back(static_cast<Index>(supernode.first_place + k));
      }
      for (const Index below : below_[last]) {
        for (std::size_t k = 0; k < size_of(below); ++k) {
          plan_.rows.push_back(static_cast<Index>(first_place_[at(below)] + k));
        }
      }
      plan_.value_count += supernode.stride * supernode.width;
      plan_.largest_height = std::max(plan_.largest_height, supernode.stride);
      plan_.supernodes.push_back(supernode);
      node = last + 1;
    }
  }

  // Cuts the rows of a source from `begin` on where the supernode changes.
  template <class PlaceAt>
  void add_source(std::size_t source, bool is_body, std::size_t begin, std::size_t count, PlaceAt place_at) {
    for (std::size_t k = begin; k < count;) {
      const std::size_t target = supernode_of_place_[place_at(k)];
      std::size_t end = k;
      while (end < count && supernode_of_place_[place_at(end)] == target) ++end;
      incoming_[target].push_back({source, is_body, k, end - k, count - k, 0});
      k = end;
    }
  }

  std::size_t place_in_source(const SparsePlan::Update& update, std::size_t k) const {
    return update.is_body ? place_of_slot(update.source, update.from + k)
                          : at(plan_.rows_of(update.source)[update.from + k]);
  }

  std::size_t place_of_slot(std::size_t body, std::size_t slot) const {
    return at(plan_.place_of_row[at(system_.slots_of(body)[slot].row)]);
  }

  void make_updates() {
    incoming_.resize(plan_.supernodes.size());
    for (std::size_t body = 0; body < system_.body_count(); ++body) {
      add_source(body, true, 0, system_.slots_of(body).size(), [&](std::size_t k) { return place_of_slot(body, k); });
    }
    for (std::size_t k = 0; k < plan_.supernodes.size(); ++k) {
      const std::span<const Index> rows = plan_.rows_of(k);
      add_source(k, false, plan_.supernodes[k].width, rows.size(), [&](std::size_t i) { return at(rows[i]); });
    }
    std::vector<Index> local(system_.row_count(), 0);
    for (std::size_t k = 0; k < plan_.supernodes.size(); ++k) {
      const std::span<const Index> rows = plan_.rows_of(k);
      for (std::size_t i = 0; i < rows.size(); ++i) local[at(rows[i])] = static_cast<Index>(i);
      plan_.supernodes[k].first_update = plan_.updates.size();
      for (SparsePlan::Update update : incoming_[k]) {
        update.first_local = plan_.local_rows.size();
        for (std::size_t i = 0; i < update.count; ++i) plan_.local_rows.push_back(local[place_in_source(update, i)]);
        plan_.updates.push_back(update);
      }
      incoming_[k] = {};
    }
    plan_.supernodes.push_back({});
    plan_.supernodes.back().first_update = plan_.updates.size();
  }

  RowSystem& system_;
  Groups groups_;
  std::vector<Index> order_;  // groups by rank
  std::vector<Index> rank_;
  std::vector<Index> parent_;
  std::vector<std::vector<Index>> below_;
  std::vector<std::size_t> below_rows_;
  std::vector<std::size_t> first_place_;  // of nodes
  std::vector<std::size_t> supernode_of_place_;
  std::vector<std::vector<SparsePlan::Update>> incoming_;
  SparsePlan plan_;
};

}  // namespace

SparsePlan make_sparse_plan(RowSystem& system) { return PlanBuilder(system, make_groups(system)).build(); }

}  // namespace gelenk::solve
