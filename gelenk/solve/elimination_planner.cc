#include "gelenk/solve/elimination_planner.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_cost.h"
#include "gelenk/solve/joint_graph.h"

namespace gelenk::solve {
namespace {

// A joint whose rows are closer to dependence than this when planned is taken as rows from the start.
constexpr double kWeakJoint = 1e-3;
// Fronts with more live bodies than this are not tried in all orders: every trial costs the cube of it.
constexpr std::size_t kMostTriedBodies = 12;
// Both orders are planned and compared up to this many bodies.
constexpr std::size_t kMostComparedBodies = 300;

struct Size {
  std::size_t weight = 0;  // columns and rows of the front
  double flops = 0.0;
  friend auto operator<=>(const Size&, const Size&) = default;
};

// What to do next in a block: attach a fresh body, or merge two fronts, and then close all joints that can be.
struct Candidate {
  std::int32_t joint = kNone;
  std::int32_t body = kNone;    // to attach; kNone: merge
  std::int32_t parent = kNone;  // body; kNone: the ground
  bool is_free = false;
};

class Planner {
 public:
  Planner(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
          const PlanOptions& options)
      : tau_(options.tau),
        tree_(make_block_tree(masses.size(), layout.joints)),
        program_(make_program(layout, masses)) {
    program_.freed = options.freed;
    program_.idle = tree_.idle;
    scale_rows(masses, values);
    joints_of_.resize(masses.size());
    for (std::size_t j = 0; j < layout.joints.size(); ++j) {
      const JointRows& joint = layout.joints[j];
      if (joint.a == joint.b) continue;
      if (joint.a >= 0) joints_of_[at(joint.a)].push_back(static_cast<std::int32_t>(j));
      if (joint.b >= 0) joints_of_[at(joint.b)].push_back(static_cast<std::int32_t>(j));
    }
    is_left_.assign(layout.joints.size(), 0);
    is_passable_.assign(layout.joints.size(), 0);
    is_fresh_.assign(masses.size(), 0);
    front_of_.assign(masses.size(), kNone);
    for (std::size_t j = 0; j < layout.joints.size(); ++j) {
      JointBases<double> bases;
      const JointRows& joint = layout.joints[j];
      if (joint.a == joint.b || !has_free_motion(joint)) continue;
      if (std::find(options.freed.begin(), options.freed.end(), static_cast<std::int32_t>(j)) != options.freed.end()) {
        continue;
      }
      make_bases(JointView<double>{&joint, values.data() + joint.first_value, true}, bases);
      is_passable_[j] = bases.quality() > kWeakJoint ? 1 : 0;
    }
    elimination_.emplace(program_);
    elimination_->load(masses, values.data());
  }

  Program plan() {
    for (const Block& block : tree_.blocks) {
      if (block.root != kNone) {
        add_tree(block.root, kNone, kNone);
      } else if (block.joints.size() == 1 && is_passable_[at(block.joints[0])] != 0) {
        const JointRows& joint = program_.layout.joints[at(block.joints[0])];
        const std::int32_t body = joint.a == block.base ? joint.b : joint.a;
        add_tree(body, block.joints[0], block.base);
      } else {
        plan_block(block);
      }
    }
    return std::move(program_);
  }

 private:
  struct Attempt {
    std::size_t first_op = 0;
    Size size;
  };
  struct Mark {
    std::size_t ops, live, closing, decisions;
  };

  static Program make_program(const JointRowLayout& layout, std::span<const BodyMass> masses) {
    Program program;
    program.body_count = masses.size();
    program.layout = layout;
    program.reference_mass.resize(2 * masses.size());
    for (std::size_t b = 0; b < masses.size(); ++b) {
      program.reference_mass[2 * b] = std::sqrt(masses[b].mass);
      program.reference_mass[2 * b + 1] = 1.0 / std::sqrt(masses[b].mean_inverse_inertia);
    }
    program.row_scales.assign(layout.row_numbers.size(), 0.0);
    return program;
  }

