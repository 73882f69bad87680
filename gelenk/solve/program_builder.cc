#include "gelenk/solve/program_builder.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/solve/elimination_cost.h"

namespace gelenk::solve {

ProgramBuilder::ProgramBuilder(const JointRowLayout& layout, std::span<const BodyMass> masses,
                               std::span<const double> values, double tau, std::span<const GivenFront> given,
                               std::span<const double* const> given_mobility, std::span<OpData* const> called)
    : tau_(tau) {
  program_.body_count = masses.size();
  program_.layout = layout;
  program_.reference_mass.resize(2 * masses.size());
  for (std::size_t b = 0; b < masses.size(); ++b) {
    program_.reference_mass[2 * b] = std::sqrt(masses[b].mass);
    program_.reference_mass[2 * b + 1] = 1.0 / std::sqrt(masses[b].mean_inverse_inertia);
  }
  program_.row_scales.assign(layout.row_numbers.size(), 0.0);
  program_.given.assign(given.begin(), given.end());
  scale_rows(masses, values);
  elimination_.emplace(program_);
  elimination_->load(masses, values.data());
  for (std::size_t g = 0; g < given.size(); ++g) {
    if (given[g].is_called) {
      elimination_->set_callee(g, {nullptr, called[g]});
      continue;
    }
    given_rates_.emplace_back(6 * given[g].bodies.size(), 0.0);
    elimination_->set_given(g, given_mobility[g], given_rates_.back().data());
  }
}

// s_j = (G_j D_ref G_jᵀ)^(-1/2), D_ref = diag(1/m, 1/J̄) of the bodies of the row. Frozen: a row that vanishes when
// its directions become parallel must be seen to vanish, so that turns count with their nominal length of one.
void ProgramBuilder::scale_rows(std::span<const BodyMass> masses, std::span<const double> values) {
  for (const JointRows& joint : program_.layout.joints) {
    for (std::size_t i = 0; i < joint.row_count(); ++i) {
      const std::size_t first_turn = std::size_t{3} * joint.points;
      double sum = 0.0;
      for (const bool is_b : {false, true}) {
        const std::int32_t body = is_b ? joint.b : joint.a;
        if (body < 0) continue;
        const BodyMass& m = masses[at(body)];
        const JointView view{&joint, values.data() + joint.first_value, is_b};
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

void ProgramBuilder::set_border(const PlanOptions& options) {
  program_.is_called = options.is_called;
  program_.anchor = options.anchor;
  program_.is_seated = options.is_seated;
  program_.loaded = options.loaded;
  program_.freed = options.freed;
}

void ProgramBuilder::run_last() {
  const std::size_t index = program_.ops.size() - 1;
  elimination_->place(index);
  OpReport report;
  elimination_->factor_op(index, tau_, report);
}

ProgramBuilder::Mark ProgramBuilder::mark() const {
  return {program_.ops.size(),      program_.live.size(),    program_.closing.size(), program_.decision_count,
          program_.networks.size(), program_.pending.size(), program_.picks.size(),   program_.published.size()};
}

void ProgramBuilder::take_back(const Mark& to) {
  program_.ops.resize(to.ops);
  program_.live.resize(to.live);
  program_.kept.resize(to.live);
  program_.closing.resize(to.closing);
  program_.decision_count = to.decisions;
  program_.networks.resize(to.networks);
  program_.pending.resize(to.pending);
  program_.picks.resize(to.picks);
  program_.published.resize(to.published);
  elimination_->place(to.ops);
}

// The live bodies after an op: those that go in and are kept.
void ProgramBuilder::add_live(Op& op, std::span<const std::int32_t> inputs, std::span<const char> is_kept) {
  op.first_live = static_cast<std::int32_t>(program_.live.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_kept[i] == 0) continue;
    program_.live.push_back(inputs[i]);
    program_.kept.push_back(static_cast<std::int32_t>(i));
  }
  op.live_count = static_cast<std::int32_t>(program_.live.size()) - op.first_live;
}

void ProgramBuilder::add_tree(std::int32_t body, std::int32_t joint, std::int32_t parent) {
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

void ProgramBuilder::add_start(std::int32_t body, std::int32_t base) {
  Op op;
  op.kind = OpKind::start;
  op.body = body;
  op.base = base;
  const char is_kept = 1;
  add_live(op, {&body, 1}, {&is_kept, 1});
  program_.ops.push_back(op);
  run_last();
}

void ProgramBuilder::add_given(std::int32_t component, std::span<const char> is_loaded) {
  const std::vector<std::int32_t>& bodies = program_.given[at(component)].bodies;
  const std::vector<char> is_kept(bodies.size(), 1);
  Op op;
  op.kind = OpKind::given;
  op.component = component;
  add_live(op, bodies, is_kept);
  program_.ops.push_back(op);
  run_last();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (is_loaded[at(bodies[i])] == 0) continue;
    Op load;
    load.kind = OpKind::load;
    load.body = bodies[i];
    load.parent_place = static_cast<std::int32_t>(i);
    load.source[0] = last();
    add_live(load, bodies, is_kept);
    program_.ops.push_back(load);
    run_last();
  }
}

void ProgramBuilder::add_call(std::int32_t component) {
  Op op;
  op.kind = OpKind::call;
  op.component = component;
  program_.ops.push_back(op);
  run_last();
}

void ProgramBuilder::add_called_front(std::int32_t component, std::int32_t front) {
  const GivenFront& given = program_.given[at(component)];
  const GivenFront::Front& shown = given.fronts[at(front)];
  Op op;
  op.kind = OpKind::given;
  op.component = component;
  op.front = front;
  op.base = given.anchor;
  const OpData& inside = *elimination_->data().callees[at(component)].inside;
  op.planned_rank = static_cast<std::int32_t>(inside.columns(at(shown.op)));
  op.most_columns = op.planned_rank + 1;  // one row less in a singular pose
  add_live(op, shown.bodies, std::vector<char>(shown.bodies.size(), 1));
  program_.ops.push_back(op);
  run_last();
}

double ProgramBuilder::add_carry(std::int32_t body, std::int32_t base, const std::int32_t (&sources)[2],
                                 std::span<const std::int32_t> inputs, std::span<const char> is_kept) {
  Op op;
  op.kind = OpKind::carry;
  op.body = body;
  op.base = base;
  op.source[0] = sources[0];
  op.source[1] = sources[1];
  const std::span<const std::int32_t> live = live_of(sources[0]);
  op.parent_place = static_cast<std::int32_t>(std::find(live.begin(), live.end(), body) - live.begin());
  add_live(op, inputs, is_kept);
  program_.ops.push_back(op);
  run_last();
  return carry_cost(op, program_.ops[at(sources[1])], elimination_->columns(at(sources[0]))).factor;
}

double ProgramBuilder::add_attach(const Attachment& attachment, std::int32_t base, std::int32_t source,
                                  std::span<const std::int32_t> inputs, std::span<const char> is_kept) {
  Op op;
  op.kind = OpKind::attach;
  op.body = attachment.body;
  op.is_free = attachment.is_free;
  op.base = base;
  op.source[0] = source;
  op.free_count = 6;
  if (!attachment.is_free) {
    const JointRows& joint = program_.layout.joints[at(attachment.joint)];
    op.joint = attachment.joint;
    op.is_b = joint.b == attachment.body;
    op.free_count = free_motion_count(joint);
    if (source != kNone) {
      const std::span<const std::int32_t> live = live_of(source);
      op.parent_place =
          static_cast<std::int32_t>(std::find(live.begin(), live.end(), attachment.parent) - live.begin());
    }
  }
  add_live(op, inputs, is_kept);
  program_.ops.push_back(op);
  run_last();
  return attach_cost(op, columns_of_last()).factor;
}

double ProgramBuilder::add_close(std::int32_t base, const std::int32_t (&sources)[2],
                                 std::span<const std::int32_t> inputs, std::span<const char> is_kept,
                                 std::span<const std::int32_t> closing) {
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
  add_live(op, inputs, is_kept);
  program_.ops.push_back(op);
  run_last();
  const std::size_t index = program_.ops.size() - 1;
  const std::size_t rank = elimination_->rank(index);
  // Again with the room that this rank needs, and for one row less in a singular pose.
  program_.ops[index].planned_rank = static_cast<std::int32_t>(rank);
  program_.ops[index].most_columns = static_cast<std::int32_t>(elimination_->columns(index) + (rank > 0 ? 1 : 0));
  elimination_->decisions()[at(op.decision)] = {};
  run_last();
  return close_cost(op, elimination_->columns(index) + rank, rank).factor;
}

double ProgramBuilder::add_compress(std::int32_t base) {
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
  op.most_columns = static_cast<std::int32_t>(std::min(rows, columns));
  const std::vector<std::int32_t> live(live_of(op.source[0]).begin(), live_of(op.source[0]).end());
  add_live(op, live, std::vector<char>(live.size(), 1));
  program_.ops.push_back(op);
  run_last();
  const std::size_t rank = elimination_->rank(source + 1);
  if (rank == columns) {
    take_back(before);
    return 0.0;
  }
  program_.ops.back().planned_rank = program_.ops.back().most_columns = static_cast<std::int32_t>(rank);
  run_last();
  return compress_cost(op, columns, rank).factor;
}

double ProgramBuilder::add_network(const NetworkPlan& plan) {
  const auto count = [](const auto& list) { return static_cast<std::int32_t>(list.size()); };
  const auto append = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  const std::int32_t first = count(program_.ops);
  for (Op op : plan.ops) {
    op.first_live += count(program_.live);
    op.first_closing += count(program_.closing);
    for (std::int32_t& source : op.source) source += source == kNone ? 0 : first;
    if (op.decision != kNone) op.decision += static_cast<std::int32_t>(program_.decision_count);
    if (op.network != kNone) op.network += count(program_.networks);
    program_.ops.push_back(op);
  }
  for (Network network : plan.networks) {
    network.first_pending += count(program_.pending);
    network.first_pick += count(program_.picks);
    program_.networks.push_back(network);
  }
  append(plan.live, program_.live);
  append(plan.kept, program_.kept);
  append(plan.closing, program_.closing);
  append(plan.pending, program_.pending);
  append(plan.picks, program_.picks);
  program_.decision_count += at(plan.decision_count);
  for (const std::int32_t op : plan.published) program_.published.push_back(first + op);
  elimination_->place(at(first));
  OpReport report;
  for (std::size_t i = at(first); i < program_.ops.size(); ++i) {
    elimination_->factor_op(i, tau_, report);
    if (program_.ops[i].kind == OpKind::join) {
      program_.ops[i].planned_rank = static_cast<std::int32_t>(elimination_->rank(i));
    }
  }
  return report.smallest;
}

void ProgramBuilder::add_finish(std::int32_t base) {
  Op op;
  op.kind = OpKind::finish;
  op.base = base;
  op.source[0] = last();
  program_.ops.push_back(op);
  run_last();
}

}  // namespace gelenk::solve
