#include "gelenk/solve/elimination_planner.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/solve/joint_graph.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/network_planner.h"
#include "gelenk/solve/planner_trials.h"
#include "gelenk/solve/program_builder.h"
#include "gelenk/solve/program_cut.h"

namespace gelenk::solve {
namespace {

// A joint whose rows are closer to dependence than this when planned is taken as rows from the start.
constexpr double kWeakJoint = 1e-3;
// Fronts with more live bodies than this are not tried in all orders: every trial costs the cube of it.
constexpr std::size_t kMostTriedBodies = 12;
// Both orders are planned and compared up to this many bodies.
constexpr std::size_t kMostComparedBodies = 300;
// Mobilities lose half the digits where rows are nearly dependent: they must save this much against their roots.
constexpr double kWorthSquaring = 0.8;
// A block whose rows come this close to dependence when planned keeps its roots, unless it is large.
constexpr double kWeakMobility = 1e-2;
constexpr std::size_t kMostWeakBodies = 60;

// What to do next in a block: attach a fresh body, or merge two fronts (no body), and then close all joints that can
// be.
using Candidate = ProgramBuilder::Attachment;

// The blocks of a joint graph one after another, and within each the order of its bodies.
class Planner {
 public:
  Planner(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
          const PlanOptions& options)
      : tree_(make_block_tree(masses.size(), layout.joints,
                              {options.borders, options.given, options.anchor, options.roots})),
        builder_(layout, masses, values, options.tau, options.given, options.given_mobility, options.called),
        joints_(builder_.program().layout.joints),
        networks_(joints_, masses.size(), options.borders, builder_.program().given),
        form_(options.form),
        joints_of_(masses.size()),
        place_of_(joints_.size(), kNone),
        is_left_(joints_.size(), 0),
        is_passable_(joints_.size(), 0),
        is_fresh_(masses.size(), 0),
        is_border_(masses.size(), 0),
        is_loaded_(masses.size(), 0),
        front_of_(masses.size(), kNone),
        is_waiting_(masses.size(), 0),
        pending_(masses.size()) {
    builder_.set_border(options);
    builder_.program().idle = tree_.idle;
    for (const std::int32_t body : options.borders) is_border_[at(body)] = 1;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const JointRows& joint = joints_[j];
      if (joint.a == joint.b) continue;
      if (joint.a >= 0) joints_of_[at(joint.a)].push_back(static_cast<std::int32_t>(j));
      if (joint.b >= 0) joints_of_[at(joint.b)].push_back(static_cast<std::int32_t>(j));
      const auto& freed = options.freed;
      if (!has_free_motion(joint)) continue;
      if (std::find(freed.begin(), freed.end(), static_cast<std::int32_t>(j)) != freed.end()) continue;
      JointBases bases;
      make_bases(JointView{&joint, values.data() + joint.first_value, true}, bases);
      is_passable_[j] = bases.quality() > kWeakJoint ? 1 : 0;
    }
  }

  Program plan() {
    const std::vector<GivenFront>& given = builder_.program().given;
    for (std::size_t g = 0; g < given.size(); ++g) {
      const bool has_edge = given[g].bodies.size() > 1 || given[g].anchor == kNone || given[g].is_seated;
      const bool has_block = !given[g].bodies.empty() && has_edge;
      if (given[g].is_called && !has_block) call(static_cast<std::int32_t>(g));
    }
    for (const Block& block : tree_.blocks) {
      const bool is_anchor = block.base < 0 && block.borders.size() == 1 &&
                             block.borders[0] == builder_.program().anchor && block.edge_count() == 1;
      if (is_anchor) continue;  // what it carries is what the owner gets
      if (block.root != kNone) {
        builder_.add_tree(block.root, kNone, kNone);
      } else if (block.edge_count() == 1 && block.joints.size() == 1 && is_passable_[at(block.joints[0])] != 0) {
        const JointRows& joint = joints_[at(block.joints[0])];
        builder_.add_tree(joint.a == block.base ? joint.b : joint.a, block.joints[0], block.base);
        if (block.base >= 0) is_loaded_[at(block.base)] = 1;
      } else {
        plan_block(block);
      }
    }
    return std::move(builder_.program());
  }

 private:
  struct Attempt {
    std::size_t first_op = 0;
    TrialSize size;
  };

  std::int32_t other_end(std::int32_t joint, std::int32_t body) const {
    return joints_[at(joint)].a == body ? joints_[at(joint)].b : joints_[at(joint)].a;
  }
  static bool is_outside(std::int32_t body, std::int32_t base) { return body == base || body < 0; }

