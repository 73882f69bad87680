#include "gelenk/analysis/joint_loops.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

constexpr std::int32_t kNone = -1;

// The graph of bodies (node 0 is the ground) and joints, gone through in depth. A joint from which nothing beyond
// reaches back before it is in no loop.
class LoopSearch {
 public:
  explicit LoopSearch(const system::System& system) : in_loop_(system.joints.size(), true) {
    const std::size_t nodes = system.bodies.size() + 1;
    neighbors_.resize(nodes);
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const std::int32_t a = system.frames[at(system.joints[j].frame_a)].body + 1;
      const std::int32_t b = system.frames[at(system.joints[j].frame_b)].body + 1;
      if (a == b) continue;  // within one body
      const auto joint = static_cast<std::int32_t>(j);
      neighbors_[at(a)].push_back({b, joint});
      neighbors_[at(b)].push_back({a, joint});
    }
    found_.assign(nodes, kNone);
    reached_.assign(nodes, kNone);
  }

  std::vector<bool> run() {
    for (std::size_t node = 0; node < neighbors_.size(); ++node) {
      if (found_[node] == kNone) search_from(static_cast<std::int32_t>(node));
    }
    return std::move(in_loop_);
  }

 private:
  struct Visit {
    std::int32_t node;
    std::int32_t joint;  // by which it was found
    std::size_t next;    // neighbor to look at
  };

  void enter(std::int32_t node, std::int32_t joint) {
    found_[at(node)] = reached_[at(node)] = count_++;
    path_.push_back({node, joint, 0});
  }

  // Without recursion: a chain may have as many links as it likes.
  void search_from(std::int32_t start) {
    enter(start, kNone);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      const auto& neighbors = neighbors_[at(visit.node)];
      if (visit.next < neighbors.size()) {
        const auto [node, joint] = neighbors[visit.next++];
        if (joint == visit.joint) continue;
        if (found_[at(node)] == kNone) {
          enter(node, joint);
        } else {
          reached_[at(visit.node)] = std::min(reached_[at(visit.node)], found_[at(node)]);
        }
        continue;
      }
      const Visit done = visit;
      path_.pop_back();
      if (path_.empty()) break;
      const std::int32_t inner = path_.back().node;
      reached_[at(inner)] = std::min(reached_[at(inner)], reached_[at(done.node)]);
      if (reached_[at(done.node)] > found_[at(inner)]) in_loop_[at(done.joint)] = false;
    }
  }

  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> neighbors_;  // node, joint
  std::vector<std::int32_t> found_;                                            // when each node was found
  std::vector<std::int32_t> reached_;  // the earliest node that it and all beyond it are joined with
  std::vector<Visit> path_;
  std::vector<bool> in_loop_;
  std::int32_t count_ = 0;
};

}  // namespace

std::vector<bool> joints_in_loops(const system::System& system) {
  std::vector<bool> in_loop = LoopSearch(system).run();
  // A coupling closes a loop over its joints.
  for (const system::CouplingTerm& term : system.coupling_terms) {
    in_loop[at(system.coordinates[at(term.coordinate)].joint)] = true;
  }
  return in_loop;
}

}  // namespace gelenk::analysis
