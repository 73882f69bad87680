#include "gelenk/solve/called_borders.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/joint_graph.h"

namespace gelenk::solve {
namespace {

class BorderFinder {
 public:
  BorderFinder(const Plan& plan, std::span<const std::vector<std::int32_t>> children,
               std::span<const std::vector<std::int32_t>> joints)
      : plan_(plan),
        children_(children),
        joints_(joints),
        borders_(children.size()),
        local_(plan.masses.size(), kNone) {
    bodies_.resize(children.size());
    for (std::size_t b = 0; b < plan.masses.size(); ++b) {
      bodies_[at(plan.partition.component_of_body[b])].push_back(static_cast<std::int32_t>(b));
    }
  }

  std::vector<CalledBorder> find() {
    for (std::size_t c = 0; c < borders_.size(); ++c) find_bodies(static_cast<std::int32_t>(c));
    for (CalledBorder& border : borders_) {
      std::sort(border.bodies.begin(), border.bodies.end());
      border.bodies.erase(std::unique(border.bodies.begin(), border.bodies.end()), border.bodies.end());
      border.is_live.assign(border.bodies.size(), 0);
      border.is_loaded.assign(border.bodies.size(), 0);
    }
    // Owners come before what they own.
    for (std::size_t c = 0; c < borders_.size(); ++c) look_at(static_cast<std::int32_t>(c));
    return std::move(borders_);
  }

 private:
  std::int32_t body_of(std::int32_t end) const {
    const auto bodies = static_cast<std::int32_t>(plan_.masses.size());
    return end < bodies ? end : plan_.ports[at(end - bodies)].body;
  }

  // Ends of the joints of a component that are inside others, and whether it is tied to the ground.
  void find_bodies(std::int32_t component) {
    for (const std::int32_t j : joints_[at(component)]) {
      const JointRows& joint = plan_.machine_layout.joints[at(j)];
      if (joint.a < 0 || joint.b < 0) {
        for (std::int32_t c = component; c != kNone; c = plan_.partition.owner[at(c)]) borders_[at(c)].is_tied = true;
      }
      for (const std::int32_t end : {joint.a, joint.b}) {
        if (end < 0) continue;
        const std::int32_t body = body_of(end);
        std::int32_t c = plan_.partition.component_of_body[at(body)];
        for (; c != component; c = plan_.partition.owner[at(c)]) borders_[at(c)].bodies.push_back(body);
      }
    }
  }

  // The joint graph of a component, as its program will have it.
  BlockTree graph_of(std::int32_t component, std::vector<JointRows>& joints) {
    std::int32_t count = 0;
    for (const std::int32_t body : bodies_[at(component)]) local_[at(body)] = count++;
    std::vector<GivenFront> given;
    for (const std::int32_t child : children_[at(component)]) {
      GivenFront& front = given.emplace_back();
      front.is_called = true;
      for (const std::int32_t body : borders_[at(child)].bodies) {
        front.bodies.push_back(local_[at(body)] = count);
        ++count;
      }
      // Which of them it will be makes no difference here.
      if (!borders_[at(child)].is_tied && !front.bodies.empty()) front.anchor = front.bodies[0];
    }
    for (const std::int32_t j : joints_[at(component)]) {
      JointRows joint = plan_.machine_layout.joints[at(j)];
      for (std::int32_t* const end : {&joint.a, &joint.b}) *end = *end < 0 ? *end : local_[at(body_of(*end))];
      joints.push_back(joint);
    }
    const CalledBorder& own = borders_[at(component)];
    std::vector<std::int32_t> live;
    for (std::size_t i = 0; i < own.bodies.size(); ++i) {
      if (own.is_live[i] != 0) live.push_back(local_[at(own.bodies[i])]);
    }
    const std::int32_t anchor = own.anchor == kNone ? kNone : local_[at(own.anchor)];
    return make_block_tree(at(count), joints, live, given, anchor);
  }

  void look_at(std::int32_t component) {
    if (children_[at(component)].empty()) return;
    std::vector<JointRows> joints;
    const BlockTree tree = graph_of(component, joints);
    for (std::size_t g = 0; g < children_[at(component)].size(); ++g) {
      CalledBorder& border = borders_[at(children_[at(component)][g])];
      const auto block = std::find_if(tree.blocks.begin(), tree.blocks.end(), [&](const Block& one) {
        return std::find(one.given.begin(), one.given.end(), static_cast<std::int32_t>(g)) != one.given.end();
      });
      if (block == tree.blocks.end()) {  // a single body that nothing ties
        if (!border.bodies.empty()) border.anchor = border.bodies[0];
        continue;
      }
      classify(tree, *block, joints, border);
      find_loads(tree, borders_[at(component)], border);
    }
  }

  void classify(const BlockTree& tree, const Block& block, std::span<const JointRows> joints, CalledBorder& border) {
    if (!border.is_tied) {
      // The base of the block, or what is nearest to it; of several the heaviest, which loses the fewest digits.
      const auto key = [&](std::int32_t body) {
        const std::int32_t place = local_[at(body)];
        return std::pair(place == block.base ? -1 : tree.level[at(place)], -plan_.masses[at(body)].mass);
      };
      border.anchor = *std::min_element(border.bodies.begin(), border.bodies.end(),
                                        [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    }
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      if (border.bodies[i] == border.anchor) continue;
      const std::int32_t place = local_[at(border.bodies[i])];
      const bool is_passed = std::any_of(block.joints.begin(), block.joints.end(), [&](std::int32_t j) {
        return joints[at(j)].a == place || joints[at(j)].b == place;
      });
      const bool is_border = std::find(block.borders.begin(), block.borders.end(), place) != block.borders.end();
      border.is_live[i] = is_passed || is_border ? 1 : 0;
    }
  }

  // Bodies on which something hangs, here or at an owner of this component.
  void find_loads(const BlockTree& tree, const CalledBorder& own, CalledBorder& border) const {
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      const std::int32_t body = border.bodies[i];
      if (body == border.anchor) continue;
      const auto outside = std::find(own.bodies.begin(), own.bodies.end(), body);
      const bool is_handed_on =
          outside != own.bodies.end() && own.is_loaded[static_cast<std::size_t>(outside - own.bodies.begin())] != 0;
      const bool is_base = std::any_of(tree.blocks.begin(), tree.blocks.end(),
                                       [&](const Block& block) { return block.base == local_[at(body)]; });
      border.is_loaded[i] = is_handed_on || is_base ? 1 : 0;
    }
  }

  const Plan& plan_;
  std::span<const std::vector<std::int32_t>> children_, joints_;
  std::vector<CalledBorder> borders_;
  std::vector<std::vector<std::int32_t>> bodies_;  // by component
  std::vector<std::int32_t> local_;                // by body: in the component at hand
};

}  // namespace

std::vector<CalledBorder> called_borders(const Plan& plan, std::span<const std::vector<std::int32_t>> children,
                                         std::span<const std::vector<std::int32_t>> joints) {
  return BorderFinder(plan, children, joints).find();
}

}  // namespace gelenk::solve
