#include "gelenk/export/machine_tree.h"

#include <algorithm>
#include <numeric>

namespace gelenk::exporting {
namespace {

// Nodes of the graph: the ground, then the parts.
std::size_t node_of(const model::FrameOnPart& frame) { return frame.part.is_set() ? frame.part.index() + 1 : 0; }

class Sets {
 public:
  explicit Sets(std::size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), std::size_t{0}); }
  std::size_t find(std::size_t node) {
    while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
    return node;
  }
  bool unite(std::size_t a, std::size_t b) {
    const std::size_t x = find(a), y = find(b);
    leader_[std::max(x, y)] = std::min(x, y);
    return x != y;
  }

 private:
  std::vector<std::size_t> leader_;
};

// How well a tree can describe the joint: smaller is better.
int reluctance(const model::ObjectType& type) {
  int freedoms = 6;
  for (const model::Primitive primitive : type.primitives) freedoms -= model::row_count(primitive);
  const bool can_be_told =
      &type == &model::kFixed || &type == &model::kRevolute || &type == &model::kPrismatic || &type == &model::kPlanar;
  return freedoms + (can_be_told ? 0 : 6);
}

class TreeMaker {
 public:
  explicit TreeMaker(const model::Machine& machine) : machine_(machine), edges_(machine.parts.size() + 1) {}

  MachineTree make() {
    choose_joints();
    const std::size_t parts = machine_.parts.size();
    is_reached_.assign(parts + 1, false);
    const std::vector<std::size_t> roots = free_roots();
    tree_.has_ground = !edges_[0].empty() || roots.size() != 1;
    if (tree_.has_ground) grow(0);
    for (const std::size_t root : roots) {
      tree_.links.push_back({root - 1, {}, {}, false});
      grow(root);
    }
    return std::move(tree_);
  }

 private:
  struct Edge {
    std::size_t joint = 0, other = 0;
    bool is_first = false;  // the other end is the first frame
  };

  void choose_joints() {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const model::JointNode& joint = machine_.joints[j];
      // What keeps no part in its place leads nowhere.
      const bool is_apart = joint.type == &model::kDistance || joint.type == &model::kKnifeEdge ||
                            joint.type == &model::kRolling || joint.type == &model::kRollingThatSlips ||
                            model::shared_curve(joint.data) != nullptr;
      const bool is_possible = !is_apart && !joint.a.port.is_set() && !joint.b.port.is_set();
      (is_possible ? order : tree_.left).push_back(j);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return reluctance(*machine_.joints[a].type) < reluctance(*machine_.joints[b].type);
    });
    Sets sets(edges_.size());
    for (const std::size_t j : order) {
      const std::size_t a = node_of(machine_.joints[j].a), b = node_of(machine_.joints[j].b);
      if (!sets.unite(a, b)) {
        tree_.cuts.push_back(j);
        continue;
      }
      edges_[a].push_back({j, b, false});
      edges_[b].push_back({j, a, true});
    }
    std::sort(tree_.cuts.begin(), tree_.cuts.end());
    component_.resize(edges_.size());
    for (std::size_t node = 0; node < component_.size(); ++node) component_[node] = sets.find(node);
  }

  // The heaviest part of everything that is not on the ground.
  std::vector<std::size_t> free_roots() const {
    std::vector<std::size_t> heaviest(component_.size(), 0), roots;
    for (std::size_t node = 1; node < component_.size(); ++node) {
      std::size_t& best = heaviest[component_[node]];
      const auto mass = [&](std::size_t of) { return machine_.parts[of - 1].mass_properties.mass; };
      if (best == 0 || mass(node) > mass(best)) best = node;
    }
    for (std::size_t c = 1; c < heaviest.size(); ++c) {
      if (heaviest[c] != 0 && c != component_[0]) roots.push_back(heaviest[c]);
    }
    std::sort(roots.begin(), roots.end());
    return roots;
  }

  void grow(std::size_t root) {
    is_reached_[root] = true;
    std::vector<std::size_t> open{root};
    for (std::size_t next = 0; next < open.size(); ++next) {
      const std::size_t node = open[next];
      for (const Edge& edge : edges_[node]) {
        if (is_reached_[edge.other]) continue;
        is_reached_[edge.other] = true;
        open.push_back(edge.other);
        const std::optional<std::size_t> parent = node == 0 ? std::nullopt : std::optional(node - 1);
        tree_.links.push_back({edge.other - 1, parent, edge.joint, edge.is_first});
      }
    }
  }

  const model::Machine& machine_;
  MachineTree tree_;
  std::vector<std::vector<Edge>> edges_;  // of each node, of the tree only
  std::vector<std::size_t> component_;    // of each node: the smallest node that hangs together with it
  std::vector<bool> is_reached_;
};

}  // namespace

MachineTree machine_tree(const model::Machine& machine) { return TreeMaker(machine).make(); }

}  // namespace gelenk::exporting
