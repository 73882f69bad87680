#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/elimination_tree.h"

// Hinges of a tree (one point, two turns), the most frequent op, written out: no square root, no factor, one division
// each for the axis and the inertia. Included by elimination.cc only.
namespace gelenk::solve {

template <class T>
typename Elimination<T>::Shape Elimination<T>::shape_of(const Op& op) const {
  if (op.kind == OpKind::close && closes_one_hinge(op)) return Shape::hinge_close;
  if (op.kind != OpKind::tree) return Shape::other_front;
  if (op.is_free) return Shape::other_tree;
  const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(op.joint)];
  return is_hinge(joint) ? Shape::hinge : Shape::other_tree;
}

// What is left of I beyond the free motion of the hinge, onto the inner body.
template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::condense_hinge(const Step& step, const T* v, const Inertia<T>& I,
                                                         Inertia<T>& onto) {
  const HingeParts& own = hinge(step);
  T scaled[6];
  for (std::size_t i = 0; i < 6; ++i) scaled[i] = own.inverse * own.U[i];
  Inertia<T> rest = I;
  subtract_product(own.U, scaled, rest);
  if (step.is_first) put_own_inertia(static_cast<std::size_t>(step.parent), onto);
  add_shifted_inertia(v, rest, onto);
}

// z, and the wrench p + I c less what goes into the free motion.
template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::lift_hinge(const Step& step, const T* d, const Inertia<T>& I, const T* p,
                                                     T* wrench) {
  HingeParts& own = hinge(step);
  const JointView<T> joint = view_of(step);
  T c[6];
  hinge_bias(joint, d, own.per_axis, u_ + step.first_row, c);
  multiply(I, c, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += p[i];
  // S = (s × d, d): the moment about the axis of the hinge
  T moment[3];
  cross(wrench, joint.arm(), moment);
  for (std::size_t i = 0; i < 3; ++i) moment[i] += wrench[3 + i];
  own.z = own.inverse * dot3(d, moment);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] -= own.z * own.U[i];
}

template <class T>
GELENK_ALWAYS_INLINE void Elimination<T>::load_parent(const Step& step, const T* v, const T* wrench, T* p) {
  if (step.is_first) put_own_load(static_cast<std::size_t>(step.parent), p);
  add_shifted_wrench(v, wrench, p);
}

template <class T>
template <bool sweeps_up, bool is_lean>
GELENK_ALWAYS_INLINE bool Elimination<T>::factor_hinge(const Step& step, Hand& hand) {
  HingeParts& own = hinge(step);
  T v[3];
  T S[6];
  const T square = hinge_motion(view_of(step), v, S);
  if (!(square > T(kLostJoint * kLostJoint))) return false;
  own.per_axis = T(1) / square;
  const auto body = static_cast<std::size_t>(step.body);
  const bool takes_hand = is_lean && step.is_handed;
  const Inertia<T>& I = takes_hand ? hand.I : inertias_[body];
  multiply(I, S, own.U);
  own.inverse = T(1) / dot6(S, own.U);
  T wrench[6];
  if constexpr (sweeps_up) lift_hinge(step, S + 3, I, takes_hand ? hand.p : &bias_[6 * body], wrench);
  if (step.parent == kNone) return true;
  const auto parent = static_cast<std::size_t>(step.parent);
  const bool gives_hand = is_lean && step.hands_over;
  condense_hinge(step, v, I, gives_hand ? hand.I : inertias_[parent]);
  if constexpr (sweeps_up) load_parent(step, v, wrench, gives_hand ? hand.p : &bias_[6 * parent]);
  return true;
}

template <class T>
void Elimination<T>::up_hinge(const Step& step) {
  const JointView<T> joint = view_of(step);
  const auto body = static_cast<std::size_t>(step.body);
  T d[3];
  cross(joint.turn(0), joint.turn(1), d);
  T wrench[6];
  lift_hinge(step, d, inertias_[body], &bias_[6 * body], wrench);
  if (step.parent == kNone) return;
  T v[3];
  hinge_shift(joint, v);
  load_parent(step, v, wrench, &bias_[6 * static_cast<std::size_t>(step.parent)]);
}

// What went from hand to hand, from the factors: the same numbers again.
template <class T>
void Elimination<T>::find_handed_inertias() {
  for (const Step& step : steps_) {
    if (!step.hands_over) continue;
    T v[3];
    hinge_shift(view_of(step), v);
    condense_hinge(step, v, inertias_[static_cast<std::size_t>(step.body)],
                   inertias_[static_cast<std::size_t>(step.parent)]);
  }
  is_lean_ = false;
}

template <class T>
void Elimination<T>::find_handed_loads() {
  for (const Step& step : steps_) {
    if (step.hands_over) up_hinge(step);
  }
}

template <class T>
void Elimination<T>::down_hinge(const Step& step, const T* inner, T* ours) {
  const HingeParts& own = hinge(step);
  const JointView<T> joint = view_of(step);
  T S[6];
  hinge_screw(joint, S);
  T c[6];
  hinge_bias(joint, S + 3, own.per_axis, u_ + step.first_row, c);
  T q = -own.z;
  if (inner != nullptr) {
    T v[3];
    hinge_shift(joint, v);
    T moved[6];
    shift_motion(v, inner, moved);
    q -= own.inverse * dot6(own.U, moved);
    for (std::size_t i = 0; i < 6; ++i) ours[i] = moved[i] + c[i] + q * S[i];
  } else {
    for (std::size_t i = 0; i < 6; ++i) ours[i] = c[i] + q * S[i];
  }
}

template <class T>
void Elimination<T>::hinge_reaction(const Step& step, const T* ours, T* lambda) {
  const T* const values = values_ + step.first_value;
  const T* const arm = values + (step.is_b ? 3 : 0);
  const auto body = static_cast<std::size_t>(step.body);
  const T sign = step.is_b ? T(1) : T(-1);
  T wrench[6];
  multiply(inertias_[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  T moment[3];
  cross(wrench, arm, moment);
  for (std::size_t i = 0; i < 3; ++i) {
    moment[i] += wrench[3 + i];
    lambda[i] = sign * wrench[i];
  }
  // λ₁ = (n₂ × d)·m / d², λ₂ = (d × n₁)·m / d²
  T d[3];
  cross(values + 6, values + 9, d);
  T turned[3];
  cross(d, moment, turned);
  const T per_axis = hinge(step).per_axis;
  lambda[3] = sign * per_axis * dot3(values + 9, turned);
  lambda[4] = -sign * per_axis * dot3(values + 6, turned);
}

}  // namespace gelenk::solve