  // s_j = (G_j D_ref G_jᵀ)^(-1/2), D_ref = diag(1/m, 1/J̄) of the bodies of the row. Frozen: a row that vanishes when
  // its directions become parallel must be seen to vanish, so that turns count with their nominal length of one.
  void scale_rows(std::span<const BodyMass> masses, std::span<const double> values) {
    for (const JointRows& joint : program_.layout.joints) {
      for (std::size_t i = 0; i < joint.row_count(); ++i) {
        const std::size_t first_turn = std::size_t{3} * joint.points;
        double sum = 0.0;
        for (const bool is_b : {false, true}) {
          const std::int32_t body = is_b ? joint.b : joint.a;
          if (body < 0) continue;
          const BodyMass& m = masses[at(body)];
          const JointView<double> view{&joint, values.data() + joint.first_value, is_b};
          double linear = 0.0;
          double angular = 1.0;
          if (i < first_turn) {
            const double* const s = view.arm();
            linear = 1.0;
            angular = dot3(s, s) - s[i] * s[i];  // |s × e_i|²
          } else if (i >= first_turn + joint.turns) {
            const double* const l = view.line(i - first_turn - joint.turns);
            const double* const moment = l + (is_b ? 6 : 3);
            linear = dot3(l, l);
            angular = dot3(moment, moment);
          }
          sum += linear / m.mass + angular * m.mean_inverse_inertia;
        }
        program_.row_scales[static_cast<std::size_t>(joint.first_row) + i] = sum > 0.0 ? 1.0 / std::sqrt(sum) : 0.0;
      }
    }
  }

  bool run_last() {
    const std::size_t index = program_.ops.size() - 1;
    elimination_->place(index);
    Elimination<double>::Report report;
    return elimination_->factor_op(index, tau_, report) == Elimination<double>::Outcome::good;
  }

  void add_tree(std::int32_t body, std::int32_t joint, std::int32_t parent) {
    Op op;
    op.kind = OpKind::tree;
    op.body = body;
    op.joint = joint;
    op.parent = parent;
    op.is_free = joint == kNone;
    op.free_count = op.is_free ? 6 : free_motion_count(program_.layout.joints[at(joint)]);
    op.is_b = !op.is_free && program_.layout.joints[at(joint)].b == body;
    program_.ops.push_back(op);
    run_last();
  }

  Mark mark() const {
    return {program_.ops.size(), program_.live.size(), program_.closing.size(), program_.decision_count};
  }
  void take_back(const Mark& to) {
    program_.ops.resize(to.ops);
    program_.live.resize(to.live);
    program_.kept.resize(to.live);
    program_.closing.resize(to.closing);
    program_.decision_count = to.decisions;
    elimination_->place(to.ops);
  }

  std::int32_t other_end(std::int32_t joint, std::int32_t body) const {
    const JointRows& rows = program_.layout.joints[at(joint)];
    return rows.a == body ? rows.b : rows.a;
  }
  std::span<const std::int32_t> live_of_front(std::int32_t op) const {
    return op == kNone ? std::span<const std::int32_t>{} : program_.live_of(program_.ops[at(op)]);
  }
  bool is_outside(std::int32_t body, std::int32_t base) const { return body == base || body < 0; }

  // Joints left in the block, among them not `passed`, that touch the body.
  bool has_joints_left(std::int32_t body, std::int32_t passed, std::span<const std::int32_t> closing) const {
    return std::any_of(joints_of_[at(body)].begin(), joints_of_[at(body)].end(), [&](std::int32_t j) {
      return is_left_[at(j)] != 0 && j != passed && std::find(closing.begin(), closing.end(), j) == closing.end();
    });
  }

  // Adds the live bodies of the last op: those of `inputs` for which keep() holds.
  template <class Keep>
  void add_live(Op& op, std::span<const std::int32_t> inputs, Keep&& keep) {
    op.first_live = static_cast<std::int32_t>(program_.live.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!keep(inputs[i])) continue;
      program_.live.push_back(inputs[i]);
      program_.kept.push_back(static_cast<std::int32_t>(i));
    }
    op.live_count = static_cast<std::int32_t>(program_.live.size()) - op.first_live;
  }

