#include "gelenk/solve/elimination.h"

#include <algorithm>
#include <vector>

#include "gelenk/base/parallel.h"
#include "gelenk/solve/ops/attach.h"
#include "gelenk/solve/ops/call.h"
#include "gelenk/solve/ops/carry.h"
#include "gelenk/solve/ops/chain_tip.h"
#include "gelenk/solve/ops/close.h"
#include "gelenk/solve/ops/compress.h"
#include "gelenk/solve/ops/entry.h"
#include "gelenk/solve/ops/finish.h"
#include "gelenk/solve/ops/given.h"
#include "gelenk/solve/ops/hinge.h"
#include "gelenk/solve/ops/join.h"
#include "gelenk/solve/ops/load.h"
#include "gelenk/solve/ops/place.h"
#include "gelenk/solve/ops/published.h"
#include "gelenk/solve/ops/start.h"
#include "gelenk/solve/ops/tree.h"

namespace gelenk::solve {

Elimination::Elimination(const Program& program) : data_(program) {
  data_.is_growing = program.ops.empty();
  data_.inertias.resize(program.body_count + (program.cut.is_set() ? 1 : 0));
  data_.bias.assign(6 * data_.inertias.size(), 0.0);
  if (program.cut.is_set()) place_tip(data_);
  // Else made when multipliers are wanted for the first time.
  if (!program.given.empty()) data_.loads.assign(6 * program.body_count, 0.0);
  Inertia none;
  none.set_zero();
  data_.handed_inertias.assign(program.loaded.size(), none);
  data_.handed_loads.assign(6 * program.loaded.size(), 0.0);
  if (!program.published.empty()) data_.handed_wrenches.assign(6 * program.body_count, 0.0);
  // Joints of trees are passed in units of their own.
  if (data_.is_growing || !program.closing.empty()) data_.scales = program.row_scales;
  place_ops(data_);
}

void Elimination::place(std::size_t first) { place_ops(data_, first); }

void Elimination::make_room(std::size_t op) { gelenk::solve::make_room(data_, op); }

void Elimination::set_given(std::size_t component, const double* D, const double* r) {
  if (data_.given.size() <= component) data_.given.resize(component + 1);
  data_.given[component] = {D, r};
}

void Elimination::set_callee(std::size_t component, const Callee& callee) {
  if (data_.callees.size() <= component) data_.callees.resize(component + 1);
  data_.callees[component] = callee;
}

void Elimination::load(std::span<const BodyMass> masses, const double* values) {
  data_.values = values;
  data_.masses = masses.data();
  for (const std::int32_t body : data_.loaded) put_own_inertia(data_, at(body), data_.inertias[at(body)]);
  // The inertia of bodies of other components is in what these publish.
  for (const GivenFront& front : data_.program.given) {
    for (const std::int32_t body : front.bodies) data_.inertias[at(body)].set_zero();
  }
  if (data_.program.is_seated) data_.inertias[at(data_.program.anchor)].set_zero();
  for (std::size_t i = 0; i < data_.handed_inertias.size(); ++i) {
    add_inertia(data_.handed_inertias[i], data_.inertias[at(data_.program.loaded[i])]);
  }
  if (data_.tip) data_.inertias[data_.program.body_count].set_zero();
}

OpReport Elimination::factor(const RankRule& rule) { return factor_pass(rule, Pass::factor); }

OpReport Elimination::factor_and_sweep_up(const RankRule& rule, std::span<const double> f, std::span<const double> u,
                                          bool is_lean) {
  begin_sweep(f, u);
  return factor_pass(rule, is_lean ? Pass::lean : Pass::both);
}

OpReport Elimination::factor_pass(const RankRule& rule, Pass pass) {
  data_.pass = pass;
  data_.is_lean = pass == Pass::lean;
  if (data_.tip) return factor_cut_chain(rule, pass);
  Hand hand;
  return pass_range(0, data_.steps.size(), rule, pass, hand);
}

OpReport Elimination::pass_range(std::size_t first, std::size_t end, const RankRule& rule, Pass pass, Hand& hand) {
  if (pass == Pass::factor) return factor_range<false, false>(first, end, rule, hand);
  if (pass == Pass::both) return factor_range<true, false>(first, end, rule, hand);
  return factor_range<true, true>(first, end, rule, hand);
}

template <bool sweeps_up, bool is_lean>
OpReport Elimination::factor_range(std::size_t first, std::size_t end, const RankRule& rule, Hand& hand) {
  OpReport report;
  for (std::size_t i = first; i < end; ++i) {
    if (data_.steps[i].shape == Shape::hinge) {
      if (factor_hinge<sweeps_up, is_lean>(data_, data_.steps[i], hand)) continue;
      report.outcome = OpOutcome::joint_lost_rank;
      report.where = data_.program.ops[i].joint;
      return report;
    }
    report.outcome = factor_op(i, rule, report);
    if (report.outcome != OpOutcome::good) return report;
    if constexpr (sweeps_up) up_op(i);
  }
  return report;
}

OpOutcome Elimination::factor_op(std::size_t index, const RankRule& rule, OpReport& report) {
  const OpOutcome outcome = factor_shape(index, rule, report);
  if (outcome != OpOutcome::good) {
    report.where =
        outcome == OpOutcome::joint_lost_rank ? data_.program.ops[index].joint : static_cast<std::int32_t>(index);
  }
  return outcome;
}

GELENK_ALWAYS_INLINE OpOutcome Elimination::factor_shape(std::size_t index, const RankRule& rule, OpReport& report) {
  switch (data_.steps[index].shape) {
    case Shape::hinge: {
      Hand unused;
      return factor_hinge<false, false>(data_, data_.steps[index], unused) ? OpOutcome::good
                                                                           : OpOutcome::joint_lost_rank;
    }
    case Shape::other_tree:
      return factor_tree(data_, index);
    case Shape::hinge_attach:
      return factor_hinge_attach(data_, index);
    case Shape::hinge_close:
      return factor_hinge_close(data_, index, rule, report);
    case Shape::other_front:
      break;
  }
  switch (data_.program.ops[index].kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      factor_start(data_, index);
      break;
    case OpKind::attach:
      return factor_attach(data_, index);
    case OpKind::close:
      return factor_close(data_, index, rule, report);
    case OpKind::compress:
      return factor_compress(data_, index);
    case OpKind::finish:
      factor_finish(data_, index);
      break;
    case OpKind::given:
      return data_.program.ops[index].front == kNone ? factor_given(data_, index) : factor_called_front(data_, index);
    case OpKind::call:
      return factor_call(data_, index, rule, report);
    case OpKind::carry:
      factor_carry(data_, index);
      break;
    case OpKind::load:
      factor_load(data_, index);
      break;
    case OpKind::join:
      factor_join(data_, index, rule, report);
      break;
    case OpKind::take:
    case OpKind::square:
      factor_entry(data_, index);
      break;
  }
  return OpOutcome::good;
}

void Elimination::begin_sweep(std::span<const double> f, std::span<const double> u) {
  data_.f = f.data();
  for (const std::int32_t body : data_.loaded) put_own_load(data_, at(body), &data_.bias[6 * at(body)]);
  for (const GivenFront& front : data_.program.given) {
    for (const std::int32_t body : front.bodies) std::fill_n(&data_.bias[6 * at(body)], 6, 0.0);
  }
  if (data_.program.is_seated) std::fill_n(&data_.bias[6 * at(data_.program.anchor)], 6, 0.0);
  for (std::size_t i = 0; i < data_.program.loaded.size(); ++i) {
    double* const p = &data_.bias[6 * at(data_.program.loaded[i])];
    for (std::size_t k = 0; k < 6; ++k) p[k] += data_.handed_loads[6 * i + k];
  }
  data_.u = u.data();
  if (data_.tip) std::fill_n(&data_.bias[6 * data_.program.body_count], 6, 0.0);
}

void Elimination::sweep_up(std::span<const double> f, std::span<const double> u) {
  if (data_.is_lean) find_handed_inertias(data_);
  data_.pass = Pass::up;
  begin_sweep(f, u);
  if (data_.tip) {
    up_cut_chain();
  } else {
    up_range(0, data_.steps.size());
  }
}

void Elimination::up_range(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    if (data_.steps[i].shape == Shape::hinge) {
      up_hinge(data_, data_.steps[i]);
    } else {
      up_op(i);
    }
  }
}

