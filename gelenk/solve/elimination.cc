#include "gelenk/solve/elimination.h"

#include <algorithm>

#include "gelenk/solve/elimination_attach.h"
#include "gelenk/solve/elimination_border.h"
#include "gelenk/solve/elimination_close.h"
#include "gelenk/solve/elimination_compress.h"
#include "gelenk/solve/elimination_cut.h"
#include "gelenk/solve/elimination_hinge.h"
#include "gelenk/solve/elimination_network.h"
#include "gelenk/solve/elimination_network_sweep.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/elimination_place.h"
#include "gelenk/solve/elimination_tree.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::solve {

template <class T>
Elimination<T>::Elimination(const Program& program)
    : program_(program),
      is_growing_(program.ops.empty()),
      inertias_(program.body_count + (program.cut.is_set() ? 1 : 0)),
      bias_(6 * inertias_.size(), T(0)) {
  if (program.cut.is_set()) place_cut();
  // Else made when multipliers are wanted for the first time.
  if (!program.given.empty()) loads_.assign(6 * program.body_count, T(0));
  // Joints of trees are passed in units of their own.
  if (is_growing_ || !program.closing.empty()) scales_.assign(program.row_scales.begin(), program.row_scales.end());
  place();
}

template <class T>
Elimination<T>::~Elimination() = default;

template <class T>
void Elimination<T>::set_given(std::size_t component, const T* D, const T* r) {
  if (given_.size() <= component) given_.resize(component + 1);
  given_[component] = {D, r};
}

