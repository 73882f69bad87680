#include "gelenk/cad/inference_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gelenk/base/disjoint_sets.h"
#include "gelenk/cad/inference_motion.h"

namespace gelenk::cad {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool is_fixed(const JointCandidate& one) { return one.joint.type == "fixed"; }
bool is_weak(const JointCandidate& one) { return one.joint.only_planes && !one.joint.is_guide && !is_fixed(one); }
Vector3 axis_of(const JointCandidate& one) { return one.joint.X_WA.rotation.col(2); }

// Joints that move, between groups of bodies that are fixed to each other.
class MovingGraph {
 public:
  struct Edge {
    std::size_t joint, a, b;
  };

  MovingGraph(const std::vector<JointCandidate>& joints, std::size_t bodies) : from_(bodies) {
    DisjointSets rigid(bodies);
    for (const JointCandidate& one : joints) {
      if (is_fixed(one)) rigid.join(one.first, one.second);
    }
    for (std::size_t i = 0; i < bodies; ++i) group_.push_back(rigid.leader(i));
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const Edge edge{i, group_[joints[i].first], group_[joints[i].second]};
      if (edge.a == edge.b) continue;
      from_[edge.a].push_back(edges_.size());
      from_[edge.b].push_back(edges_.size());
      edges_.push_back(edge);
    }
  }

  std::size_t group(std::size_t body) const { return group_[body]; }
  const std::vector<Edge>& edges() const { return edges_; }
  // The edges at a group.
  const std::vector<std::size_t>& at(std::size_t group) const { return from_[group]; }

  // Joints on the shortest way from one group to another; kNone: there is no way.
  std::size_t distance(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> steps(group_.size(), kNone);
    std::vector<std::size_t> reached{from};
    steps[from] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::size_t edge : from_[reached[i]]) {
        const std::size_t next = other_end(edge, reached[i]);
        if (steps[next] != kNone) continue;
        steps[next] = steps[reached[i]] + 1;
        reached.push_back(next);
      }
    }
    return steps[to];
  }

  // Edges that share a loop, directly or through others, are in one set: every edge beside a spanning tree closes a
  // loop with the tree's edges between its ends.
  DisjointSets loops() const {
    std::vector<std::size_t> up(group_.size(), kNone), depth(group_.size(), kNone);  // the edge to the parent
    std::vector<bool> is_in_tree(edges_.size(), false);
    for (std::size_t root = 0; root < group_.size(); ++root) {
      if (depth[root] != kNone) continue;
      depth[root] = 0;
      std::vector<std::size_t> reached{root};
      for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const std::size_t edge : from_[reached[i]]) {
          const std::size_t next = other_end(edge, reached[i]);
          if (depth[next] != kNone) continue;
          depth[next] = depth[reached[i]] + 1;
          up[next] = edge;
          is_in_tree[edge] = true;
          reached.push_back(next);
        }
      }
    }
    DisjointSets sets(edges_.size());
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      if (is_in_tree[edge]) continue;
      for (std::size_t a = edges_[edge].a, b = edges_[edge].b; a != b;) {
        std::size_t& deeper = depth[a] >= depth[b] ? a : b;
        sets.join(edge, up[deeper]);
        deeper = other_end(up[deeper], deeper);
      }
    }
    return sets;
  }

 private:
  std::size_t other_end(std::size_t edge, std::size_t one) const {
    return edges_[edge].a == one ? edges_[edge].b : edges_[edge].a;
  }

  std::vector<std::size_t> group_;
  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> from_;
};

// Whether the only joint of a group leaves what the planes hold: a shift along their normal, or a turn across it.
bool needs_planes(const std::vector<JointCandidate>& joints, const MovingGraph& graph, std::size_t group,
                  const JointCandidate& planes) {
  if (graph.at(group).size() != 1) return false;
  const JointCandidate& only = joints[graph.edges()[graph.at(group).front()].joint];
  const bool along = are_parallel_axes(axis_of(only), axis_of(planes));
  return only.joint.type == "spherical" || !along;
}

