#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_parts.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/mobility_kernels.h"

// Joints of a tree, and where fronts begin and end; included by elimination.cc only. Equations:
// docs/theory/elimination.md.
namespace gelenk::solve {

// A joint whose own rows come this close to dependence at run time cannot be passed by its free motion any more: it
// loses as many digits.
inline constexpr double kLostJoint = 1e-4;

// v: not wanted of joints on the ground.
template <class T>
bool Elimination<T>::joint_motion(const Op& op, T* v, T* S, T* duals) const {
  if (op.is_free) {
    if (v != nullptr) v[0] = v[1] = v[2] = T(0);
    for (std::size_t i = 0; i < 36; ++i) S[i] = T(i % 7 == 0 ? 1 : 0);
    return true;
  }
  const JointView<T> joint = view(op.joint, op.is_b);
  if (is_hinge(*joint.joint)) {
    T shift[3];
    const T square = hinge_motion(joint, v != nullptr ? v : shift, S);
    for (std::size_t i = 0; i < 3; ++i) duals[i] = S[3 + i];
    duals[3] = T(1) / square;
    return square > T(kLostJoint * kLostJoint);
  }
  JointBases<T> bases;
  make_bases(joint, bases);
  if (!(bases.quality() > T(kLostJoint))) return false;
  if (v != nullptr) joint_shift(joint, v);
  free_motions(joint, bases, S);
  put_duals(bases, duals);
  return true;
}

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_tree(const Op& op) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  if (!joint_motion(op, parts.v(), parts.motions(), parts.duals())) return Outcome::joint_lost_rank;
  const Inertia<T>& I = inertias_[static_cast<std::size_t>(op.body)];
  T* const Y = parts.loads();
  T* const L = parts.factor();
  const T* const S = parts.motions();
  for (std::size_t j = 0; j < f; ++j) multiply(I, S + 6 * j, Y + 6 * j);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t j = 0; j <= i; ++j) L[i * f + j] = dot6(S + 6 * i, Y + 6 * j);
  }
  cholesky(f, L, f);
  for (std::size_t i = 0; i < f; ++i) {
    T* const y = Y + 6 * i;
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t n = 0; n < 6; ++n) y[n] -= L[i * f + j] * Y[6 * j + n];
    }
    for (std::size_t n = 0; n < 6; ++n) y[n] *= L[i * f + i];
  }
  if (op.parent == kNone) return Outcome::good;
  Inertia<T> rest = I;
  for (std::size_t i = 0; i < f; ++i) subtract_product(Y + 6 * i, Y + 6 * i, rest);
  const auto parent = static_cast<std::size_t>(op.parent);
  if (step_of(op).is_first) put_own_inertia(parent, inertias_[parent]);
  add_shifted_inertia(parts.v(), rest, inertias_[parent]);
  return Outcome::good;
}

// W = L⁻ᵀ of the body's inertia: its motion under unit forces.
template <class T>
void Elimination<T>::factor_start(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  T L[36];
  T* const W = at(place.W);
  std::fill_n(W, 36, T(0));
  // W = L⁻ᵀ: its columns are the rows of L⁻¹.
  if (factor_inertia(inertias_[static_cast<std::size_t>(op.body)], L)) {
    for (std::size_t i = 0; i < 3; ++i) W[7 * i] = L[7 * i];
    invert_lower(FixedSize<3>{}, L + 21, W + 21);
  } else {
    invert_lower(FixedSize<6>{}, L, W);
  }
  columns_[index] = 6;
}

// c of a joint for the right side at hand.
template <class T>
void Elimination<T>::joint_bias(const Op& op, const T* duals, T* c) const {
  if (op.is_free) {
    std::fill_n(c, 6, T(0));
    return;
  }
  const JointView<T> joint = view(op.joint, op.is_b);
  const T* const u = rows_of(u_, op.joint);
  if (is_hinge(*joint.joint)) {
    hinge_bias(joint, duals, duals[3], u, c);
  } else {
    particular_motion(joint, duals, u, c);
  }
}

template <class T>
void Elimination<T>::joint_reaction(const Op& op, const T* duals, const T* wrench, T* lambda) const {
  const JointView<T> joint = view(op.joint, op.is_b);
  joint_multipliers(joint, duals, wrench, lambda + joint.joint->first_row);
}

