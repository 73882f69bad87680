#pragma once

#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/ops/joint_passage.h"
#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/spatial.h"

// Hinges of a tree (one point, two turns), the most frequent op, written out: no square root, no factor, one division
// each for the axis and the inertia. Kernels are inline: the loops over the program have them in place. The equations
// are elimination.md (3.1) and (3.2) with one free motion, I and p of the outer body, wrench = I a + p.
namespace gelenk::solve {

// A hinge: one free motion S = (s × d, d) about the axis d = n₁ × n₂ of its two turns. What follows from the packed
// rows in a few operations is not kept: large machines spend their time on the way to the memory.
struct HingeParts {
  double U[6];      // I S
  double inverse;   // 1 / SᵀU
  double z;         // Sᵀ(p + I c) / SᵀU
  double per_axis;  // 1 / d²
};

inline HingeParts& hinge_parts(OpData& data, const Step& step) {
  return *reinterpret_cast<HingeParts*>(data.at(step.own));
}

// What is left of I beyond the free motion of the hinge, onto the inner body.
GELENK_ALWAYS_INLINE void condense_hinge(OpData& data, const Step& step, const double* v, const Inertia& I,
                                         Inertia& onto) {
  const HingeParts& own = hinge_parts(data, step);
  double scaled[6];
  for (std::size_t i = 0; i < 6; ++i) scaled[i] = own.inverse * own.U[i];
  Inertia rest = I;
  subtract_product(own.U, scaled, rest);
  if (step.is_first) put_own_inertia(data, at(step.parent), onto);
  add_shifted_inertia(v, rest, onto);
}

// z, and the wrench p + I c less what goes into the free motion.
GELENK_ALWAYS_INLINE void lift_hinge(OpData& data, const Step& step, const double* d, const Inertia& I, const double* p,
                                     double* wrench) {
  HingeParts& own = hinge_parts(data, step);
  const JointView joint = data.view_of(step);
  double c[6];
  hinge_bias(joint, d, own.per_axis, data.u + step.first_row, c);
  multiply(I, c, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += p[i];
  // S = (s × d, d): the moment about the axis of the hinge
  double moment[3];
  cross(wrench, joint.arm(), moment);
  for (std::size_t i = 0; i < 3; ++i) moment[i] += wrench[3 + i];
  own.z = own.inverse * dot3(d, moment);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] -= own.z * own.U[i];
}

GELENK_ALWAYS_INLINE void load_parent(OpData& data, const Step& step, const double* v, const double* wrench,
                                      double* p) {
  if (step.is_first) put_own_load(data, at(step.parent), p);
  add_shifted_wrench(v, wrench, p);
}

template <bool sweeps_up, bool is_lean>
GELENK_ALWAYS_INLINE bool factor_hinge(OpData& data, const Step& step, Hand& hand) {
  HingeParts& own = hinge_parts(data, step);
  double v[3];
  double S[6];
  const double square = hinge_motion(data.view_of(step), v, S);
  if (!(square > kLostJoint * kLostJoint)) return false;
  own.per_axis = 1.0 / square;
  const auto body = at(step.body);
  const bool takes_hand = is_lean && step.is_handed;
  const Inertia& I = takes_hand ? hand.I : data.inertias[body];
  multiply(I, S, own.U);
  own.inverse = 1.0 / dot6(S, own.U);
  double wrench[6];
  if constexpr (sweeps_up) lift_hinge(data, step, S + 3, I, takes_hand ? hand.p : &data.bias[6 * body], wrench);
  if (step.parent == kNone) return true;
  const auto parent = at(step.parent);
  const bool gives_hand = is_lean && step.hands_over;
  condense_hinge(data, step, v, I, gives_hand ? hand.I : data.inertias[parent]);
  if constexpr (sweeps_up) load_parent(data, step, v, wrench, gives_hand ? hand.p : &data.bias[6 * parent]);
  return true;
}

inline void up_hinge(OpData& data, const Step& step) {
  const JointView joint = data.view_of(step);
  const auto body = at(step.body);
  double d[3];
  cross(joint.turn(0), joint.turn(1), d);
  double wrench[6];
  lift_hinge(data, step, d, data.inertias[body], &data.bias[6 * body], wrench);
  if (step.parent == kNone) return;
  double v[3];
  hinge_shift(joint, v);
  load_parent(data, step, v, wrench, &data.bias[6 * at(step.parent)]);
}

// What went from hand to hand, from the factors: the same numbers again.
void find_handed_inertias(OpData& data);
void find_handed_loads(OpData& data);

inline void down_hinge(OpData& data, const Step& step, const double* inner, double* ours) {
  const HingeParts& own = hinge_parts(data, step);
  const JointView joint = data.view_of(step);
  double S[6];
  hinge_screw(joint, S);
  double c[6];
  hinge_bias(joint, S + 3, own.per_axis, data.u + step.first_row, c);
  double q = -own.z;
  if (inner != nullptr) {
    double v[3];
    hinge_shift(joint, v);
    double moved[6];
    shift_motion(v, inner, moved);
    q -= own.inverse * dot6(own.U, moved);
    for (std::size_t i = 0; i < 6; ++i) ours[i] = moved[i] + c[i] + q * S[i];
  } else {
    for (std::size_t i = 0; i < 6; ++i) ours[i] = c[i] + q * S[i];
  }
}

inline void hinge_reaction(OpData& data, const Step& step, const double* ours, double* lambda) {
  const double* const values = data.values + step.first_value;
  const double* const arm = values + (step.is_b ? 3 : 0);
  const auto body = at(step.body);
  const double sign = step.is_b ? 1.0 : -1.0;
  double wrench[6];
  multiply(data.inertias[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += data.bias[6 * body + i];
  double moment[3];
  cross(wrench, arm, moment);
  for (std::size_t i = 0; i < 3; ++i) {
    moment[i] += wrench[3 + i];
    lambda[i] = sign * wrench[i];
  }
  // λ₁ = (n₂ × d)·m / d², λ₂ = (d × n₁)·m / d²
  double d[3];
  cross(values + 6, values + 9, d);
  double turned[3];
  cross(d, moment, turned);
  const double per_axis = hinge_parts(data, step).per_axis;
  lambda[3] = sign * per_axis * dot3(values + 9, turned);
  lambda[4] = -sign * per_axis * dot3(values + 6, turned);
}

}  // namespace gelenk::solve