  bool is_called(std::int32_t given) const { return builder_.program().given[at(given)].is_called; }

  void call(std::int32_t component) {
    builder_.add_call(component);
    const std::int32_t anchor = builder_.program().given[at(component)].anchor;
    if (anchor != kNone) is_loaded_[at(anchor)] = 1;
  }

  bool has_joints_left(std::int32_t body, std::int32_t passed, std::span<const std::int32_t> closing) const {
    const std::vector<std::int32_t>& joints = joints_of_[at(body)];
    return std::any_of(joints.begin(), joints.end(), [&](std::int32_t j) {
      return is_left_[at(j)] != 0 && j != passed && std::find(closing.begin(), closing.end(), j) == closing.end();
    });
  }

  // Which bodies are still needed when `passed` and `closing` are done.
  std::vector<char> kept(std::span<const std::int32_t> bodies, std::int32_t passed,
                         std::span<const std::int32_t> closing) const {
    std::vector<char> result;
    for (const std::int32_t body : bodies) {
      result.push_back(body == carrier_ || has_joints_left(body, passed, closing) || is_border_[at(body)] != 0 ? 1 : 0);
    }
    return result;
  }

  // Joints that are left and lead from the body to one of `inputs`, the base or the ground.
  void find_closing(std::int32_t body, std::span<const std::int32_t> inputs, std::int32_t base, std::int32_t passed,
                    std::vector<std::int32_t>& closing) const {
    for (const std::int32_t j : joints_of_[at(body)]) {
      if (is_left_[at(j)] == 0 || j == passed) continue;
      const std::int32_t other = other_end(j, body);
      const bool is_in = is_outside(other, base) || std::find(inputs.begin(), inputs.end(), other) != inputs.end();
      if (is_in && std::find(closing.begin(), closing.end(), j) == closing.end()) closing.push_back(j);
    }
  }

  Attempt attempt(const Candidate& candidate, std::int32_t base) {
    Attempt result;
    result.first_op = builder_.program().ops.size();
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> closing;
    std::int32_t passed = kNone;
    std::int32_t sources[2] = {kNone, kNone};
    const auto add_inputs = [&](std::int32_t front) {
      const std::span<const std::int32_t> live = builder_.live_of(front);
      inputs.insert(inputs.end(), live.begin(), live.end());
    };
    if (candidate.body != kNone) {
      if (!is_outside(candidate.parent, base)) sources[0] = front_of_[at(candidate.parent)];
      add_inputs(sources[0]);
      inputs.push_back(candidate.body);
      if (!candidate.is_free) passed = candidate.joint;
      // Ends of closing joints stay until these are closed.
      carrier_ = pending_[at(candidate.body)].empty() ? kNone : candidate.body;
      result.size.flops += builder_.add_attach(candidate, base, sources[0], inputs, kept(inputs, passed, {}));
      result.size.flops += carry_all(candidate.body, base, passed);
      sources[0] = builder_.last();
      const std::vector<std::int32_t> fresh = shown_with(candidate.body);
      inputs.clear();
      add_inputs(sources[0]);
      for (const std::int32_t body : fresh) find_closing(body, inputs, base, passed, closing);
      std::sort(closing.begin(), closing.end());
    } else {
      std::tie(sources[0], sources[1]) = fronts_of(candidate, base);
      add_inputs(sources[0]);
      const std::size_t first = inputs.size();
      if (sources[1] != kNone) add_inputs(sources[1]);
      for (std::size_t i = 0; i < first; ++i) find_closing(inputs[i], inputs, base, passed, closing);
      std::sort(closing.begin(), closing.end());
    }
    if (!closing.empty()) {
      result.size.flops += builder_.add_close(base, sources, inputs, kept(inputs, passed, closing), closing);
    }
    result.size.flops += builder_.add_compress(base);
    result.size.weight = builder_.columns_of_last() + 6 * builder_.live_of(builder_.last()).size();
    return result;
  }

  // A body, and those that its component shows relative to it.
  std::vector<std::int32_t> shown_with(std::int32_t body) const {
    std::vector<std::int32_t> result{body};
    for (const std::int32_t shown : pending_[at(body)]) {
      const std::span<const std::int32_t> live = builder_.live_of(shown);
      result.insert(result.end(), live.begin(), live.end());
    }
    return result;
  }