template <class T>
void Elimination<T>::up_tree(const Op& op) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  const auto body = static_cast<std::size_t>(op.body);
  joint_bias(op, parts.duals(), parts.c());
  T wrench[6];
  multiply(inertias_[body], parts.c(), wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  T* const z = parts.z();
  for (std::size_t i = 0; i < f; ++i) z[i] = dot6(parts.motions() + 6 * i, wrench);
  solve_lower(f, parts.factor(), f, z);
  if (op.parent == kNone) return;
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t n = 0; n < 6; ++n) wrench[n] -= z[i] * parts.loads()[6 * i + n];
  }
  load_parent(step_of(op), parts.v(), wrench, &bias_[6 * static_cast<std::size_t>(op.parent)]);
}

template <class T>
void Elimination<T>::down_tree(const Op& op, const T* inner, T* ours) {
  const auto f = static_cast<std::size_t>(op.free_count);
  const TreeParts parts{f, at(place_of(op).own)};
  T q[6];
  for (std::size_t i = 0; i < f; ++i) q[i] = parts.z()[i];
  if (inner != nullptr) {
    shift_motion(parts.v(), inner, ours);
    for (std::size_t i = 0; i < f; ++i) q[i] += dot6(parts.loads() + 6 * i, ours);
    for (std::size_t n = 0; n < 6; ++n) ours[n] += parts.c()[n];
  } else {
    copy6(parts.c(), ours);
  }
  solve_lower_transposed(f, parts.factor(), f, q);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t n = 0; n < 6; ++n) ours[n] -= q[i] * parts.motions()[6 * i + n];
  }
}

template <class T>
void Elimination<T>::tree_reaction(const Op& op, const T* ours, T* lambda) {
  const auto body = static_cast<std::size_t>(op.body);
  T wrench[6];
  multiply(inertias_[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += bias_[6 * body + i];
  const TreeParts parts{static_cast<std::size_t>(op.free_count), at(place_of(op).own)};
  joint_reaction(op, parts.duals(), wrench, lambda);
}

template <class T>
void Elimination<T>::up_start(const Op& op, std::size_t index) {
  const T* const W = at(places_[index].W);
  const T* const p = &bias_[6 * static_cast<std::size_t>(op.body)];
  T* const r = at(places_[index].r);
  std::fill_n(r, 6, T(0));
  for (std::size_t j = 0; j < 6; ++j) {
    const T load = dot6(W + 6 * j, p);
    for (std::size_t n = 0; n < 6; ++n) r[n] -= load * W[6 * j + n];
  }
}

template <class T>
void Elimination<T>::down_start(const Op& op, std::size_t index, T* a) {
  const T* const W = at(places_[index].W);
  const T* const y = at(places_[index].y);
  T* const ours = a + 6 * static_cast<std::size_t>(op.body);
  copy6(at(places_[index].r), ours);
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t n = 0; n < 6; ++n) ours[n] += y[j] * W[6 * j + n];
  }
}

template <class T>
void Elimination<T>::factor_finish(const Op& op) {
  if (op.base == kNone) return;
  const T* const base_inertia = at(places_[static_cast<std::size_t>(op.source[0])].Ib);
  Inertia<T>& I = inertias_[static_cast<std::size_t>(op.base)];
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      I.A[n] += base_inertia[6 * j + i];
      I.C[n] += base_inertia[6 * (3 + j) + 3 + i];
    }
    for (std::size_t j = 0; j < 3; ++j) I.B[3 * i + j] += base_inertia[6 * (3 + j) + i];
  }
}

template <class T>
void Elimination<T>::up_finish(const Op& op) {
  if (op.base == kNone) return;
  const T* const pb = at(places_[static_cast<std::size_t>(op.source[0])].pb);
  for (std::size_t i = 0; i < 6; ++i) bias_[6 * static_cast<std::size_t>(op.base) + i] += pb[i];
}

template <class T>
void Elimination<T>::down_finish(const Op& op) {
  const auto source = static_cast<std::size_t>(op.source[0]);
  std::fill_n(at(places_[source].y), columns(source), T(0));
}

}  // namespace gelenk::solve
