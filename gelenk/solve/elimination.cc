#include "gelenk/solve/elimination.h"

#include <algorithm>

#include "gelenk/solve/elimination_border.h"
#include "gelenk/solve/elimination_factor.h"
#include "gelenk/solve/elimination_hinge.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/elimination_sweep.h"

namespace gelenk::solve {

template <class T>
Elimination<T>::Elimination(const Program& program)
    : program_(program),
      scales_(program.row_scales.begin(), program.row_scales.end()),
      inertias_(program.body_count),
      bias_(6 * program.body_count, T(0)),
      loads_(6 * program.body_count, T(0)) {
  place();
}

template <class T>
void Elimination<T>::place(std::size_t first) {
  const std::size_t count = program_.ops.size();
  // Ops behind `first` may have been taken back: their numbers are overwritten.
  used_ = first == 0 ? 0 : ends_[first - 1].numbers;
  orders_.resize(first == 0 ? 0 : ends_[first - 1].orders);
  places_.resize(count);
  steps_.resize(count);
  columns_.resize(count, 0);
  ranks_.resize(count, 0);
  spare_.resize(count, 0);
  decisions_.resize(program_.decision_count);
  ends_.resize(count);
  for (std::size_t i = first; i < count; ++i) {
    place_op(i);
    ends_[i] = {used_, orders_.size()};
  }
  if (numbers_.size() < used_) numbers_.resize(std::max(used_, first == 0 ? used_ : 2 * numbers_.size()));
}

template <class T>
void Elimination<T>::make_room(std::size_t op) {
  spare_[op] += columns_[op] - places_[op].columns;
  const std::vector<std::int32_t> orders = orders_;  // pivots stay
  place();
  orders_ = orders;
}

template <class T>
void Elimination<T>::place_op(std::size_t index) {
  const Op& op = program_.ops[index];
  Place& place = places_[index];
  place = {};
  const auto live = static_cast<std::size_t>(op.live_count);
  const bool has_base = op.base != kNone;
  std::int32_t in = 0;
  for (const std::int32_t source : op.source) {
    if (source != kNone) in += places_[static_cast<std::size_t>(source)].columns;
  }
  place.columns_in = in;
  std::size_t own = 0;
  std::size_t widest = 0;
  switch (op.kind) {
    case OpKind::tree:
      own = TreeParts::size(static_cast<std::size_t>(op.free_count));
      break;
    case OpKind::start:
      place.columns = 6;
      break;
    case OpKind::attach:
      place.columns_in = place.columns = in + op.free_count;
      own = AttachParts::size(static_cast<std::size_t>(place.columns), has_base);
      break;
    case OpKind::close:
      place.columns = std::max(0, in - op.planned_rank) + op.spare_columns + spare_[index];
      place.columns = std::min(place.columns, in);
      own = CloseParts::size(static_cast<std::size_t>(in), static_cast<std::size_t>(op.row_count), live, has_base);
      widest = static_cast<std::size_t>(op.row_count);
      break;
    case OpKind::compress:
      place.columns = std::min(in, op.planned_rank + op.spare_columns + spare_[index]);
      own = CompressParts::size(static_cast<std::size_t>(in), live);
      widest = 6 * live;
      break;
    case OpKind::finish:
      break;
    case OpKind::given:
      place.columns = place.columns_in = 6 * op.live_count;
      own = 36 * live * live;
      break;
    case OpKind::load:
      place.columns = in;
      own = LoadParts::size(static_cast<std::size_t>(in));
      break;
  }
  Step& step = steps_[index];
  step = {};
  step.shape = shape_of(program_, op);
  if (step.shape == Shape::hinge) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(op.joint)];
    step.first_value = joint.first_value;
    step.first_row = joint.first_row;
    own = sizeof(HingeParts) / sizeof(T);
  }
  place.own = take(own);
  step.own = place.own;
  step.body = op.body;
  step.parent = op.parent;
  step.is_b = op.is_b;
  if (Program::is_front(op)) {
    const auto columns = static_cast<std::size_t>(place.columns);
    place.W = take(6 * live * columns);
    place.r = take(6 * live);
    place.y = take(columns);
    if (has_base) {
      place.phi = take(36 * live);
      place.Ib = take(36);
      place.pb = take(6);
    }
  }
  if (op.kind == OpKind::close || op.kind == OpKind::compress) {
    place.order = orders_.size();
    orders_.resize(orders_.size() + widest);
    for (std::size_t i = 0; i < widest; ++i) orders_[place.order + i] = static_cast<std::int32_t>(i);
  }
  // Enough for one vector of all columns, and for six of them or of all rows.
  const std::size_t most = std::max(static_cast<std::size_t>(place.columns_in), std::size_t{6}) + 6;
  if (line_.size() < most) line_.resize(most);
  if (block_.size() < 6 * std::max(most, widest + 6)) block_.resize(6 * std::max(most, widest + 6));
  if (products_.size() < 6 * most) products_.resize(6 * most);
}

template <class T>
void Elimination<T>::set_given(std::size_t component, const T* D, const T* r) {
  if (given_.size() <= component) given_.resize(component + 1);
  given_[component] = {D, r};
}

template <class T>
void Elimination<T>::load(std::span<const BodyMass> masses, const T* values) {
  values_ = values;
  for (std::size_t b = 0; b < masses.size(); ++b) {
    Inertia<T>& I = inertias_[b];
    const BodyMass& m = masses[b];
    const T mass(m.mass);
    I.A[0] = I.A[3] = I.A[5] = mass;
    I.A[1] = I.A[2] = I.A[4] = T(0);
    for (T& x : I.B) x = T(0);
    for (std::size_t i = 0; i < 6; ++i) I.C[i] = T(m.inertia[i]);
  }
  // The inertia of bodies of other components is in what these publish.
  for (const GivenFront& front : program_.given) {
    for (const std::int32_t body : front.bodies) inertias_[static_cast<std::size_t>(body)].set_zero();
  }
}

