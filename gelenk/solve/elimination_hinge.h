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

template <class T>
bool Elimination<T>::factor_hinge(const Step& step) {
  HingeParts& own = hinge(step);
  T v[3];
  T S[6];
  const T square = hinge_motion(view_of(step), v, S);
  copy3(S + 3, own.d);
  if (!(square > T(kLostJoint * kLostJoint))) return false;
  own.per_axis = T(1) / square;
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(step.body)];
  T* const U = own.U;
  multiply(I, S, U);
  own.inverse = T(1) / dot6(S, U);
  if (step.parent == kNone) return true;
  T scaled[6];
  for (std::size_t i = 0; i < 6; ++i) scaled[i] = own.inverse * U[i];
  Inertia<T> rest = I;
  subtract_product(U, scaled, rest);
  if (step.is_first) put_own_inertia(static_cast<std::size_t>(step.parent));
  add_shifted_inertia(v, rest, inertias_[static_cast<std::size_t>(step.parent)]);
  return true;
}

template <class T>
void Elimination<T>::up_hinge(const Step& step) {
  HingeParts& own = hinge(step);
  const JointView<T> joint = view_of(step);
  hinge_bias(joint, own.d, own.per_axis, u_ + step.first_row, own.c);
  T wrench[6];
  const auto body = static_cast<std::size_t>(step.body);
  multiply(inertias_[body], own.c, wrench);
  const T* const p = &bias_[6 * body];
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += p[i];
  // S = (s × d, d): the moment about the axis of the hinge
  T moment[3];
  cross(wrench, joint.arm(), moment);
  for (std::size_t i = 0; i < 3; ++i) moment[i] += wrench[3 + i];
  own.z = own.inverse * dot3(own.d, moment);
  if (step.parent == kNone) return;
  for (std::size_t i = 0; i < 6; ++i) wrench[i] -= own.z * own.U[i];
  T v[3];
  hinge_shift(joint, v);
  if (step.is_first) put_own_load(static_cast<std::size_t>(step.parent));
  add_shifted_wrench(v, wrench, &bias_[6 * static_cast<std::size_t>(step.parent)]);
}

template <class T>
void Elimination<T>::down_hinge(const Step& step, const T* inner, T* ours) {
  const HingeParts& own = hinge(step);
  const JointView<T> joint = view_of(step);
  T S[3];  // its linear part
  cross(joint.arm(), own.d, S);
  T q = -own.z;
  if (inner != nullptr) {
    T v[3];
    hinge_shift(joint, v);
    T moved[6];
    shift_motion(v, inner, moved);
    q -= own.inverse * dot6(own.U, moved);
    for (std::size_t i = 0; i < 3; ++i) {
      ours[i] = moved[i] + own.c[i] + q * S[i];
      ours[3 + i] = moved[3 + i] + own.c[3 + i] + q * own.d[i];
    }
  } else {
    for (std::size_t i = 0; i < 3; ++i) {
      ours[i] = own.c[i] + q * S[i];
      ours[3 + i] = own.c[3 + i] + q * own.d[i];
    }
  }
}

template <class T>
void Elimination<T>::hinge_reaction(const Step& step, const T* ours, T* lambda) {
  const HingeParts& own = hinge(step);
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
  T turned[3];
  cross(own.d, moment, turned);
  lambda[3] = sign * own.per_axis * dot3(values + 9, turned);
  lambda[4] = -sign * own.per_axis * dot3(values + 6, turned);
}

}  // namespace gelenk::solve
