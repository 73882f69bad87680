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
               std::span<std::vector<std::int32_t>> joints)
      : plan_(plan),
        children_(children),
        joints_(joints),
        borders_(children.size()),
        touches_(children.size()),
        local_(plan.masses.size(), kNone) {
    bodies_.resize(children.size());
    for (std::size_t b = 0; b < plan.masses.size(); ++b) {
      bodies_[at(plan.partition.component_of_body[b])].push_back(static_cast<std::int32_t>(b));
    }
  }

  std::vector<CalledBorder> find() {
    for (std::size_t c = 0; c < borders_.size(); ++c) find_bodies(static_cast<std::int32_t>(c));
    for (std::size_t c = 0; c < borders_.size(); ++c) {
      std::vector<std::int32_t>& bodies = borders_[c].bodies;
      std::sort(bodies.begin(), bodies.end());
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (i == 0 || bodies[i] != bodies[i - 1]) touches_[c].push_back(0);
        ++touches_[c].back();
      }
      bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    }
    // Owners come before what they own.
    for (std::size_t c = 0; c < borders_.size(); ++c) look_at(static_cast<std::int32_t>(c));
    return std::move(borders_);
  }

 private:
  // The joint graph of a component, as its program will have it.
  struct Graph {
    std::vector<std::int32_t> bodies;  // of the machine
    std::vector<std::int32_t> numbers;
    std::vector<JointRows> joints;
    BlockTree tree;
  };

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

  Graph graph_of(std::int32_t component) {
    Graph graph;
    const auto add = [&](std::int32_t body) {
      local_[at(body)] = static_cast<std::int32_t>(graph.bodies.size());
      graph.bodies.push_back(body);
      return local_[at(body)];
    };
    for (const std::int32_t body : bodies_[at(component)]) add(body);
    const CalledBorder& own = borders_[at(component)];
    if (own.is_seated) add(own.anchor);
    std::vector<GivenFront> given;
    for (const std::int32_t child : children_[at(component)]) {
      GivenFront& front = given.emplace_back();
      front.is_called = true;
      for (const std::int32_t body : borders_[at(child)].bodies) front.bodies.push_back(add(body));
    }
    for (std::size_t g = 0; g < given.size(); ++g) {
      const CalledBorder& border = borders_[at(children_[at(component)][g])];
      given[g].is_seated = border.is_seated;
      if (border.is_seated) {
        given[g].anchor = local_[at(border.anchor)];
      } else if (!border.is_tied && !given[g].bodies.empty()) {
        given[g].anchor = given[g].bodies[0];  // which of them it will be makes no difference here
      }
    }
    for (const std::int32_t j : joints_[at(component)]) {
      JointRows joint = plan_.machine_layout.joints[at(j)];
      for (std::int32_t* const end : {&joint.a, &joint.b}) *end = *end < 0 ? *end : local_[at(body_of(*end))];
      graph.numbers.push_back(j);
      graph.joints.push_back(joint);
    }
    std::vector<std::int32_t> live, roots;
    for (std::size_t i = 0; i < own.bodies.size(); ++i) {
      if (own.is_live[i] != 0) live.push_back(local_[at(own.bodies[i])]);
    }
    for (const std::int32_t root : own.roots) roots.push_back(local_[at(root)]);
    const std::int32_t anchor = own.anchor == kNone ? kNone : local_[at(own.anchor)];
    graph.tree = make_block_tree(graph.bodies.size(), graph.joints, {live, given, anchor, roots});
    return graph;
  }

  void look_at(std::int32_t component) {
    const std::vector<std::int32_t>& children = children_[at(component)];
    if (children.empty()) return;
    Graph graph = graph_of(component);
    // The program starts from the same bodies, wherever joints go.
    for (const Block& block : graph.tree.blocks) {
      if (block.root != kNone) borders_[at(component)].roots.push_back(graph.bodies[at(block.root)]);
    }
    if (find_seats(component, graph)) graph = graph_of(component);
    for (const std::int32_t child : children) {
      CalledBorder& border = borders_[at(child)];
      border.is_live.assign(border.bodies.size(), 0);
      border.is_loaded.assign(border.bodies.size(), 0);
    }
    std::vector<const Block*> block_of(children.size(), nullptr);
    std::vector<char> is_base(graph.bodies.size(), 0);
    for (const Block& block : graph.tree.blocks) {
      for (const std::int32_t g : block.given) block_of[at(g)] = &block;
      if (block.base >= 0) is_base[at(block.base)] = 1;
    }
    for (const std::int32_t child : children) {
      if (borders_[at(child)].is_seated) is_base[at(local_[at(borders_[at(child)].anchor)])] = 1;
    }
    for (std::size_t g = 0; g < children.size(); ++g) {
      CalledBorder& border = borders_[at(children[g])];
      if (block_of[g] != nullptr) {
        classify(graph.tree, *block_of[g], graph.joints, border);
        find_loads(is_base, borders_[at(component)], border);
      } else if (!border.bodies.empty()) {  // a single body that nothing ties
        border.anchor = border.bodies[0];
      }
    }
  }

  // Joints between a component and the base of its block move inside; whether there are any. All bodies that it shows
  // must be in this block: one of them that is the base of the others is better as the anchor.
  bool find_seats(std::int32_t component, const Graph& graph) {
    const std::vector<std::int32_t>& children = children_[at(component)];
    std::vector<std::int32_t> child_of(graph.bodies.size(), kNone);  // place among the children
    std::vector<const Block*> block_of(children.size(), nullptr);
    for (std::size_t g = 0; g < children.size(); ++g) {
      const std::vector<std::int32_t>& bodies = borders_[at(children[g])].bodies;
      for (const std::int32_t body : bodies) child_of[at(local_[at(body)])] = static_cast<std::int32_t>(g);
    }
    for (const Block& block : graph.tree.blocks) {
      for (const std::int32_t g : block.given) block_of[at(g)] = &block;
    }
    std::vector<std::int32_t> staying;
    std::vector<char> is_moved(graph.joints.size(), 0);
    for (const Block& block : graph.tree.blocks) {
      if (block.base < 0) continue;
      for (const std::int32_t j : block.joints) {
        const JointRows& joint = graph.joints[at(j)];
        if (joint.a != block.base && joint.b != block.base) continue;
        const std::int32_t end = joint.a == block.base ? joint.b : joint.a;
        const std::int32_t g = child_of[at(end)];
        if (g == kNone || g == child_of[at(block.base)]) continue;
        const std::int32_t child = children[at(g)];
        const bool is_single = block_of[at(g)] == nullptr;
        if (borders_[at(child)].is_tied || (!is_single && block_of[at(g)] != &block)) continue;
        is_moved[at(j)] = 1;
        joints_[at(child)].push_back(graph.numbers[at(j)]);
        borders_[at(child)].is_seated = true;
        borders_[at(child)].anchor = graph.bodies[at(block.base)];
        leave(child, graph.bodies[at(end)]);
      }
    }
    for (std::size_t j = 0; j < is_moved.size(); ++j) {
      if (is_moved[j] == 0) staying.push_back(graph.numbers[j]);
    }
    for (const std::int32_t child : children) std::sort(joints_[at(child)].begin(), joints_[at(child)].end());
    joints_[at(component)] = std::move(staying);
    return std::find(is_moved.begin(), is_moved.end(), 1) != is_moved.end();
  }

  // One joint of owners less at a body of a component.
  void leave(std::int32_t component, std::int32_t body) {
    std::vector<std::int32_t>& bodies = borders_[at(component)].bodies;
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), body);
    const auto touched = touches_[at(component)].begin() + (found - bodies.begin());
    if (--*touched > 0) return;
    touches_[at(component)].erase(touched);
    bodies.erase(found);
  }

  void classify(const BlockTree& tree, const Block& block, std::span<const JointRows> joints, CalledBorder& border) {
    if (!border.is_tied && !border.is_seated) {
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
  void find_loads(std::span<const char> is_base, const CalledBorder& own, CalledBorder& border) const {
    for (std::size_t i = 0; i < border.bodies.size(); ++i) {
      const std::int32_t body = border.bodies[i];
      if (body == border.anchor) continue;
      const auto outside = std::find(own.bodies.begin(), own.bodies.end(), body);
      const bool is_handed_on =
          outside != own.bodies.end() && own.is_loaded[static_cast<std::size_t>(outside - own.bodies.begin())] != 0;
      border.is_loaded[i] = is_handed_on || is_base[at(local_[at(body)])] != 0 ? 1 : 0;
    }
  }

  const Plan& plan_;
  std::span<const std::vector<std::int32_t>> children_;
  std::span<std::vector<std::int32_t>> joints_;
  std::vector<CalledBorder> borders_;
  std::vector<std::vector<int>> touches_;          // by component: ends of owners' joints at each body of its border
  std::vector<std::vector<std::int32_t>> bodies_;  // by component
  std::vector<std::int32_t> local_;                // by body: in the component at hand
};

}  // namespace

std::vector<CalledBorder> called_borders(const Plan& plan, std::span<const std::vector<std::int32_t>> children,
                                         std::span<std::vector<std::int32_t>> joints) {
  return BorderFinder(plan, children, joints).find();
}

}  // namespace gelenk::solve