template <class T>
typename Elimination<T>::Report Elimination<T>::factor(T tau) {
  Report report;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].shape == Shape::hinge && factor_hinge(steps_[i])) continue;
    report.outcome = factor_op(i, tau, report);
    if (report.outcome != Outcome::good) return report;
  }
  return report;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_op(std::size_t index, T tau, Report& report) {
  const Op& op = program_.ops[index];
  Outcome outcome = Outcome::good;
  switch (op.kind) {
    case OpKind::tree:
      if (steps_[index].shape != Shape::hinge) {
        outcome = factor_tree(op);
      } else if (!factor_hinge(steps_[index])) {
        outcome = Outcome::joint_lost_rank;
      }
      break;
    case OpKind::start:
      factor_start(op, index);
      break;
    case OpKind::attach:
      outcome = factor_attach(op, index);
      break;
    case OpKind::close:
      outcome = factor_close(op, index, tau, report);
      break;
    case OpKind::compress:
      outcome = factor_compress(op, index);
      break;
    case OpKind::finish:
      factor_finish(op);
      break;
    case OpKind::given:
      outcome = factor_given(op, index);
      break;
    case OpKind::load:
      factor_load(op, index);
      break;
  }
  if (outcome != Outcome::good) {
    report.where = outcome == Outcome::joint_lost_rank ? op.joint : static_cast<std::int32_t>(index);
  }
  return outcome;
}

template <class T>
void Elimination<T>::sweep_up(std::span<const T> f, std::span<const T> u) {
  for (std::size_t i = 0; i < f.size(); ++i) bias_[i] = -f[i];
  for (const GivenFront& front : program_.given) {
    for (const std::int32_t body : front.bodies) std::fill_n(&bias_[6 * static_cast<std::size_t>(body)], 6, T(0));
  }
  u_ = u.data();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].shape == Shape::hinge) {
      up_hinge(steps_[i]);
      continue;
    }
    const Op& op = program_.ops[i];
    switch (op.kind) {
      case OpKind::tree:
        up_tree(op);
        break;
      case OpKind::start:
        up_start(op, i);
        break;
      case OpKind::attach:
        up_attach(op, i);
        break;
      case OpKind::close:
        up_close(op, i);
        break;
      case OpKind::compress:
        up_compress(op);
        break;
      case OpKind::finish:
        up_finish(op);
        break;
      case OpKind::given:
        std::copy_n(given_[static_cast<std::size_t>(op.component)].r, 6 * static_cast<std::size_t>(op.live_count),
                    at(places_[i].r));
        break;
      case OpKind::load:
        up_load(op, i);
        break;
    }
  }
}

template <class T>
void Elimination<T>::sweep_down(std::span<T> a, std::span<T> lambda, std::span<const T> tau) {
  T* const multipliers = lambda.empty() ? nullptr : lambda.data();
  if (multipliers != nullptr) {
    std::fill(loads_.begin(), loads_.end(), T(0));
    for (const std::int32_t joint : program_.idle) {
      const JointRows& rows = program_.layout.joints[static_cast<std::size_t>(joint)];
      std::fill_n(multipliers + rows.first_row, rows.row_count(), T(0));
    }
  }
  for (const std::int32_t op : program_.published) {
    const auto front = static_cast<std::size_t>(op);
    const std::span<const std::int32_t> live = program_.live_of(program_.ops[front]);
    T* const y = at(places_[front].y);
    std::fill_n(y, columns(front), T(0));
    if (tau.empty()) continue;
    const T* const W = at(places_[front].W);
    for (std::size_t b = 0; b < live.size(); ++b) {
      const T* const wrench = &tau[6 * static_cast<std::size_t>(live[b])];
      for (std::size_t j = 0; j < columns(front); ++j) y[j] += dot6(W + j * 6 * live.size() + 6 * b, wrench);
      if (multipliers != nullptr) std::copy_n(wrench, 6, &loads_[6 * static_cast<std::size_t>(live[b])]);
    }
  }
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].shape == Shape::hinge) {
      down_hinge(steps_[i], a.data(), multipliers);
      continue;
    }
    const Op& op = program_.ops[i];
    switch (op.kind) {
      case OpKind::tree:
        down_tree(op, a.data(), multipliers);
        break;
      case OpKind::start:
        down_start(op, i, a.data());
        break;
      case OpKind::attach:
        down_attach(op, i, a.data(), multipliers);
        break;
      case OpKind::close:
        down_close(op, i, a.data(), multipliers);
        break;
      case OpKind::compress:
        down_compress(op, i);
        break;
      case OpKind::finish:
        down_finish(op);
        break;
      case OpKind::given:
        down_given(op, i, a.data());
        break;
      case OpKind::load:
        down_load(op, i, multipliers != nullptr);
        break;
    }
  }
}

template <class T>
std::size_t Elimination<T>::memory() const {
  return numbers_.size() * sizeof(T) + inertias_.size() * sizeof(Inertia<T>) +
         (bias_.size() + loads_.size() + scales_.size()) * sizeof(T) + places_.size() * sizeof(Place) +
         steps_.size() * sizeof(Step) + (orders_.size() + columns_.size() + ranks_.size()) * sizeof(std::int32_t) +
         program_.ops.size() * sizeof(Op) + ends_.size() * sizeof(End);
}

template class Elimination<double>;
template class Elimination<long double>;

}  // namespace gelenk::solve