GELENK_ALWAYS_INLINE void Elimination::up_op(std::size_t index) {
  switch (data_.steps[index].shape) {
    case Shape::hinge:
      return up_hinge(data_, data_.steps[index]);
    case Shape::other_tree:
      return up_tree(data_, index);
    case Shape::hinge_attach:
      return up_hinge_attach(data_, index);
    case Shape::hinge_close:
      return up_hinge_close(data_, index);
    case Shape::other_front:
      break;
  }
  switch (data_.program.ops[index].kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      return up_start(data_, index);
    case OpKind::attach:
      return up_attach(data_, index);
    case OpKind::close:
      return up_close(data_, index);
    case OpKind::compress:
      return up_compress(data_, index);
    case OpKind::finish:
      return up_finish(data_, index);
    case OpKind::given:
      return data_.program.ops[index].front == kNone ? up_given(data_, index) : up_called_front(data_, index);
    case OpKind::call:
      return up_call(data_, index);
    case OpKind::carry:
      return up_carry(data_, index);
    case OpKind::load:
      return up_load(data_, index);
    case OpKind::join:
      return up_join(data_, index);
    case OpKind::take:
    case OpKind::square:
      return up_entry(data_, index);
  }
}

void Elimination::sweep_down(std::span<double> a, std::span<double> lambda, std::span<const double> tau,
                             bool wants_loads) {
  double* const multipliers = begin_down(lambda, wants_loads);
  for (const std::int32_t op : data_.program.published) push_published(data_, at(op), tau, multipliers != nullptr);
  down_all(a.data(), multipliers);
}

