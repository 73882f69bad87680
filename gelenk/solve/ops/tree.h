#pragma once

#include <cstddef>

#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/ops/op_data.h"

// A body and all that hangs on it, I and p with wrench = I a + p, becomes an inertia of its inner body, by any joint
// but a hinge (hinge.h), or by no joint at all: elimination.md (3.1), (3.2).
namespace gelenk::solve {

struct TreeParts {
  std::size_t f;
  double* own;  // of all but hinges
  double* v() const { return own; }
  double* c() const { return own + 3; }
  double* motions() const { return own + 9; }
  double* loads() const { return motions() + 6 * f; }
  double* factor() const { return loads() + 6 * f; }
  double* z() const { return factor() + f * f; }
  double* duals() const { return z() + f; }
  static std::size_t size(std::size_t f) { return 9 + 12 * f + f * f + f + kJointDuals; }
};

// I_p += Xᵀ (I - YᵀY) X: elimination.md (3.1)
OpOutcome factor_tree(OpData& data, std::size_t index);
// z = L⁻¹ Sᵀ (p + I c), p_p += Xᵀ (p + I c - Yᵀ z): elimination.md (3.2)
void up_tree(OpData& data, std::size_t index);
// a_k = X a_p + c + S q, q = -L⁻ᵀ (z + Y X a_p): elimination.md (3.2). inner: a_p, none for the ground; ours: a_k.
void down_tree(OpData& data, std::size_t index, const double* inner, double* ours);
// λ of the joint from F = I a_k + p, the wrench on k: elimination.md (6.5)
void tree_reaction(OpData& data, std::size_t index, const double* ours, double* lambda);

}  // namespace gelenk::solve