  // The last front has a new body, and takes along what is shown relative to it.
  double carry_all(std::int32_t body, std::int32_t base, std::int32_t passed) {
    double flops = 0.0;
    const std::vector<std::int32_t>& all = pending_[at(body)];
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int32_t sources[2] = {builder_.last(), all[i]};
      std::vector<std::int32_t> inputs(builder_.live_of(sources[0]).begin(), builder_.live_of(sources[0]).end());
      const std::span<const std::int32_t> shown = builder_.live_of(sources[1]);
      inputs.insert(inputs.end(), shown.begin(), shown.end());
      if (i + 1 == all.size()) carrier_ = kNone;  // from now on it stays for its own joints only
      flops += builder_.add_carry(body, base, sources, inputs, kept(inputs, passed, {}));
    }
    return flops;
  }

  // Makes the attempt the state of the block.
  void commit(const Attempt& attempt, const Candidate& candidate, std::int32_t base) {
    const Program& program = builder_.program();
    for (std::size_t i = attempt.first_op; i < program.ops.size(); ++i) {
      const Op& op = program.ops[i];
      if (op.joint != kNone) is_left_[at(op.joint)] = 0;
      for (const Closing& closing : program.closing_of(op)) is_left_[at(closing.joint)] = 0;
    }
    if (candidate.body != kNone) {
      for (const std::int32_t body : shown_with(candidate.body)) is_fresh_[at(body)] = is_waiting_[at(body)] = 0;
    }
    take_front(base);
  }

  // The front of the last op, or its inertia when nothing of it is alive.
  void take_front(std::int32_t base) {
    const std::int32_t last = builder_.last();
    for (const std::int32_t body : builder_.live_of(last)) front_of_[at(body)] = last;
    if (!builder_.live_of(last).empty()) return;
    builder_.add_finish(base);
    if (base >= 0) is_loaded_[at(base)] = 1;
  }

  // All that could be done next about a joint.
  template <class Sink>
  void candidates_of(std::int32_t j, std::int32_t base, Sink&& sink) const {
    const JointRows& joint = joints_[at(j)];
    bool has_fresh_end = false;
    const auto is_waiting = [&](std::int32_t body) { return !is_outside(body, base) && is_waiting_[at(body)] != 0; };
    if (is_waiting(joint.a) || is_waiting(joint.b)) return;
    for (const auto& [body, parent] : {std::pair(joint.a, joint.b), std::pair(joint.b, joint.a)}) {
      if (body < 0 || body == base || is_fresh_[at(body)] == 0) continue;
      has_fresh_end = true;
      if (!is_outside(parent, base) && is_fresh_[at(parent)] != 0) continue;
      const bool is_passable = is_passable_[at(j)] != 0;
      if (is_passable) sink(Candidate{j, body, parent, false});
      if (!is_passable || joint.row_count() <= 2) sink(Candidate{j, body, parent, true});
    }
    if (!has_fresh_end) sink(Candidate{j, kNone, kNone, false});
  }

  // Fronts that a candidate works on: as long as they are the same, so is its size.
  std::pair<std::int32_t, std::int32_t> fronts_of(const Candidate& candidate, std::int32_t base) const {
    const JointRows& joint = joints_[at(candidate.joint)];
    const auto front_at = [&](std::int32_t end) { return is_outside(end, base) ? kNone : front_of_[at(end)]; };
    if (candidate.body != kNone) return {front_at(candidate.parent), kNone};
    // Bodies of a given front are not attached: joints among them, or to the ground, are closed in that front alone.
    const std::int32_t a = front_at(joint.a), b = front_at(joint.b);
    if (a == kNone) return {b, kNone};
    return {a, a == b ? kNone : b};
  }