void Elimination::sweep_down_called(std::span<double> a, std::span<double> lambda, bool wants_loads) {
  double* const multipliers = begin_down(lambda, wants_loads);
  for (std::size_t f = 0; multipliers != nullptr && f < data_.program.published.size(); ++f) {
    for (const std::int32_t body : data_.program.live_of(data_.program.ops[at(data_.program.published[f])])) {
      copy6(&data_.handed_wrenches[6 * at(body)], &data_.loads[6 * at(body)]);
    }
  }
  down_all(a.data(), multipliers);
}

double* Elimination::begin_down(std::span<double> lambda, bool wants_loads) {
  // A program without rows may still have to pass wrenches on.
  double* const multipliers = !lambda.empty() ? lambda.data() : wants_loads ? &no_rows_ : nullptr;
  if (multipliers != nullptr) {
    if (data_.is_lean) {
      find_handed_inertias(data_);
      find_handed_loads(data_);
    }
    data_.loads.assign(6 * data_.program.body_count, 0.0);
    for (const std::int32_t joint : data_.program.idle) {
      const JointRows& rows = data_.joint(joint);
      std::fill_n(multipliers + rows.first_row, rows.row_count(), 0.0);
    }
  }
  return multipliers;
}

void Elimination::down_all(double* a, double* lambda) {
  if (data_.tip) {
    down_cut_chain(a, lambda);
  } else {
    down_range(0, data_.steps.size(), a, lambda);
  }
}

void Elimination::down_range(std::size_t first, std::size_t end, double* a, double* lambda) {
  for (std::size_t i = end; i-- > first;) {
    const Step& step = data_.steps[i];
    if (step.shape == Shape::hinge || step.shape == Shape::other_tree) {
      down_tree_op(i, step.parent == kNone ? nullptr : a + 6 * at(step.parent), a, lambda);
    } else {
      down_front_op(i, a, lambda);
    }
  }
}

void Elimination::down_tree_op(std::size_t index, const double* inner, double* a, double* lambda) {
  const Step& step = data_.steps[index];
  double* const ours = a + 6 * at(step.body);
  if (step.shape == Shape::hinge) {
    down_hinge(data_, step, inner, ours);
  } else {
    down_tree(data_, index, inner, ours);
  }
  if (lambda != nullptr) tree_op_reaction(index, a, lambda);
}

void Elimination::tree_op_reaction(std::size_t index, const double* a, double* lambda) {
  const Step& step = data_.steps[index];
  const double* const ours = a + 6 * at(step.body);
  if (step.shape == Shape::hinge) {
    hinge_reaction(data_, step, ours, lambda + step.first_row);
  } else if (!data_.program.ops[index].is_free) {
    tree_reaction(data_, index, ours, lambda);
  }
}

GELENK_ALWAYS_INLINE void Elimination::down_front_op(std::size_t index, double* a, double* lambda) {
  if (data_.steps[index].shape == Shape::hinge_attach) return down_hinge_attach(data_, index, a, lambda);
  if (data_.steps[index].shape == Shape::hinge_close) return down_hinge_close(data_, index, a, lambda);
  switch (data_.program.ops[index].kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      return down_start(data_, index, a);
    case OpKind::attach:
      return down_attach(data_, index, a, lambda);
    case OpKind::close:
      return down_close(data_, index, a, lambda);
    case OpKind::compress:
      return down_compress(data_, index);
    case OpKind::finish:
      return down_finish(data_, index);
    case OpKind::given:
      if (data_.program.ops[index].front != kNone) return down_called_front(data_, index, lambda != nullptr);
      if (data_.places[index].is_carrying) down_given(data_, index, a);
      break;
    case OpKind::call:
      return down_call(data_, index, a, lambda != nullptr);
    case OpKind::carry:
      return down_carry(data_, index, lambda != nullptr);
    case OpKind::load:
      return down_load(data_, index, lambda != nullptr);
    case OpKind::join:
      return down_join(data_, index, a, lambda);
    case OpKind::take:
    case OpKind::square:
      return down_entry(data_, index, a);
  }
}

