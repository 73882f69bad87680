#include "gelenk/solve/network_planner.h"

#include <algorithm>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination_cost.h"

namespace gelenk::solve {
namespace {

// Parts of a net that are taken in one sweep have at most so many vertices; the best one is found by trying.
constexpr std::size_t kLeafSizes[] = {256, 64, 16};
constexpr std::size_t kSmallestLeaf = 8;

}  // namespace

NetworkPlanner::NetworkPlanner(std::span<const JointRows> joints, std::size_t body_count,
                               std::span<const std::int32_t> borders, std::span<const GivenFront> given)
    : joints_(joints),
      given_(given),
      is_border_(body_count, 0),
      joints_of_(body_count),
      is_open_(joints.size(), 0),
      slots_{std::vector<std::int32_t>(joints.size(), kNone), std::vector<std::int32_t>(joints.size(), kNone)},
      units_(body_count, kNone),
      front_of_(body_count, kNone),
      open_count_(body_count, 0),
      vertex_of_(body_count, kNone) {
  for (const std::int32_t body : borders) is_border_[at(body)] = 1;
}

std::int32_t NetworkPlanner::rows_of(std::int32_t joint) const {
  return static_cast<std::int32_t>(joints_[at(joint)].row_count());
}

std::int32_t NetworkPlanner::other_end(std::int32_t joint, std::int32_t body) const {
  return joints_[at(joint)].a == body ? joints_[at(joint)].b : joints_[at(joint)].a;
}

void NetworkPlanner::make_graph(const Block& block, std::span<const std::int32_t> bodies) {
  vertices_.clear();
  for (const std::int32_t body : bodies) vertex_of_[at(body)] = kNone;
  for (const std::int32_t g : block.given) {
    for (const std::int32_t body : given_[at(g)].bodies) {
      vertex_of_[at(body)] = static_cast<std::int32_t>(vertices_.size());
      joints_of_[at(body)].clear();
    }
    vertices_.push_back({kNone, g});
  }
  for (const std::int32_t body : bodies) {
    joints_of_[at(body)].clear();
    if (vertex_of_[at(body)] != kNone) continue;
    vertex_of_[at(body)] = static_cast<std::int32_t>(vertices_.size());
    vertices_.push_back({body, kNone});
  }
  graph_.neighbors.assign(vertices_.size(), {});
  graph_.is_held.assign(vertices_.size(), 0);
  for (const std::int32_t j : block.joints) {
    const JointRows& joint = joints_[at(j)];
    for (const std::int32_t body : {joint.a, joint.b}) {
      if (is_outside(body)) continue;
      joints_of_[at(body)].push_back(j);
      const std::int32_t other = other_end(j, body);
      const std::int32_t vertex = vertex_of_[at(body)];
      if (is_outside(other)) {
        graph_.is_held[at(vertex)] = 1;
      } else if (vertex_of_[at(other)] != vertex) {
        graph_.neighbors[at(vertex)].push_back({vertex_of_[at(other)], rows_of(j)});
      }
    }
  }
}

void NetworkPlanner::reset(const Block& block) {
  plan_ = {};
  fronts_.clear();
  for (const Vertex& vertex : vertices_) {
    const std::span<const std::int32_t> bodies = vertex.given == kNone
                                                     ? std::span(&vertex.body, 1)
                                                     : std::span<const std::int32_t>(given_[at(vertex.given)].bodies);
    for (const std::int32_t body : bodies) {
      units_[at(body)] = front_of_[at(body)] = kNone;
      open_count_[at(body)] = static_cast<std::int32_t>(joints_of_[at(body)].size());
    }
  }
  for (const std::int32_t j : block.joints) {
    is_open_[at(j)] = 1;
    slots_[0][at(j)] = slots_[1][at(j)] = kNone;
  }
}

NetworkPlan NetworkPlanner::plan(const Block& block, std::span<const std::int32_t> bodies,
                                 std::span<const char> is_loaded) {
  base_ = block.base;
  make_graph(block, bodies);
  Dissection whole;
  whole.vertices.resize(graph_.size());
  for (std::size_t v = 0; v < graph_.size(); ++v) whole.vertices[v] = static_cast<std::int32_t>(v);
  whole.parts.push_back({0, static_cast<std::int32_t>(graph_.size()), {-1, -1}});
  NetworkPlan best = write(block, whole, graph_.size(), is_loaded);
  if (graph_.size() < 4 * kSmallestLeaf) return best;
  const Dissection dissection = dissect(graph_, kSmallestLeaf);
  for (const std::size_t leaf : kLeafSizes) {
    if (2 * leaf > graph_.size()) continue;
    NetworkPlan other = write(block, dissection, leaf, is_loaded);
    if (other.cost.factor + other.cost.sweep < best.cost.factor + best.cost.sweep) best = std::move(other);
  }
  return best;
}

NetworkPlan NetworkPlanner::write(const Block& block, const Dissection& dissection, std::size_t largest_leaf,
                                  std::span<const char> is_loaded) {
  reset(block);
  // Halves come after their part: backwards, both fronts are there when they are merged. Two visits keep the ops of a
  // half together.
  std::vector<std::int32_t> front(dissection.parts.size(), kNone);
  std::vector<std::pair<std::int32_t, bool>> stack{{0, false}};
  while (!stack.empty()) {
    const auto [p, is_second_visit] = stack.back();
    stack.pop_back();
    const Dissection::Part& part = dissection.parts[at(p)];
    if (is_second_visit) {
      front[at(p)] = merge(front[at(part.halves[0])], front[at(part.halves[1])]);
    } else if (part.halves[0] == kNone || at(part.count) <= largest_leaf) {
      for (const std::int32_t v : sweep_order(graph_, dissection.vertices_of(part))) {
        front[at(p)] = enter(front[at(p)], vertices_[at(v)], is_loaded);
      }
    } else {
      stack.emplace_back(p, true);
      stack.emplace_back(part.halves[1], false);
      stack.emplace_back(part.halves[0], false);
    }
  }
  if (front[0] != kNone) plan_.published.push_back(fronts_[at(front[0])].op);
  return std::move(plan_);
}

std::int32_t NetworkPlanner::enter(std::int32_t front, const Vertex& vertex, std::span<const char> is_loaded) {
  if (vertex.given == kNone) return ended(enter_body(front, vertex.body));
  return merge(front, ended(close_within(enter_given(vertex.given, is_loaded))));
}

Op& NetworkPlanner::add_join(std::int32_t body, std::int32_t first, std::int32_t second) {
  Op& op = plan_.ops.emplace_back();
  op.kind = OpKind::join;
  op.body = body;
  op.base = base_;
  op.source[0] = first == kNone ? kNone : fronts_[at(first)].op;
  op.source[1] = second == kNone ? kNone : fronts_[at(second)].op;
  op.first_closing = static_cast<std::int32_t>(plan_.closing.size());
  op.network = static_cast<std::int32_t>(plan_.networks.size());
  Network& network = plan_.networks.emplace_back();
  network.first_pending = static_cast<std::int32_t>(plan_.pending.size());
  network.first_pick = static_cast<std::int32_t>(plan_.picks.size());
  return op;
}

// A joint whose bodies are in the front `first`, in another one, the new body, or outside.
void NetworkPlanner::add_closing(Op& op, std::int32_t joint, std::int32_t first, std::int32_t new_body) {
  const JointRows& rows = joints_[at(joint)];
  Closing closing{joint, Closing::kGround, Closing::kGround};
  for (const bool is_b : {false, true}) {
    const std::int32_t body = is_b ? rows.b : rows.a;
    std::int32_t& place = is_b ? closing.place_b : closing.place_a;
    if (body < 0) continue;
    if (body == base_ || body == new_body) {
      place = body == base_ ? Closing::kBase : Closing::kNew;
      continue;
    }
    const bool has_units = units_[at(body)] != kNone;
    place = Closing::pack({has_units ? units_[at(body)] : slots_[is_b ? 1 : 0][at(joint)], front_of_[at(body)] != first,
                           has_units, !is_alive(body)});
  }
  plan_.closing.push_back(closing);
  ++op.closing_count;
  op.row_count += rows_of(joint);
}

// A closed joint and a body without joints to come need no slots any more.
void NetworkPlanner::free_slots(Front& front, std::int32_t joint, std::int32_t body) {
  const std::size_t side = joints_[at(joint)].b == body ? 1 : 0;
  std::int32_t first = slots_[side][at(joint)];
  std::int32_t count = rows_of(joint);
  if (units_[at(body)] != kNone) {
    if (is_alive(body)) return;
    first = units_[at(body)];
    count = 6;
  }
  std::fill_n(front.is_used.begin() + first, count, char{0});
}

// The lowest slots in a row that are not used.
std::int32_t NetworkPlanner::take_slots(Front& front, std::int32_t count) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < front.is_used.size() && i - first < at(count); ++i) {
    if (front.is_used[i] != 0) first = i + 1;
  }
  if (front.is_used.size() < first + at(count)) front.is_used.resize(first + at(count), 0);
  std::fill_n(front.is_used.begin() + static_cast<std::ptrdiff_t>(first), count, char{1});
  return static_cast<std::int32_t>(first);
}

