#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/ops/op_data.h"

// The joint by which a tree or attach op passes from its inner body p to its outer body k, in world axes: a_k = X a_p +
// S q + c, X the shift by v, elimination.md (2.1).
namespace gelenk::solve {

// A joint whose own rows come this close to dependence at run time cannot be passed by its free motion any more: it
// loses as many digits.
inline constexpr double kLostJoint = 1e-4;

// v, S (columns of six) and what sweeps need of the joint; false: the joint lost rank. v: not wanted of joints on the
// ground.
inline bool joint_motion(const OpData& data, const Op& op, double* v, double* S, double* duals) {
  if (op.is_free) {
    if (v != nullptr) v[0] = v[1] = v[2] = 0.0;
    for (std::size_t i = 0; i < 36; ++i) S[i] = (i % 7 == 0 ? 1.0 : 0.0);
    return true;
  }
  const JointView joint = data.view(op.joint, op.is_b);
  if (is_hinge(*joint.joint)) {
    double shift[3];
    const double square = hinge_motion(joint, v != nullptr ? v : shift, S);
    for (std::size_t i = 0; i < 3; ++i) duals[i] = S[3 + i];
    duals[3] = 1.0 / square;
    return square > kLostJoint * kLostJoint;
  }
  JointBases bases;
  make_bases(joint, bases);
  if (!(bases.quality() > kLostJoint)) return false;
  if (v != nullptr) joint_shift(joint, v);
  free_motions(joint, bases, S);
  put_duals(bases, duals);
  return true;
}

// c of a joint for the right side at hand.
inline void joint_bias(const OpData& data, const Op& op, const double* duals, double* c) {
  if (op.is_free) {
    std::fill_n(c, 6, 0.0);
    return;
  }
  const JointView joint = data.view(op.joint, op.is_b);
  const double* const u = data.u_of(op.joint);
  if (is_hinge(*joint.joint)) {
    hinge_bias(joint, duals, duals[3], u, c);
  } else {
    particular_motion(joint, duals, u, c);
  }
}

// λ of the joint's rows for the wrench that the joint exerts on k.
inline void joint_reaction(const OpData& data, const Op& op, const double* duals, const double* wrench,
                           double* lambda) {
  const JointView joint = data.view(op.joint, op.is_b);
  joint_multipliers(joint, duals, wrench, lambda + joint.joint->first_row);
}

}  // namespace gelenk::solve