template <class T>
void Elimination<T>::load(std::span<const BodyMass> masses, const T* values) {
  values_ = values;
  masses_ = masses.data();
  for (const std::int32_t body : loaded_) {
    put_own_inertia(static_cast<std::size_t>(body), inertias_[static_cast<std::size_t>(body)]);
  }
  // The inertia of bodies of other components is in what these publish.
  for (const GivenFront& front : program_.given) {
    for (const std::int32_t body : front.bodies) inertias_[static_cast<std::size_t>(body)].set_zero();
  }
  if (cut_) inertias_[program_.body_count].set_zero();
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor(const RankRule& rule) {
  return factor_pass(rule, Pass::factor);
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor_and_sweep_up(const RankRule& rule, std::span<const T> f,
                                                                    std::span<const T> u, bool is_lean) {
  begin_sweep(f, u);
  return factor_pass(rule, is_lean ? Pass::lean : Pass::both);
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor_pass(const RankRule& rule, Pass pass) {
  is_lean_ = pass == Pass::lean;
  if (cut_) return factor_cut_chain(rule, pass);
  Hand hand;
  return pass_range(0, steps_.size(), rule, pass, hand);
}

template <class T>
typename Elimination<T>::Report Elimination<T>::pass_range(std::size_t first, std::size_t end, const RankRule& rule,
                                                           Pass pass, Hand& hand) {
  if (pass == Pass::factor) return factor_range<false, false>(first, end, rule, hand);
  if (pass == Pass::both) return factor_range<true, false>(first, end, rule, hand);
  return factor_range<true, true>(first, end, rule, hand);
}

template <class T>
template <bool sweeps_up, bool is_lean>
typename Elimination<T>::Report Elimination<T>::factor_range(std::size_t first, std::size_t end, const RankRule& rule,
                                                             Hand& hand) {
  Report report;
  for (std::size_t i = first; i < end; ++i) {
    if (steps_[i].shape == Shape::hinge) {
      if (factor_hinge<sweeps_up, is_lean>(steps_[i], hand)) continue;
      report.outcome = Outcome::joint_lost_rank;
      report.where = program_.ops[i].joint;
      return report;
    }
    report.outcome = factor_op(i, rule, report);
    if (report.outcome != Outcome::good) return report;
    if constexpr (sweeps_up) up_op(i);
  }
  return report;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_op(std::size_t index, const RankRule& rule, Report& report) {
  const Op& op = program_.ops[index];
  const Outcome outcome = factor_shape(op, index, rule, report);
  if (outcome != Outcome::good) {
    report.where = outcome == Outcome::joint_lost_rank ? op.joint : static_cast<std::int32_t>(index);
  }
  return outcome;
}

template <class T>
GELENK_ALWAYS_INLINE typename Elimination<T>::Outcome Elimination<T>::factor_shape(const Op& op, std::size_t index,
                                                                                   const RankRule& rule,
                                                                                   Report& report) {
  switch (steps_[index].shape) {
    case Shape::hinge: {
      Hand unused;
      return factor_hinge<false, false>(steps_[index], unused) ? Outcome::good : Outcome::joint_lost_rank;
    }
    case Shape::other_tree:
      return factor_tree(op);
    case Shape::hinge_attach:
      return factor_attach<true>(op, index);
    case Shape::hinge_close:
      return factor_close<true>(op, index, rule, report);
    case Shape::other_front:
      break;
  }
  switch (op.kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      factor_start(op, index);
      break;
    case OpKind::attach:
      return factor_attach<false>(op, index);
    case OpKind::close:
      return factor_close<false>(op, index, rule, report);
    case OpKind::compress:
      return factor_compress(op, index);
    case OpKind::finish:
      factor_finish(op);
      break;
    case OpKind::given:
      return factor_given(op, index);
    case OpKind::load:
      factor_load(op, index);
      break;
    case OpKind::join:
    case OpKind::take:
    case OpKind::square:
      factor_network(op, index, rule, report);
      break;
  }
  return Outcome::good;
}

template <class T>
void Elimination<T>::begin_sweep(std::span<const T> f, std::span<const T> u) {
  f_ = f.data();
  for (const std::int32_t body : loaded_) {
    put_own_load(static_cast<std::size_t>(body), &bias_[6 * static_cast<std::size_t>(body)]);
  }
  for (const GivenFront& front : program_.given) {
    for (const std::int32_t body : front.bodies) std::fill_n(&bias_[6 * static_cast<std::size_t>(body)], 6, T(0));
  }
  u_ = u.data();
  if (cut_) std::fill_n(&bias_[6 * program_.body_count], 6, T(0));
}

template <class T>
void Elimination<T>::sweep_up(std::span<const T> f, std::span<const T> u) {
  if (is_lean_) find_handed_inertias();
  begin_sweep(f, u);
  if (cut_) {
    up_cut_chain();
  } else {
    up_range(0, steps_.size());
  }
}

template <class T>
void Elimination<T>::up_range(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    if (steps_[i].shape == Shape::hinge) {
      up_hinge(steps_[i]);
    } else {
      up_op(i);
    }
  }
}

template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::up_op(std::size_t index) {
  const Op& op = program_.ops[index];
  switch (steps_[index].shape) {
    case Shape::hinge:
      return up_hinge(steps_[index]);
    case Shape::other_tree:
      return up_tree(op);
    case Shape::hinge_attach:
      return up_attach<true>(op, index);
    case Shape::hinge_close:
      return up_close<true>(op, index);
    case Shape::other_front:
      break;
  }
  switch (op.kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      up_start(op, index);
      break;
    case OpKind::attach:
      up_attach<false>(op, index);
      break;
    case OpKind::close:
      up_close<false>(op, index);
      break;
    case OpKind::compress:
      up_compress(op);
      break;
    case OpKind::finish:
      up_finish(op);
      break;
    case OpKind::given:
      std::copy_n(given_[static_cast<std::size_t>(op.component)].r, 6 * static_cast<std::size_t>(op.live_count),
                  at(places_[index].r));
      break;
    case OpKind::load:
      up_load(op, index);
      break;
    case OpKind::join:
    case OpKind::take:
    case OpKind::square:
      up_network(op, index);
      break;
  }
}

template <class T>
void Elimination<T>::sweep_down(std::span<T> a, std::span<T> lambda, std::span<const T> rule, bool wants_loads) {
  // A program without rows may still have to pass wrenches on.
  T no_rows(0);
  T* const multipliers = !lambda.empty() ? lambda.data() : wants_loads ? &no_rows : nullptr;
  if (multipliers != nullptr) {
    if (is_lean_) {
      find_handed_inertias();
      find_handed_loads();
    }
    loads_.assign(6 * program_.body_count, T(0));
    for (const std::int32_t joint : program_.idle) {
      const JointRows& rows = program_.layout.joints[static_cast<std::size_t>(joint)];
      std::fill_n(multipliers + rows.first_row, rows.row_count(), T(0));
    }
  }
  for (const std::int32_t op : program_.published) {
    const auto front = static_cast<std::size_t>(op);
    if (Program::is_network(program_.ops[front])) {
      push_network(front, rule);
      continue;
    }
    const std::span<const std::int32_t> live = program_.live_of(program_.ops[front]);
    T* const y = at(places_[front].y);
    std::fill_n(y, columns(front), T(0));
    if (rule.empty()) continue;
    const T* const W = at(places_[front].W);
    for (std::size_t b = 0; b < live.size(); ++b) {
      const T* const wrench = &rule[6 * static_cast<std::size_t>(live[b])];
      for (std::size_t j = 0; j < columns(front); ++j) y[j] += dot6(W + j * 6 * live.size() + 6 * b, wrench);
      if (multipliers != nullptr) copy6(wrench, &loads_[6 * static_cast<std::size_t>(live[b])]);
    }
  }
  if (cut_) {
    down_cut_chain(a.data(), multipliers);
  } else {
    down_range(0, steps_.size(), a.data(), multipliers);
  }
}

template <class T>
void Elimination<T>::down_range(std::size_t first, std::size_t end, T* a, T* lambda) {
  for (std::size_t i = end; i-- > first;) {
    const Step& step = steps_[i];
    if (step.shape == Shape::hinge || step.shape == Shape::other_tree) {
      down_tree_op(i, step.parent == kNone ? nullptr : a + 6 * static_cast<std::size_t>(step.parent), a, lambda);
    } else {
      down_front_op(i, a, lambda);
    }
  }
}

template <class T>
void Elimination<T>::down_tree_op(std::size_t index, const T* inner, T* a, T* lambda) {
  const Step& step = steps_[index];
  T* const ours = a + 6 * static_cast<std::size_t>(step.body);
  if (step.shape == Shape::hinge) {
    down_hinge(step, inner, ours);
  } else {
    down_tree(program_.ops[index], inner, ours);
  }
  if (lambda != nullptr) tree_op_reaction(index, a, lambda);
}

template <class T>
void Elimination<T>::tree_op_reaction(std::size_t index, const T* a, T* lambda) {
  const Step& step = steps_[index];
  const T* const ours = a + 6 * static_cast<std::size_t>(step.body);
  if (step.shape == Shape::hinge) {
    hinge_reaction(step, ours, lambda + step.first_row);
  } else if (!program_.ops[index].is_free) {
    tree_reaction(program_.ops[index], ours, lambda);
  }
}

template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::down_front_op(std::size_t index, T* a, T* lambda) {
  const Op& op = program_.ops[index];
  if (steps_[index].shape == Shape::hinge_attach) return down_attach<true>(op, index, a, lambda);
  if (steps_[index].shape == Shape::hinge_close) return down_close<true>(op, index, a, lambda);
  switch (op.kind) {
    case OpKind::tree:
      break;
    case OpKind::start:
      down_start(op, index, a);
      break;
    case OpKind::attach:
      down_attach<false>(op, index, a, lambda);
      break;
    case OpKind::close:
      down_close<false>(op, index, a, lambda);
      break;
    case OpKind::compress:
      down_compress(op, index);
      break;
    case OpKind::finish:
      down_finish(op);
      break;
    case OpKind::given:
      if (places_[index].is_carrying) down_given(op, index, a);
      break;
    case OpKind::load:
      down_load(op, index, lambda != nullptr);
      break;
    case OpKind::join:
    case OpKind::take:
    case OpKind::square:
      down_network(op, index, a, lambda);
      break;
  }
}

template <class T>
std::size_t Elimination<T>::memory() const {
  return numbers_.size() * sizeof(T) + inertias_.size() * sizeof(Inertia<T>) +
         (bias_.size() + loads_.size() + scales_.size()) * sizeof(T) + places_.size() * sizeof(Place) +
         steps_.size() * sizeof(Step) + (orders_.size() + columns_.size() + ranks_.size()) * sizeof(std::int32_t) +
         program_.ops.size() * sizeof(Op) + ends_.size() * sizeof(End) + sides_.size() * sizeof(RowSide) +
         hinge_closings_.size() * sizeof(HingeClosing);
}

template class Elimination<double>;
template class Elimination<long double>;

}  // namespace gelenk::solve