  Attempt attempt(const Candidate& candidate, std::int32_t base) {
    Attempt result;
    result.first_op = program_.ops.size();
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> closing;
    std::int32_t passed = kNone;
    std::int32_t sources[2] = {kNone, kNone};
    const auto find_closing = [&](std::int32_t body) {
      for (const std::int32_t j : joints_of_[at(body)]) {
        if (is_left_[at(j)] == 0 || j == passed) continue;
        const std::int32_t other = other_end(j, body);
        const bool is_in = is_outside(other, base) || std::find(inputs.begin(), inputs.end(), other) != inputs.end();
        if (is_in && std::find(closing.begin(), closing.end(), j) == closing.end()) closing.push_back(j);
      }
    };
    if (candidate.body != kNone) {
      if (!is_outside(candidate.parent, base)) sources[0] = front_of_[at(candidate.parent)];
      const std::span<const std::int32_t> live = live_of_front(sources[0]);
      inputs.assign(live.begin(), live.end());
      inputs.push_back(candidate.body);
      if (!candidate.is_free) passed = candidate.joint;
      find_closing(candidate.body);
      std::sort(closing.begin(), closing.end());
      result.size.flops += push_attach(candidate, base, sources[0], inputs, passed, closing);
      sources[0] = static_cast<std::int32_t>(program_.ops.size()) - 1;
      const std::span<const std::int32_t> after = live_of_front(sources[0]);
      inputs.assign(after.begin(), after.end());
    } else {
      const JointRows& joint = program_.layout.joints[at(candidate.joint)];
      sources[0] = front_of_[at(joint.a)];
      sources[1] = front_of_[at(joint.b)];
      const std::span<const std::int32_t> first = live_of_front(sources[0]);
      const std::span<const std::int32_t> second = live_of_front(sources[1]);
      inputs.assign(first.begin(), first.end());
      inputs.insert(inputs.end(), second.begin(), second.end());
      for (const std::int32_t body : first) find_closing(body);
      std::sort(closing.begin(), closing.end());
    }
    if (!closing.empty()) result.size.flops += push_close(base, sources, inputs, passed, closing);
    result.size.flops += push_compress(base);
    const std::size_t last = program_.ops.size() - 1;
    result.size.weight = elimination_->columns(last) + 6 * static_cast<std::size_t>(program_.ops[last].live_count);
    return result;
  }

  double push_attach(const Candidate& candidate, std::int32_t base, std::int32_t source,
                     std::span<const std::int32_t> inputs, std::int32_t passed, std::span<const std::int32_t> closing) {
    Op op;
    op.kind = OpKind::attach;
    op.body = candidate.body;
    op.is_free = candidate.is_free;
    op.base = base;
    op.source[0] = source;
    op.free_count = 6;
    if (!candidate.is_free) {
      const JointRows& joint = program_.layout.joints[at(candidate.joint)];
      op.joint = candidate.joint;
      op.is_b = joint.b == candidate.body;
      op.free_count = free_motion_count(joint);
      if (source != kNone) {
        const std::span<const std::int32_t> live = live_of_front(source);
        op.parent_place =
            static_cast<std::int32_t>(std::find(live.begin(), live.end(), candidate.parent) - live.begin());
      }
    }
    // Ends of closing joints stay until these are closed.
    add_live(op, inputs, [&](std::int32_t body) {
      return has_joints_left(body, passed, {}) || (closing.empty() ? false : touches(body, closing));
    });
    program_.ops.push_back(op);
    run_last();
    const std::size_t index = program_.ops.size() - 1;
    return attach_cost(op, elimination_->columns(index)).factor;
  }

  bool touches(std::int32_t body, std::span<const std::int32_t> joints) const {
    return std::any_of(joints.begin(), joints.end(), [&](std::int32_t j) {
      const JointRows& joint = program_.layout.joints[at(j)];
      return joint.a == body || joint.b == body;
    });
  }