void NetworkPlanner::add_live(Op& op, const Front& front) {
  op.first_live = static_cast<std::int32_t>(plan_.live.size());
  for (const std::int32_t body : front.bodies) {
    if (is_border_[at(body)] == 0) continue;
    plan_.live.push_back(body);
    plan_.kept.push_back(units_[at(body)]);
  }
  op.live_count = static_cast<std::int32_t>(plan_.live.size()) - op.first_live;
}

void NetworkPlanner::drop_dead(Front& front) const {
  std::erase_if(front.bodies, [this](std::int32_t body) { return !is_alive(body); });
}

void NetworkPlanner::finish_join(Op& op, Front& front, std::int32_t slots_in) {
  while (!front.is_used.empty() && front.is_used.back() == 0) front.is_used.pop_back();
  Network& network = plan_.networks[at(op.network)];
  network.slots = static_cast<std::int32_t>(front.is_used.size());
  if (op.source[1] == kNone) {
    for (std::size_t i = 0; i < front.is_used.size(); ++i) {
      if (front.is_used[i] == 0) plan_.picks.push_back(static_cast<std::int32_t>(i));
    }
    network.pick_count[0] = static_cast<std::int32_t>(plan_.picks.size()) - network.first_pick;
  }
  if (op.source[0] == kNone || op.source[1] != kNone) front.head = op.network;
  Network& head = plan_.networks[at(front.head)];
  head.capacity = std::max(head.capacity, network.slots);
  if (op.row_count > 0) op.decision = plan_.decision_count++;
  op.planned_rank = op.row_count;
  front.op = static_cast<std::int32_t>(plan_.ops.size()) - 1;
  drop_dead(front);
  add_live(op, front);
  plan_.cost += join_cost(op, network, at(slots_in));
}

