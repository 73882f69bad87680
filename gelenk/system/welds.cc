#include "gelenk/system/welds.h"

#include <algorithm>
#include <variant>

namespace gelenk::system {
namespace {

constexpr std::int32_t kGroundNode = -1;

std::int32_t node_of(const model::FrameOnPart& frame) {
  return frame.part.is_set() ? static_cast<std::int32_t>(frame.part.index()) : kGroundNode;
}

// Inside one assembly: borders of components stay borders.
bool is_weld(const model::Machine& machine, const model::JointNode& joint) {
  if (!std::holds_alternative<model::Fixed>(joint.data)) return false;
  for (const model::FrameOnPart* frame : {&joint.a, &joint.b}) {
    if (frame->port.is_set()) return false;
    if (frame->part.is_set() && machine.parts[frame->part.index()].assembly != joint.assembly) return false;
  }
  return true;
}

struct Link {
  std::int32_t joint = -1;
  std::int32_t other = kGroundNode;
};

class Search {
 public:
  Search(const model::Machine& machine, bool merge) : machine_(machine), links_(machine.parts.size() + 1) {
    for (std::size_t j = 0; merge && j < machine.joints.size(); ++j) {
      const model::JointNode& joint = machine.joints[j];
      if (!is_weld(machine, joint)) continue;
      const std::int32_t a = node_of(joint.a);
      const std::int32_t b = node_of(joint.b);
      links(a).push_back({static_cast<std::int32_t>(j), b});
      links(b).push_back({static_cast<std::int32_t>(j), a});
    }
  }

  Welds run() {
    joint_used_.assign(machine_.joints.size(), false);
    seen_.assign(machine_.parts.size() + 1, false);
    seen_[0] = true;
    WeldGroup ground{{}, true};
    visit(kGroundNode, ground);
    if (!ground.parts.empty()) add(std::move(ground));
    for (std::size_t p = 0; p < machine_.parts.size(); ++p) {
      if (seen_[p + 1]) continue;
      seen_[p + 1] = true;
      WeldGroup group{{static_cast<std::int32_t>(p)}, false};
      visit(static_cast<std::int32_t>(p), group);
      add(std::move(group));
    }
    return std::move(result_);
  }

 private:
  std::vector<Link>& links(std::int32_t node) { return links_[static_cast<std::size_t>(node + 1)]; }

  void add(WeldGroup group) {
    if (!group.is_ground) std::sort(group.parts.begin() + 1, group.parts.end());
    result_.groups.push_back(std::move(group));
  }

  // Depth first; returns the parts found below the node.
  std::vector<std::int32_t> visit(std::int32_t node, WeldGroup& group) {
    std::vector<std::int32_t> below;
    for (const Link& link : links(node)) {
      const auto joint = static_cast<std::size_t>(link.joint);
      if (joint_used_[joint]) continue;
      joint_used_[joint] = true;
      const auto place = static_cast<std::size_t>(link.other + 1);
      if (seen_[place]) {
        result_.closures.push_back(link.joint);
        continue;
      }
      seen_[place] = true;
      group.parts.push_back(link.other);
      const std::size_t edge = result_.edges.size();
      result_.edges.push_back({link.joint, {}, node_of(machine_.joints[joint].b) == link.other});
      std::vector<std::int32_t> far = visit(link.other, group);
      far.push_back(link.other);
      below.insert(below.end(), far.begin(), far.end());
      result_.edges[edge].far_parts = std::move(far);
    }
    return below;
  }

  const model::Machine& machine_;
  std::vector<std::vector<Link>> links_;  // of the ground, then of each part
  std::vector<bool> joint_used_;
  std::vector<bool> seen_;
  Welds result_;
};

}  // namespace

Welds find_welds(const model::Machine& machine, bool merge) { return Search(machine, merge).run(); }

std::vector<Pose> poses_in_groups(const model::Machine& machine, const Welds& welds) {
  std::vector<Pose> poses(machine.parts.size());
  const auto pose_of = [&](const model::FrameOnPart& frame) {
    return frame.part.is_set() ? poses[frame.part.index()] : Pose{};
  };
  // Edges come in the order of the search: the near side is placed before the far side.
  for (const WeldEdge& edge : welds.edges) {
    const model::JointNode& joint = machine.joints[static_cast<std::size_t>(edge.joint)];
    const model::FrameOnPart& near = edge.far_is_second ? joint.a : joint.b;
    const model::FrameOnPart& far = edge.far_is_second ? joint.b : joint.a;
    poses[far.part.index()] = pose_of(near) * near.X_PF * far.X_PF.inverse();
  }
  return poses;
}

}  // namespace gelenk::system