  double push_close(std::int32_t base, const std::int32_t (&sources)[2], std::span<const std::int32_t> inputs,
                    std::int32_t passed, std::span<const std::int32_t> closing) {
    Op op;
    op.kind = OpKind::close;
    op.base = base;
    op.source[0] = sources[0];
    op.source[1] = sources[1];
    op.decision = static_cast<std::int32_t>(program_.decision_count++);
    op.first_closing = static_cast<std::int32_t>(program_.closing.size());
    op.closing_count = static_cast<std::int32_t>(closing.size());
    const auto place_of = [&](std::int32_t body) {
      if (body < 0) return Closing::kGround;
      if (body == base) return Closing::kBase;
      return static_cast<std::int32_t>(std::find(inputs.begin(), inputs.end(), body) - inputs.begin());
    };
    for (const std::int32_t j : closing) {
      const JointRows& joint = program_.layout.joints[at(j)];
      program_.closing.push_back({j, place_of(joint.a), place_of(joint.b)});
      op.row_count += static_cast<std::int32_t>(joint.row_count());
    }
    add_live(op, inputs, [&](std::int32_t body) { return has_joints_left(body, passed, closing); });
    program_.ops.push_back(op);
    const std::size_t index = program_.ops.size() - 1;
    run_last();
    const std::size_t rank = elimination_->rank(index);
    // Again with the room that this rank needs, and for one row less in a singular pose.
    program_.ops[index].planned_rank = static_cast<std::int32_t>(rank);
    program_.ops[index].spare_columns = rank > 0 ? 1 : 0;
    elimination_->decisions()[at(op.decision)] = {};
    run_last();
    return close_cost(op, elimination_->columns(index) + rank, rank).factor;
  }

  double push_compress(std::int32_t base) {
    const std::size_t source = program_.ops.size() - 1;
    const Op from = program_.ops[source];
    const std::size_t columns = elimination_->columns(source);
    const auto rows = 6 * static_cast<std::size_t>(from.live_count);
    if (rows == 0 || columns == 0) return 0.0;
    if (columns <= rows && from.kind != OpKind::close) return 0.0;
    const Mark before = mark();
    Op op;
    op.kind = OpKind::compress;
    op.base = base;
    op.source[0] = static_cast<std::int32_t>(source);
    op.planned_rank = static_cast<std::int32_t>(std::min(rows, columns));
    const std::vector<std::int32_t> live(live_of_front(op.source[0]).begin(), live_of_front(op.source[0]).end());
    add_live(op, live, [](std::int32_t) { return true; });
    program_.ops.push_back(op);
    run_last();
    const std::size_t rank = elimination_->rank(source + 1);
    if (rank == columns) {
      take_back(before);
      return 0.0;
    }
    program_.ops.back().planned_rank = static_cast<std::int32_t>(rank);
    run_last();
    return compress_cost(op, columns, rank).factor;
  }

  // Makes the attempt the state of the block.
  void commit(const Attempt& attempt, const Candidate& candidate, std::int32_t base) {
    const auto last = static_cast<std::int32_t>(program_.ops.size()) - 1;
    for (std::size_t i = attempt.first_op; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      if (op.joint != kNone) is_left_[at(op.joint)] = 0;
      for (const Closing& closing : program_.closing_of(op)) is_left_[at(closing.joint)] = 0;
      left_ -= (op.joint != kNone ? 1 : 0) + op.closing_count;
    }
    if (candidate.body != kNone) {
      is_fresh_[at(candidate.body)] = 0;
      --fresh_;
    }
    for (const std::int32_t body : live_of_front(last)) front_of_[at(body)] = last;
    if (program_.ops[at(last)].live_count == 0) {
      Op op;
      op.kind = OpKind::finish;
      op.base = base;
      op.source[0] = last;
      program_.ops.push_back(op);
      run_last();
    }
  }

  // All that could be done next about a joint.
  template <class Sink>
  void candidates_of(std::int32_t j, std::int32_t base, Sink&& sink) const {
    const JointRows& joint = program_.layout.joints[at(j)];
    bool has_fresh_end = false;
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
    const JointRows& joint = program_.layout.joints[at(candidate.joint)];
    if (candidate.body == kNone) return {front_of_[at(joint.a)], front_of_[at(joint.b)]};
    return {is_outside(candidate.parent, base) ? kNone : front_of_[at(candidate.parent)], kNone};
  }

  enum class Order { smallest_front, by_level };

