#include "gelenk/solve/network_order.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::solve {
namespace {

// The smaller half of a part has at least this share of its vertices.
constexpr double kSmallestHalf = 0.4;
// Moves across the cut that may make it worse before the best one so far is taken.
constexpr std::size_t kMostWorseMoves = 60;
constexpr int kPasses = 4;

// Distances within some vertices of a graph. Vertices that cannot be reached come after all others.
class Distances {
 public:
  explicit Distances(const NetGraph& graph) : graph_(graph), is_in_(graph.size(), 0) {}

  void enter(std::span<const std::int32_t> vertices) {
    vertices_ = vertices;
    for (const std::int32_t v : vertices) is_in_[at(v)] = 1;
  }
  void leave() {
    for (const std::int32_t v : vertices_) is_in_[at(v)] = 0;
  }
  bool is_in(std::int32_t v) const { return is_in_[at(v)] != 0; }

  // From a set of vertices; `reached` lists all in the order of the search.
  void find(std::span<const std::int32_t> starts, std::vector<std::int32_t>& distance,
            std::vector<std::int32_t>& reached) const {
    distance.resize(graph_.size());
    reached.clear();
    for (const std::int32_t v : vertices_) distance[at(v)] = -1;
    const auto add = [&](std::int32_t v, std::int32_t d) {
      if (distance[at(v)] >= 0) return;
      distance[at(v)] = d;
      reached.push_back(v);
    };
    for (const std::int32_t v : starts) add(v, 0);
    std::size_t next_start = 0;
    for (std::size_t i = 0; reached.size() < vertices_.size() || i < reached.size(); ++i) {
      if (i == reached.size()) {
        // Another piece.
        while (distance[at(vertices_[next_start])] >= 0) ++next_start;
        add(vertices_[next_start], reached.empty() ? 0 : distance[at(reached.back())] + 1);
      }
      for (const NetGraph::Edge& edge : graph_.neighbors[at(reached[i])]) {
        if (is_in(edge.other)) add(edge.other, distance[at(reached[i])] + 1);
      }
    }
  }

 private:
  const NetGraph& graph_;
  std::vector<char> is_in_;
  std::span<const std::int32_t> vertices_;
};

// Ways across a set of vertices: from one end, from another end that is far from both, and what lies between ends.
class Sweeps {
 public:
  explicit Sweeps(const NetGraph& graph) : graph_(graph), distances_(graph) {}

  // Calls visit(order) for each.
  template <class Visit>
  void visit(std::span<const std::int32_t> vertices, bool with_held, Visit&& visit) {
    distances_.enter(vertices);
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> held;
    for (const std::int32_t v : vertices) {
      if (graph_.is_held[at(v)] != 0) held.push_back(v);
    }
    if (with_held && !held.empty()) {
      distances_.find(held, u_, order);
      visit(std::span<const std::int32_t>(order));
    }
    distances_.find(vertices.first(1), u_, order);
    const std::int32_t first_end = order.back();
    distances_.find({&first_end, 1}, u_, order);
    visit(std::span<const std::int32_t>(order));
    const std::int32_t second_end = order.back();
    distances_.find({&second_end, 1}, v_, order);
    visit(std::span<const std::int32_t>(order));
    // Far from both ends, and the same among those with the fewest neighbors: where a sheet has its third corner. The
    // difference of the distances from two corners of one edge grows along that edge.
    for (const bool is_corner : {false, true}) {
      const std::int32_t third_end = far_from_both(vertices, is_corner);
      distances_.find({&third_end, 1}, w_, order);
      for (const std::vector<std::int32_t>* end : {&u_, &v_}) {
        sort_between(*end, w_, vertices, order);
        visit(std::span<const std::int32_t>(order));
      }
    }
    sort_between(u_, v_, vertices, order);
    visit(std::span<const std::int32_t>(order));
    distances_.leave();
  }