// Rules 1 to 3.
void choose_planes(std::vector<JointCandidate> found, std::size_t bodies, JointChoice& choice) {
  std::vector<JointCandidate> weak;
  DisjointSets joined(bodies);
  for (JointCandidate& one : found) {
    if (is_weak(one)) {
      weak.push_back(std::move(one));
      continue;
    }
    joined.join(one.first, one.second);
    choice.joints.push_back(std::move(one));
  }
  std::stable_sort(weak.begin(), weak.end(), [](const auto& a, const auto& b) { return a.joint.area > b.joint.area; });
  std::vector<JointCandidate> beside;
  for (JointCandidate& one : weak) {
    if (joined.leader(one.first) == joined.leader(one.second)) {
      beside.push_back(std::move(one));
      continue;
    }
    joined.join(one.first, one.second);
    one.joint.type = "fixed";
    one.joint.reason += ", taken as fixed";
    choice.joints.push_back(std::move(one));
    ++choice.fixed_planes;
  }
  const MovingGraph graph(choice.joints, bodies);
  std::vector<JointCandidate> needed;
  for (JointCandidate& one : beside) {
    const std::size_t a = graph.group(one.first), b = graph.group(one.second);
    constexpr std::size_t kShortestLoop = 3;  // joints; shorter ones are structures
    const bool is_needed = a != b && graph.distance(a, b) >= kShortestLoop &&
                           (needs_planes(choice.joints, graph, a, one) || needs_planes(choice.joints, graph, b, one));
    if (is_needed) {
      needed.push_back(std::move(one));
    } else {
      ++choice.ignored_planes;
    }
  }
  std::move(needed.begin(), needed.end(), std::back_inserter(choice.joints));
  std::stable_sort(choice.joints.begin(), choice.joints.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

// Whether another joint of a loop can move a body along this axis.
bool moves_along(const JointCandidate& other, const Vector3& axis) {
  const std::string& type = other.joint.type;
  const bool is_parallel = are_parallel_axes(axis_of(other), axis);
  if (type == "prismatic") return is_parallel;
  return type == "spherical" || !is_parallel;
}

// Rule 4.
void stop_idle_slides(std::vector<JointCandidate>& joints, std::size_t bodies) {
  // What is left of the score where nobody drew a stop: more in a loop, which holds the pin as well.
  constexpr double kStoppedInLoop = 0.9, kStoppedAlone = 0.75;
  const MovingGraph graph(joints, bodies);
  DisjointSets loops = graph.loops();
  std::vector<std::pair<std::size_t, double>> idle;  // joints, and what is left of their scores
  for (std::size_t i = 0; i < graph.edges().size(); ++i) {
    const JointCandidate& own = joints[graph.edges()[i].joint];
    if (own.joint.type != "cylindrical") continue;
    bool serves = false, is_in_loop = false;
    for (std::size_t k = 0; k < graph.edges().size(); ++k) {
      if (k == i || loops.leader(k) != loops.leader(i)) continue;
      is_in_loop = true;
      serves = serves || moves_along(joints[graph.edges()[k].joint], axis_of(own));
    }
    if (!serves) idle.emplace_back(graph.edges()[i].joint, is_in_loop ? kStoppedInLoop : kStoppedAlone);
  }
  for (const auto& [i, factor] : idle) {
    joints[i].joint.type = "revolute";
    joints[i].joint.score *= factor;
    joints[i].joint.reason += ", taken as held along its axis";
  }
}

}  // namespace

JointChoice choose_joints(std::vector<JointCandidate> found, std::size_t bodies) {
  JointChoice choice;
  choose_planes(std::move(found), bodies, choice);
  stop_idle_slides(choice.joints, bodies);
  return choice;
}

}  // namespace gelenk::cad