std::size_t Elimination::memory() const {
  return (data_.numbers.size() + data_.bias.size() + data_.loads.size() + data_.scales.size()) * sizeof(double) +
         data_.inertias.size() * sizeof(Inertia) + data_.places.size() * sizeof(Place) +
         data_.steps.size() * sizeof(Step) +
         (data_.orders.size() + data_.column_counts.size() + data_.ranks.size()) * sizeof(std::int32_t) +
         data_.program.ops.size() * sizeof(Op) + data_.ends.size() * sizeof(OpData::End) +
         data_.sides.size() * sizeof(RowSide) + data_.hinge_closings.size() * sizeof(HingeClosing);
}

// A chain that is cut at one joint: elimination.md, section 10.

// The part at the ground, with the unit wrenches at the tip on their way.
OpReport Elimination::factor_inner(const RankRule& rule, Pass pass, Hand& hand) {
  ChainTip& tip = *data_.tip;
  start_tip(tip);
  const std::vector<std::int32_t>& path = data_.program.cut.path;
  std::size_t first = 0;
  double* P = tip.carried.data();
  std::size_t& carried = tip.carried_to;
  for (carried = 0; carried < path.size(); ++carried) {
    if (carried % kOpsBetweenLooks == 0 && has_tip_faded(tip)) break;
    const std::size_t end = at(path[carried]) + 1;
    const OpReport report = pass_range(first, end, rule, pass, hand);
    if (report.outcome != OpOutcome::good) return report;
    if (carry_tip(data_, end - 1, P)) {
      P += 6 * at(data_.program.ops[end - 1].free_count);
      tip.touched.push_back(static_cast<std::uint32_t>(carried));
    }
    first = end;
  }
  return pass_range(first, at(data_.program.cut.inner_end), rule, pass, hand);
}

OpReport Elimination::factor_cut_chain(const RankRule& rule, Pass pass) {
  const ChainCut& cut = data_.program.cut;
  const std::size_t inner_end = at(cut.inner_end);
  const std::size_t joint_op = at(cut.joint_op);
  const bool sweeps_up = pass != Pass::factor;
  OpReport parts[2];
  for_each_part(2, [&](std::size_t part) {
    Hand hand;  // each has its own, on its own stack: two in one line of the cache would hold up each other
    parts[part] = part == 0 ? factor_inner(rule, pass, hand) : pass_range(inner_end, joint_op, rule, pass, hand);
    if (part == 0 && sweeps_up && parts[0].outcome == OpOutcome::good) find_tip_motion(data_);
  });
  for (const OpReport& part : parts) {
    if (part.outcome != OpOutcome::good) return part;
  }
  Hand hand;
  const OpReport joint = pass_range(joint_op, joint_op + 1, rule, pass, hand);
  if (joint.outcome != OpOutcome::good) return joint;
  factor_tip(data_);
  if (sweeps_up) up_tip(data_);
  return pass_range(joint_op + 1, data_.steps.size(), rule, pass, hand);
}

void Elimination::up_cut_chain() {
  const ChainCut& cut = data_.program.cut;
  const std::size_t inner_end = at(cut.inner_end);
  const std::size_t joint_op = at(cut.joint_op);
  for_each_part(2, [&](std::size_t part) {
    if (part == 0) {
      up_range(0, inner_end);
      find_tip_motion(data_);
    } else {
      up_range(inner_end, joint_op);
    }
  });
  up_range(joint_op, joint_op + 1);
  up_tip(data_);
  up_range(joint_op + 1, data_.steps.size());
}

void Elimination::down_cut_chain(double* a, double* lambda) {
  const ChainCut& cut = data_.program.cut;
  const std::size_t inner_end = at(cut.inner_end);
  const std::size_t joint_op = at(cut.joint_op);
  down_range(joint_op + 1, data_.steps.size(), a, lambda);
  double wrench[6];
  down_tip(data_, a, wrench);
  down_tree_op(joint_op, a + 6 * at(cut.tip), a, lambda);
  for_each_part(2, [&](std::size_t part) {
    if (part == 1) {
      down_range(inner_end, joint_op, a, lambda);
      return;
    }
    load_path(data_, wrench, lambda != nullptr);
    const std::size_t tip_op = at(cut.path[0]);
    down_range(tip_op + 1, inner_end, a, lambda);
    // The motion of the tip is known, and in use on the other side.
    if (lambda != nullptr) tree_op_reaction(tip_op, a, lambda);
    down_range(0, tip_op, a, lambda);
  });
}

}  // namespace gelenk::solve