 private:
  std::int32_t far_from_both(std::span<const std::int32_t> vertices, bool is_corner) const {
    const auto key = [&](std::int32_t x) {
      const auto degree = std::count_if(graph_.neighbors[at(x)].begin(), graph_.neighbors[at(x)].end(),
                                        [&](const NetGraph::Edge& edge) { return distances_.is_in(edge.other); });
      const std::int32_t distance = std::min(u_[at(x)], v_[at(x)]);
      return std::tuple(distance == 0, is_corner ? degree : 0, -distance, x);
    };
    return *std::min_element(vertices.begin(), vertices.end(),
                             [&](std::int32_t x, std::int32_t y) { return key(x) < key(y); });
  }

  static void sort_between(const std::vector<std::int32_t>& p, const std::vector<std::int32_t>& q,
                           std::span<const std::int32_t> vertices, std::vector<std::int32_t>& order) {
    const auto key = [&](std::int32_t x) { return std::tuple(p[at(x)] - q[at(x)], p[at(x)] + q[at(x)], x); };
    order.assign(vertices.begin(), vertices.end());
    std::sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) { return key(x) < key(y); });
  }

  const NetGraph& graph_;
  Distances distances_;
  std::vector<std::int32_t> u_, v_, w_;
};

// Squares of the rows at the border of a growing front, added up: what a sweep costs. Rows that lead out of the given
// vertices stay open.
double cost_of_sweep(const NetGraph& graph, std::span<const std::int32_t> order, std::vector<char>& is_done) {
  double open = 0.0;
  double cost = 0.0;
  for (const std::int32_t v : order) {
    double closed = 0.0;
    double opened = 0.0;
    for (const NetGraph::Edge& edge : graph.neighbors[at(v)]) {
      (is_done[at(edge.other)] != 0 ? closed : opened) += edge.weight;
    }
    open += opened - closed;
    cost += (closed + 1.0) * open * open;
    is_done[at(v)] = 1;
  }
  for (const std::int32_t v : order) is_done[at(v)] = 0;
  return cost;
}

// Moves vertices from one half to the other as long as fewer rows are cut.
class Refinement {
 public:
  Refinement(const NetGraph& graph, std::span<const std::int32_t> vertices, std::vector<std::int32_t>& side)
      : graph_(graph), vertices_(vertices), side_(side), gain_(graph.size(), 0), is_locked_(graph.size(), 0) {}

  void run() {
    for (int pass = 0; pass < kPasses; ++pass) {
      if (!improve()) return;
    }
  }

 private:
  using Move = std::tuple<std::int32_t, std::int32_t>;  // gain, -vertex

  std::int32_t gain_of(std::int32_t v) const {
    std::int32_t gain = 0;
    for (const NetGraph::Edge& edge : graph_.neighbors[at(v)]) {
      const std::int32_t there = side_[at(edge.other)];
      if (there >= 0) gain += there == side_[at(v)] ? -edge.weight : edge.weight;
    }
    return gain;
  }

  bool improve() {
    std::priority_queue<Move> moves;
    std::size_t count[2] = {0, 0};
    for (const std::int32_t v : vertices_) {
      ++count[at(side_[at(v)])];
      is_locked_[at(v)] = 0;
      gain_[at(v)] = gain_of(v);
      const bool is_at_cut =
          std::any_of(graph_.neighbors[at(v)].begin(), graph_.neighbors[at(v)].end(),
                      [&](const auto& e) { return side_[at(e.other)] >= 0 && side_[at(e.other)] != side_[at(v)]; });
      if (is_at_cut) moves.emplace(gain_[at(v)], -v);
    }
    const auto smallest = static_cast<std::size_t>(kSmallestHalf * static_cast<double>(vertices_.size()));
    std::vector<std::int32_t> moved;
    std::int32_t total = 0;
    std::int32_t best = 0;
    std::size_t best_count = 0;
    while (!moves.empty() && moved.size() < best_count + kMostWorseMoves) {
      const auto [gain, negative] = moves.top();
      moves.pop();
      const std::int32_t v = -negative;
      if (is_locked_[at(v)] != 0 || gain != gain_[at(v)]) continue;
      if (count[at(side_[at(v)])] <= smallest) continue;
      --count[at(side_[at(v)])];
      side_[at(v)] = 1 - side_[at(v)];
      ++count[at(side_[at(v)])];
      is_locked_[at(v)] = 1;
      moved.push_back(v);
      total += gain;
      if (total > best) {
        best = total;
        best_count = moved.size();
      }
      for (const NetGraph::Edge& edge : graph_.neighbors[at(v)]) {
        if (side_[at(edge.other)] < 0 || is_locked_[at(edge.other)] != 0) continue;
        gain_[at(edge.other)] = gain_of(edge.other);
        moves.emplace(gain_[at(edge.other)], -edge.other);
      }
    }
    for (std::size_t i = best_count; i < moved.size(); ++i) side_[at(moved[i])] = 1 - side_[at(moved[i])];
    return best > 0;
  }