  void plan_block(const Block& block) {
    const Mark start = mark();
    std::vector<std::int32_t> bodies;
    for (const std::int32_t j : block.joints) {
      for (const std::int32_t body : {program_.layout.joints[at(j)].a, program_.layout.joints[at(j)].b}) {
        if (body >= 0 && body != block.base) bodies.push_back(body);
      }
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    Inertia<double> base_before;
    if (block.base >= 0) base_before = elimination_->inertia(at(block.base));
    const auto restore = [&] {
      take_back(start);
      if (block.base >= 0) elimination_->inertia(at(block.base)) = base_before;
    };
    const double smallest = run_order(block, bodies, Order::smallest_front);
    if (smallest >= 0.0 && bodies.size() > kMostComparedBodies) return;
    restore();
    const double by_level = run_order(block, bodies, Order::by_level);
    if (smallest < 0.0 || by_level <= smallest) return;
    restore();
    run_order(block, bodies, Order::smallest_front);
  }

  // Plans the whole block; operations of its factorization, negative when the order was given up.
  double run_order(const Block& block, std::span<const std::int32_t> bodies, Order order) {
    for (const std::int32_t body : bodies) {
      is_fresh_[at(body)] = 1;
      front_of_[at(body)] = kNone;
    }
    for (const std::int32_t j : block.joints) is_left_[at(j)] = 1;
    fresh_ = static_cast<std::int32_t>(bodies.size());
    left_ = static_cast<std::int32_t>(block.joints.size());
    tried_.assign(block.joints.size(), {});
    double flops = 0.0;
    while (left_ > 0) {
      const Candidate next = order == Order::smallest_front ? smallest_of(block) : first_by_level(block);
      const Attempt done = attempt(next, block.base);
      flops += done.size.flops;
      const bool is_too_large =
          static_cast<std::size_t>(program_.ops.back().live_count) > kMostTriedBodies && order == Order::smallest_front;
      commit(done, next, block.base);
      if (is_too_large) return -1.0;
    }
    return flops;
  }

  Candidate smallest_of(const Block& block) {
    std::optional<std::tuple<Size, Candidate>> best;
    for (std::size_t i = 0; i < block.joints.size(); ++i) {
      const std::int32_t j = block.joints[i];
      if (is_left_[at(j)] == 0) continue;
      std::size_t number = 0;
      candidates_of(j, block.base, [&](const Candidate& candidate) {
        Tried& tried = tried_[i][number++];
        const auto fronts = fronts_of(candidate, block.base);
        if (!tried.is_set || tried.fronts != fronts || tried.body != candidate.body) {
          const Mark before = mark();
          tried = {true, fronts, candidate.body, attempt(candidate, block.base).size};
          take_back(before);
        }
        if (!best || tried.size < std::get<0>(*best)) best = {tried.size, candidate};
      });
    }
    return std::get<1>(*best);
  }

  Candidate first_by_level(const Block& block) const {
    std::optional<std::tuple<std::tuple<int, std::int32_t, std::int32_t, int, int>, Candidate>> best;
    for (const std::int32_t j : block.joints) {
      if (is_left_[at(j)] == 0) continue;
      candidates_of(j, block.base, [&](const Candidate& c) {
        const int rows = static_cast<int>(program_.layout.joints[at(j)].row_count());
        const auto key = c.body == kNone ? std::tuple(0, 0, 0, 0, 0)
                                         : std::tuple(1, tree_.level[at(c.body)], c.body, c.is_free ? 1 : 0, -rows);
        if (!best || key < std::get<0>(*best)) best = {key, c};
      });
    }
    return std::get<1>(*best);
  }

  struct Tried {
    bool is_set = false;
    std::pair<std::int32_t, std::int32_t> fronts;
    std::int32_t body = kNone;
    Size size;
  };

  double tau_;
  BlockTree tree_;
  Program program_;
  std::optional<Elimination<double>> elimination_;
  std::vector<std::vector<std::int32_t>> joints_of_;
  std::vector<char> is_left_, is_passable_, is_fresh_;
  std::vector<std::int32_t> front_of_;
  std::int32_t left_ = 0, fresh_ = 0;
  std::vector<std::array<Tried, 4>> tried_;  // by joint of the block
};

}  // namespace

Program plan_elimination(const JointRowLayout& layout, std::span<const BodyMass> masses, std::span<const double> values,
                         const PlanOptions& options) {
  return Planner(layout, masses, values, options).plan();
}

}  // namespace gelenk::solve