std::int32_t NetworkPlanner::enter_body(std::int32_t front, std::int32_t body) {
  Op& op = add_join(body, front, kNone);
  if (front == kNone) {
    front = static_cast<std::int32_t>(fronts_.size());
    fronts_.emplace_back();
  }
  Front& ours = fronts_[at(front)];
  const auto slots_in = static_cast<std::int32_t>(ours.is_used.size());
  const auto closes = [&](std::int32_t j) {
    const std::int32_t other = other_end(j, body);
    return is_outside(other) || front_of_[at(other)] == front;
  };
  std::vector<std::int32_t> closing;
  std::copy_if(joints_of_[at(body)].begin(), joints_of_[at(body)].end(), std::back_inserter(closing), closes);
  std::int32_t seen = 0;
  for (const std::int32_t j : closing) {
    is_open_[at(j)] = 0;
    --open_count_[at(body)];
    if (const std::int32_t other = other_end(j, body); !is_outside(other)) --open_count_[at(other)];
    seen += rows_of(j);
  }
  for (const std::int32_t j : closing) add_closing(op, j, front, body);
  for (const std::int32_t j : closing) {
    if (const std::int32_t other = other_end(j, body); !is_outside(other)) free_slots(ours, j, other);
  }
  std::int32_t rows = 0;
  for (const std::int32_t j : joints_of_[at(body)]) rows += is_open_[at(j)] != 0 ? rows_of(j) : 0;
  Network& network = plan_.networks[at(op.network)];
  if (is_border_[at(body)] != 0 || rows > 6) {
    units_[at(body)] = network.units = take_slots(ours, 6);
    rows = 6;
  } else {
    for (const std::int32_t j : joints_of_[at(body)]) {
      if (is_open_[at(j)] == 0) continue;
      const std::int32_t slot = take_slots(ours, rows_of(j));
      slots_[joints_[at(j)].b == body ? 1 : 0][at(j)] = slot;
      plan_.pending.push_back({j, slot});
    }
    network.pending_count = static_cast<std::int32_t>(plan_.pending.size()) - network.first_pending;
  }
  front_of_[at(body)] = front;
  ours.bodies.push_back(body);
  network.staying = rows;
  network.seen = seen + rows;
  finish_join(op, ours, slots_in);
  return front;
}

