#include "gelenk/solve/joint_graph.h"

#include <algorithm>
#include <utility>

namespace gelenk::solve {
namespace {

// A body with more joints than this is a hub: what hangs on it stays independent when it is the root.
constexpr std::size_t kHubJoints = 4;
// Smaller groups need no search for an end.
constexpr std::size_t kSmallGroup = 8;

struct Edge {
  std::int32_t other = 0;
  std::int32_t edge = 0;
};

class BlockFinder {
 public:
  BlockFinder(std::size_t body_count, std::span<const JointRows> joints, const GraphBorders& borders)
      : ground_(static_cast<std::int32_t>(body_count)), neighbors_(body_count + 1), roots_(borders.roots) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const JointRows& joint = joints[j];
      if (joint.a == joint.b) {
        tree_.idle.push_back(static_cast<std::int32_t>(j));
        continue;
      }
      connect(vertex(joint.a), vertex(joint.b), {Origin::Kind::joint, static_cast<std::int32_t>(j)});
    }
    const std::int32_t anchor = borders.anchor;
    if (anchor != kNone) connect(anchor, ground_, {Origin::Kind::border, anchor});
    for (const std::int32_t body : borders.borders) connect(body, vertex(anchor), {Origin::Kind::border, body});
    for (std::size_t g = 0; g < borders.given.size(); ++g) {
      const GivenFront& given = borders.given[g];
      std::vector<std::int32_t> bodies = given.bodies;
      if (given.is_seated) bodies.push_back(given.anchor);
      const Origin origin{Origin::Kind::given, static_cast<std::int32_t>(g)};
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!given.is_called || given.anchor == kNone) connect(bodies[i], ground_, origin);
        if (i > 0) connect(bodies[i - 1], bodies[i], origin);
      }
      if (given.is_called && bodies.size() > 2) connect(bodies.back(), bodies.front(), origin);
    }
  }

  BlockTree find() {
    add_roots();
    search();
    return std::move(tree_);
  }

 private:
  // What an edge stands for.
  struct Origin {
    enum class Kind { joint, root, border, given } kind;
    std::int32_t index;
  };
  struct Open {
    std::int32_t vertex;
    std::int32_t edge;  // it was reached by
    std::size_t next = 0;
  };

  std::int32_t vertex(std::int32_t body) const { return body < 0 ? ground_ : body; }

  void connect(std::int32_t a, std::int32_t b, const Origin& origin) {
    const auto edge = static_cast<std::int32_t>(origins_.size());
    origins_.push_back(origin);
    neighbors_[static_cast<std::size_t>(a)].push_back({b, edge});
    neighbors_[static_cast<std::size_t>(b)].push_back({a, edge});
  }

  // Vertices in the order in which they are reached from `start`; sets levels.
  std::vector<std::int32_t> flood(std::int32_t start, std::vector<std::int32_t>& level) const {
    std::vector<std::int32_t> reached{start};
    level[static_cast<std::size_t>(start)] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Edge& edge : neighbors_[static_cast<std::size_t>(reached[i])]) {
        std::int32_t& there = level[static_cast<std::size_t>(edge.other)];
        if (there >= 0) continue;
        there = level[static_cast<std::size_t>(reached[i])] + 1;
        reached.push_back(edge.other);
      }
    }
    return reached;
  }

  std::size_t degree(std::int32_t v) const { return neighbors_[static_cast<std::size_t>(v)].size(); }

  // Twice to the far end and back: the root of a long group is one of its ends.
  std::int32_t find_root(const std::vector<std::int32_t>& group) const {
    std::int32_t root = *std::max_element(group.begin(), group.end(), [this](std::int32_t p, std::int32_t q) {
      return degree(p) != degree(q) ? degree(p) < degree(q) : p > q;
    });
    if (degree(root) > kHubJoints || group.size() <= kSmallGroup) return root;
    std::vector<std::int32_t> level(neighbors_.size(), -1);
    for (int pass = 0; pass < 3; ++pass) {
      for (const std::int32_t v : group) level[static_cast<std::size_t>(v)] = -1;
      const std::vector<std::int32_t> reached = flood(root, level);
      const std::int32_t last = level[static_cast<std::size_t>(reached.back())];
      root = reached.back();
      for (const std::int32_t v : reached) {
        if (level[static_cast<std::size_t>(v)] != last) continue;
        if (degree(v) < degree(root) || (degree(v) == degree(root) && v < root)) root = v;
      }
    }
    return root;
  }

  void add_roots() {
    std::vector<std::int32_t> level(neighbors_.size(), -1);
    flood(ground_, level);
    for (std::int32_t b = 0; b < ground_; ++b) {
      if (level[static_cast<std::size_t>(b)] >= 0) continue;
      const std::vector<std::int32_t> group = flood(b, level);
      const auto wanted = std::find_first_of(group.begin(), group.end(), roots_.begin(), roots_.end());
      const std::int32_t root = wanted == group.end() ? find_root(group) : *wanted;
      connect(root, ground_, {Origin::Kind::root, root});
    }
    tree_.level.assign(neighbors_.size(), -1);
    flood(ground_, tree_.level);
  }

  // Depth-first search with a stack of edges; a vertex from which no edge leads above its predecessor ends a block.
  void search() {
    std::vector<std::int32_t> number(neighbors_.size(), -1);
    std::vector<std::int32_t> low(neighbors_.size(), 0);
    std::vector<char> is_used(origins_.size(), 0);
    std::vector<std::int32_t> edges;
    std::int32_t count = 0;
    const auto open = [&](std::int32_t v, std::int32_t edge) {
      number[static_cast<std::size_t>(v)] = low[static_cast<std::size_t>(v)] = count++;
      stack_.push_back({v, edge});
    };
    open(ground_, -1);
    while (!stack_.empty()) {
      Open& top = stack_.back();
      const auto v = static_cast<std::size_t>(top.vertex);
      if (top.next < neighbors_[v].size()) {
        const Edge edge = neighbors_[v][top.next++];
        if (is_used[static_cast<std::size_t>(edge.edge)] != 0) continue;
        is_used[static_cast<std::size_t>(edge.edge)] = 1;
        edges.push_back(edge.edge);
        const auto other = static_cast<std::size_t>(edge.other);
        if (number[other] < 0) {
          open(edge.other, edge.edge);
        } else {
          low[v] = std::min(low[v], number[other]);
        }
        continue;
      }
      const Open done = top;
      stack_.pop_back();
      if (stack_.empty()) break;
      const auto before = static_cast<std::size_t>(stack_.back().vertex);
      low[before] = std::min(low[before], low[v]);
      if (low[v] >= number[before]) take_block(stack_.back().vertex, done.edge, edges);
    }
  }

  void take_block(std::int32_t base, std::int32_t last, std::vector<std::int32_t>& edges) {
    Block block;
    block.base = base == ground_ ? -1 : base;
    for (;;) {
      const std::int32_t edge = edges.back();
      edges.pop_back();
      const Origin& origin = origins_[static_cast<std::size_t>(edge)];
      switch (origin.kind) {
        case Origin::Kind::joint:
          block.joints.push_back(origin.index);
          break;
        case Origin::Kind::root:
          block.root = origin.index;
          break;
        case Origin::Kind::border:
          block.borders.push_back(origin.index);
          break;
        case Origin::Kind::given:
          block.given.push_back(origin.index);
          break;
      }
      if (edge == last) break;
    }
    for (std::vector<std::int32_t>* list : {&block.joints, &block.borders, &block.given}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    tree_.blocks.push_back(std::move(block));
  }

  std::int32_t ground_;
  std::vector<std::vector<Edge>> neighbors_;
  std::vector<Origin> origins_;  // of each edge
  std::vector<Open> stack_;
  std::span<const std::int32_t> roots_;
  BlockTree tree_;
};

}  // namespace

BlockTree make_block_tree(std::size_t body_count, std::span<const JointRows> joints, const GraphBorders& borders) {
  return BlockFinder(body_count, joints, borders).find();
}

}  // namespace gelenk::solve