  enum class Order { smallest_front, by_level };
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  void plan_block(const Block& block) {
    bool has_roots_only = form_ == FrontForm::root || (builder_.program().is_called && !block.borders.empty());
    std::vector<std::int32_t> bodies = block.borders;
    for (const std::int32_t g : block.given) {
      if (!is_called(g)) continue;
      call(g);
      has_roots_only = true;
      const GivenFront& given = builder_.program().given[at(g)];
      const bool is_elsewhere = given.anchor != kNone && given.anchor != block.base;
      if (is_elsewhere && !given.fronts.empty()) bodies.push_back(given.anchor);
    }
    const ProgramBuilder::Mark start = builder_.mark();
    for (const std::int32_t j : block.joints) {
      for (const std::int32_t body : {joints_[at(j)].a, joints_[at(j)].b}) {
        if (body >= 0 && body != block.base) bodies.push_back(body);
      }
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    Inertia base_before;
    if (block.base >= 0) base_before = builder_.inertia(block.base);
    const auto restore = [&] {
      builder_.take_back(start);
      if (block.base >= 0) builder_.inertia(block.base) = base_before;
    };
    if (has_roots_only) {
      plan_roots(block, bodies, kNoLimit, restore);
      return;
    }
    const NetworkPlan network = networks_.plan(block, bodies, is_loaded_);
    if (form_ == FrontForm::cheapest && plan_roots(block, bodies, network.cost.factor / kWorthSquaring, restore)) {
      return;
    }
    restore();
    const double smallest = builder_.add_network(network);
    if (form_ == FrontForm::cheapest && smallest < kWeakMobility && bodies.size() <= kMostWeakBodies) {
      restore();
      plan_roots(block, bodies, kNoLimit, restore);
    } else if (block.base >= 0) {
      is_loaded_[at(block.base)] = 1;
    }
  }

  // Both orders, the cheaper one is kept; false if both need more operations than `limit`.
  template <class Restore>
  bool plan_roots(const Block& block, std::span<const std::int32_t> bodies, double limit, Restore&& restore) {
    const double smallest = run_order(block, bodies, Order::smallest_front, limit);
    if (smallest < 0.0 || bodies.size() <= kMostComparedBodies) {
      restore();
      const double by_level = run_order(block, bodies, Order::by_level, smallest < 0.0 ? limit : smallest);
      if (by_level < 0.0) {
        if (smallest < 0.0) return false;
        restore();
        run_order(block, bodies, Order::smallest_front, kNoLimit);
      }
    }
    publish(block, bodies);
    return true;
  }

  // Fronts that are alive when all joints of a block are done.
  void publish(const Block& block, std::span<const std::int32_t> bodies) {
    std::vector<std::int32_t>& published = builder_.program().published;
    const auto add = [&](std::int32_t body) {
      const std::int32_t front = front_of_[at(body)];
      if (front == kNone || is_border_[at(body)] == 0) return;
      if (std::find(published.begin(), published.end(), front) == published.end()) published.push_back(front);
    };
    for (const std::int32_t body : bodies) add(body);
    for (const std::int32_t g : block.given) {
      for (const std::int32_t body : builder_.program().given[at(g)].bodies) {
        if (body != block.base) add(body);
      }
    }
  }

  // Fronts of a component that is called: those relative to the base are there, others wait for their anchor.
  void add_called(std::int32_t component, std::int32_t base) {
    const std::size_t count = builder_.program().given[at(component)].fronts.size();
    const std::int32_t anchor = builder_.program().given[at(component)].anchor;
    for (const std::int32_t body : builder_.program().given[at(component)].bodies) {
      if (body != anchor) is_fresh_[at(body)] = 0;
    }
    for (std::size_t f = 0; f < count; ++f) {
      builder_.add_called_front(component, static_cast<std::int32_t>(f));
      const bool is_there = anchor == base || anchor == kNone;
      for (const std::int32_t body : builder_.live_of(builder_.last())) {
        front_of_[at(body)] = kNone;
        is_waiting_[at(body)] = is_there ? 0 : 1;
      }
      if (is_there) {
        take_front(base);
      } else {
        pending_[at(anchor)].push_back(builder_.last());
      }
    }
  }

  // Plans the whole block; operations of its factorization, negative when the order was given up because these are more
  // than `limit`, or because trying would take too long.
  double run_order(const Block& block, std::span<const std::int32_t> bodies, Order order, double limit) {
    for (const std::int32_t body : bodies) {
      is_fresh_[at(body)] = 1;
      front_of_[at(body)] = kNone;
      pending_[at(body)].clear();
    }
    tried_.assign(block.joints.size(), {});
    queue_ = {};
    for (std::size_t i = 0; i < block.joints.size(); ++i) {
      is_left_[at(block.joints[i])] = 1;
      place_of_[at(block.joints[i])] = static_cast<std::int32_t>(i);
    }
    for (const std::int32_t g : block.given) {
      if (is_called(g)) {
        add_called(g, block.base);
        continue;
      }
      builder_.add_given(g, is_loaded_);
      for (const std::int32_t body : builder_.program().given[at(g)].bodies) is_fresh_[at(body)] = 0;
      take_front(block.base);
    }
    for (const std::int32_t j : block.joints) look_at(j, block.base, order);
    double flops = 0.0;
    for (;;) {
      const std::optional<Candidate> next = next_candidate(block);
      if (!next) {
        // Nothing leads on from the ground: a body of the border is the next to start from, or one that carries others.
        const auto fresh = std::find_if(bodies.begin(), bodies.end(), [this](std::int32_t body) {
          return is_fresh_[at(body)] != 0 && (is_border_[at(body)] != 0 || !pending_[at(body)].empty());
        });
        if (fresh == bodies.end()) return flops;
        builder_.add_start(*fresh, block.base);
        carrier_ = *fresh;
        flops += carry_all(*fresh, block.base, kNone);
        carrier_ = kNone;
        for (const std::int32_t body : shown_with(*fresh)) is_fresh_[at(body)] = is_waiting_[at(body)] = 0;
        take_front(block.base);
        look_around(builder_.last(), block.base, order);
        continue;
      }
      const Attempt done = attempt(*next, block.base);
      flops += done.size.flops;
      const std::int32_t front = builder_.last();
      const bool is_too_large = builder_.live_of(front).size() > kMostTriedBodies && order == Order::smallest_front;
      commit(done, *next, block.base);
      if (is_too_large || flops > limit) return -1.0;
      look_around(front, block.base, order);
    }
  }

  // Joints at the live bodies of a front: what can be done about them has changed.
  void look_around(std::int32_t front, std::int32_t base, Order order) {
    const std::vector<std::int32_t> live(builder_.live_of(front).begin(), builder_.live_of(front).end());
    for (const std::int32_t body : live) {
      for (const std::int32_t j : joints_of_[at(body)]) {
        if (is_left_[at(j)] != 0) look_at(j, base, order);
      }
    }
  }

  // Puts all that could be done about a joint into the queue.
  void look_at(std::int32_t j, std::int32_t base, Order order) {
    const std::int32_t place = place_of_[at(j)];
    JointTrials& joint = tried_[at(place)];
    ++joint.version;
    int number = 0;
    candidates_of(j, base, [&](const Candidate& c) {
      Trial& tried = joint.ways[at(number)];
      TrialEntry entry{{}, place, number++, joint.version};
      if (order == Order::by_level) {
        const auto rows = static_cast<double>(joints_[at(j)].row_count());
        const double level = c.body == kNone ? 0.0 : tree_.level[at(c.body)];
        if (c.body != kNone) entry.key = {1.0, level, 1.0 * c.body, c.is_free ? 1.0 : 0.0, -rows};
      } else {
        const auto fronts = fronts_of(c, base);
        if (!tried.is_set || tried.fronts != fronts || tried.candidate.body != c.body) {
          const ProgramBuilder::Mark before = builder_.mark();
          tried.size = attempt(c, base).size;
          builder_.take_back(before);
          tried.fronts = fronts;
          tried.is_set = true;
        }
        entry.key = {static_cast<double>(tried.size.weight), tried.size.flops, 0, 0, 0};
      }
      tried.candidate = c;
      queue_.push(entry);
    });
  }

  std::optional<Candidate> next_candidate(const Block& block) {
    while (!queue_.empty()) {
      const TrialEntry entry = queue_.top();
      queue_.pop();
      const JointTrials& joint = tried_[at(entry.place)];
      if (is_left_[at(block.joints[at(entry.place)])] == 0 || entry.version != joint.version) continue;
      return joint.ways[at(entry.number)].candidate;
    }
    return std::nullopt;
  }

  BlockTree tree_;
  ProgramBuilder builder_;
  const std::vector<JointRows> joints_;
  NetworkPlanner networks_;
  FrontForm form_;
  std::vector<std::vector<std::int32_t>> joints_of_;  // by body
  std::vector<std::int32_t> place_of_;                // by joint: in its block
  std::vector<char> is_left_, is_passable_;           // by joint
  std::vector<char> is_fresh_, is_border_;            // by body
  std::vector<char> is_loaded_;                       // by body: something was condensed on it
  std::vector<std::int32_t> front_of_;                // by body
  std::vector<char> is_waiting_;                      // by body: shown relative to an anchor that no front has yet
  std::vector<std::vector<std::int32_t>> pending_;    // by body: fronts shown relative to it
  std::int32_t carrier_ = kNone;                      // stays alive until all is carried
  std::vector<JointTrials> tried_;                    // by joint of the block
  std::priority_queue<TrialEntry> queue_;
};

}  // namespace

Program plan_elimination(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
                         const PlanOptions& options) {
  Program program = Planner(layout, masses, values, options).plan();
  const bool has_calls =
      std::any_of(options.given.begin(), options.given.end(), [](const GivenFront& front) { return front.is_called; });
  // A cut changes the order of the ops: calls must stay where they are.
  if (!has_calls && !options.is_called) cut_long_chain(program);
  return program;
}

}  // namespace gelenk::solve