// What another component publishes, with what hangs on its bodies: these have no inertia of their own, and what hangs
// on them enters by their root.
std::int32_t NetworkPlanner::enter_given(std::int32_t given, std::span<const char> is_loaded) {
  const std::vector<std::int32_t>& bodies = given_[at(given)].bodies;
  const auto front = static_cast<std::int32_t>(fronts_.size());
  Front& ours = fronts_.emplace_back();
  const auto add = [&](OpKind kind) -> Op& {
    Op& op = plan_.ops.emplace_back();
    op.kind = kind;
    op.first_live = static_cast<std::int32_t>(plan_.live.size());
    op.live_count = static_cast<std::int32_t>(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      plan_.live.push_back(bodies[i]);
      plan_.kept.push_back(static_cast<std::int32_t>(kind == OpKind::take || kind == OpKind::square ? 6 * i : i));
    }
    return op;
  };
  const auto last = [&] { return static_cast<std::int32_t>(plan_.ops.size()) - 1; };
  const bool has_load = std::any_of(bodies.begin(), bodies.end(), [&](auto body) { return is_loaded[at(body)] != 0; });
  const double m = 6.0 * static_cast<double>(bodies.size());
  if (has_load) {
    add(OpKind::given).component = given;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (is_loaded[at(bodies[i])] == 0) continue;
      const std::int32_t source = last();
      Op& load = add(OpKind::load);
      load.body = bodies[i];
      load.parent_place = static_cast<std::int32_t>(i);
      load.source[0] = source;
    }
    plan_.cost += {3.0 * m * m * m, 10.0 * m * m};
  }
  const std::int32_t source = has_load ? last() : kNone;
  Op& op = add(has_load ? OpKind::square : OpKind::take);
  op.source[0] = source;
  if (!has_load) op.component = given;
  op.network = static_cast<std::int32_t>(plan_.networks.size());
  Network& network = plan_.networks.emplace_back();
  network.slots = network.capacity = op.live_count * 6;
  ours.is_used.assign(at(network.slots), 1);
  ours.head = op.network;
  ours.op = last();
  ours.bodies = bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    units_[at(bodies[i])] = static_cast<std::int32_t>(6 * i);
    front_of_[at(bodies[i])] = front;
  }
  return front;
}