  const NetGraph& graph_;
  std::span<const std::int32_t> vertices_;
  std::vector<std::int32_t>& side_;  // of each vertex of the graph; -1: none
  std::vector<std::int32_t> gain_;
  std::vector<char> is_locked_;
};

}  // namespace

std::vector<std::int32_t> sweep_order(const NetGraph& graph, std::span<const std::int32_t> vertices) {
  std::vector<std::int32_t> best(vertices.begin(), vertices.end());
  if (vertices.size() < 2) return best;
  std::vector<char> is_done(graph.size(), 0);
  double least = -1.0;
  Sweeps(graph).visit(vertices, true, [&](std::span<const std::int32_t> order) {
    const double cost = cost_of_sweep(graph, order, is_done);
    if (least >= 0.0 && cost >= least) return;
    least = cost;
    best.assign(order.begin(), order.end());
  });
  return best;
}

Dissection dissect(const NetGraph& graph, std::size_t smallest_part) {
  Dissection result;
  result.vertices.resize(graph.size());
  std::iota(result.vertices.begin(), result.vertices.end(), 0);
  result.parts.push_back({0, static_cast<std::int32_t>(graph.size()), {-1, -1}});
  Sweeps sweeps(graph);
  std::vector<std::int32_t> side(graph.size(), -1);
  std::vector<std::int32_t> best_side;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    const Dissection::Part part = result.parts[p];
    if (at(part.count) < 2 * smallest_part) continue;
    const std::span<std::int32_t> vertices(result.vertices.data() + part.first, at(part.count));
    std::int32_t least = -1;
    sweeps.visit(vertices, false, [&](std::span<const std::int32_t> order) {
      const std::size_t half = order.size() / 2;
      for (std::size_t i = 0; i < order.size(); ++i) side[at(order[i])] = i < half ? 0 : 1;
      std::int32_t cut = 0;
      for (std::size_t i = 0; i < half; ++i) {
        for (const NetGraph::Edge& edge : graph.neighbors[at(order[i])]) {
          if (side[at(edge.other)] == 1) cut += edge.weight;
        }
      }
      if (least >= 0 && cut >= least) return;
      least = cut;
      best_side.clear();
      for (const std::int32_t v : vertices) best_side.push_back(side[at(v)]);
    });
    for (std::size_t i = 0; i < vertices.size(); ++i) side[at(vertices[i])] = best_side[i];
    Refinement(graph, vertices, side).run();
    const auto middle =
        std::stable_partition(vertices.begin(), vertices.end(), [&](std::int32_t v) { return side[at(v)] == 0; });
    for (const std::int32_t v : vertices) side[at(v)] = -1;
    const auto first_count = static_cast<std::int32_t>(middle - vertices.begin());
    result.parts[p].halves[0] = static_cast<std::int32_t>(result.parts.size());
    result.parts[p].halves[1] = result.parts[p].halves[0] + 1;
    result.parts.push_back({part.first, first_count, {-1, -1}});
    result.parts.push_back({part.first + first_count, part.count - first_count, {-1, -1}});
  }
  return result;
}

}  // namespace gelenk::solve