// Joints between bodies of a given front, or of these with the ground.
std::int32_t NetworkPlanner::close_within(std::int32_t front) {
  std::vector<std::int32_t> closing;
  for (const std::int32_t body : fronts_[at(front)].bodies) {
    for (const std::int32_t j : joints_of_[at(body)]) {
      const std::int32_t other = other_end(j, body);
      if (is_open_[at(j)] == 0 || (!is_outside(other) && front_of_[at(other)] != front)) continue;
      is_open_[at(j)] = 0;
      --open_count_[at(body)];
      if (!is_outside(other)) --open_count_[at(other)];
      closing.push_back(j);
    }
  }
  std::sort(closing.begin(), closing.end());
  Front& ours = fronts_[at(front)];
  const bool has_dead = std::any_of(ours.bodies.begin(), ours.bodies.end(), [&](auto body) { return !is_alive(body); });
  if (closing.empty() && !has_dead) return front;
  const auto slots_in = static_cast<std::int32_t>(ours.is_used.size());
  Op& op = add_join(kNone, front, kNone);
  for (const std::int32_t j : closing) add_closing(op, j, front, kNone);
  for (const std::int32_t body : ours.bodies) {
    if (!is_alive(body)) std::fill_n(ours.is_used.begin() + units_[at(body)], 6, char{0});
  }
  finish_join(op, ours, slots_in);
  return front;
}

std::int32_t NetworkPlanner::merge(std::int32_t first, std::int32_t second) {
  if (first == kNone || second == kNone) return first == kNone ? second : first;
  Op& op = add_join(kNone, first, second);
  Front* const both[2] = {&fronts_[at(first)], &fronts_[at(second)]};
  std::vector<std::int32_t> closing;
  for (const std::int32_t body : both[1]->bodies) {
    for (const std::int32_t j : joints_of_[at(body)]) {
      const std::int32_t other = other_end(j, body);
      if (is_open_[at(j)] == 0 || is_outside(other) || front_of_[at(other)] != first) continue;
      is_open_[at(j)] = 0;
      --open_count_[at(body)];
      --open_count_[at(other)];
      closing.push_back(j);
    }
  }
  std::sort(closing.begin(), closing.end());
  for (const std::int32_t j : closing) add_closing(op, j, first, kNone);
  for (const std::int32_t j : closing) {
    for (const std::int32_t body : {joints_[at(j)].a, joints_[at(j)].b}) {
      free_slots(*both[front_of_[at(body)] == first ? 0 : 1], j, body);
    }
  }
  const auto slots_in = static_cast<std::int32_t>(both[0]->is_used.size() + both[1]->is_used.size());
  std::int32_t next = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    Front& front = *both[s];
    std::vector<std::int32_t> new_slot(front.is_used.size(), kNone);
    for (std::size_t i = 0; i < front.is_used.size(); ++i) {
      if (front.is_used[i] == 0) continue;
      new_slot[i] = next++;
      plan_.picks.push_back(static_cast<std::int32_t>(i));
      ++plan_.networks[at(op.network)].pick_count[s];
    }
    drop_dead(front);
    for (const std::int32_t body : front.bodies) {
      front_of_[at(body)] = first;
      if (units_[at(body)] != kNone) {
        units_[at(body)] = new_slot[at(units_[at(body)])];
        continue;
      }
      for (const std::int32_t j : joints_of_[at(body)]) {
        std::int32_t& slot = slots_[joints_[at(j)].b == body ? 1 : 0][at(j)];
        if (is_open_[at(j)] != 0) slot = new_slot[at(slot)];
      }
    }
  }
  both[0]->bodies.insert(both[0]->bodies.end(), both[1]->bodies.begin(), both[1]->bodies.end());
  both[0]->is_used.assign(at(next), 1);
  *both[1] = {};
  finish_join(op, *both[0], slots_in);
  return ended(first);
}

// A front without live bodies becomes an inertia of its base.
std::int32_t NetworkPlanner::ended(std::int32_t front) {
  if (!fronts_[at(front)].bodies.empty()) return front;
  if (base_ != kNone) {
    const std::int32_t source = fronts_[at(front)].op;
    Op& op = plan_.ops.emplace_back();
    op.kind = OpKind::finish;
    op.base = base_;
    op.source[0] = source;
  }
  return kNone;
}

}  // namespace gelenk::solve
