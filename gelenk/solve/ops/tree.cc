#include "gelenk/solve/ops/tree.h"

#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/hinge.h"
#include "gelenk/solve/ops/joint_passage.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

OpOutcome factor_tree(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const auto f = at(op.free_count);
  const TreeParts parts{f, data.at(data.places[index].own)};
  if (!joint_motion(data, op, parts.v(), parts.motions(), parts.duals())) return OpOutcome::joint_lost_rank;
  const Inertia& I = data.inertias[at(op.body)];
  double* const Y = parts.loads();
  double* const L = parts.factor();
  const double* const S = parts.motions();
  for (std::size_t j = 0; j < f; ++j) multiply(I, S + 6 * j, Y + 6 * j);
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t j = 0; j <= i; ++j) L[i * f + j] = dot6(S + 6 * i, Y + 6 * j);
  }
  cholesky(f, L, f);
  for (std::size_t i = 0; i < f; ++i) {
    double* const y = Y + 6 * i;
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t n = 0; n < 6; ++n) y[n] -= L[i * f + j] * Y[6 * j + n];
    }
    for (std::size_t n = 0; n < 6; ++n) y[n] *= L[i * f + i];
  }
  if (op.parent == kNone) return OpOutcome::good;
  Inertia rest = I;
  for (std::size_t i = 0; i < f; ++i) subtract_product(Y + 6 * i, Y + 6 * i, rest);
  const auto parent = at(op.parent);
  if (data.steps[index].is_first) put_own_inertia(data, parent, data.inertias[parent]);
  add_shifted_inertia(parts.v(), rest, data.inertias[parent]);
  return OpOutcome::good;
}

void up_tree(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const auto f = at(op.free_count);
  const TreeParts parts{f, data.at(data.places[index].own)};
  const auto body = at(op.body);
  joint_bias(data, op, parts.duals(), parts.c());
  double wrench[6];
  multiply(data.inertias[body], parts.c(), wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += data.bias[6 * body + i];
  double* const z = parts.z();
  for (std::size_t i = 0; i < f; ++i) z[i] = dot6(parts.motions() + 6 * i, wrench);
  solve_lower(f, parts.factor(), f, z);
  if (op.parent == kNone) return;
  for (std::size_t i = 0; i < f; ++i) {
    for (std::size_t n = 0; n < 6; ++n) wrench[n] -= z[i] * parts.loads()[6 * i + n];
  }
  load_parent(data, data.steps[index], parts.v(), wrench, &data.bias[6 * at(op.parent)]);
}

void down_tree(OpData& data, std::size_t index, const double* inner, double* ours) {
  const Op& op = data.program.ops[index];
  const auto f = at(op.free_count);
  const TreeParts parts{f, data.at(data.places[index].own)};
  double q[6];
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

void tree_reaction(OpData& data, std::size_t index, const double* ours, double* lambda) {
  const Op& op = data.program.ops[index];
  const auto body = at(op.body);
  double wrench[6];
  multiply(data.inertias[body], ours, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += data.bias[6 * body + i];
  const TreeParts parts{at(op.free_count), data.at(data.places[index].own)};
  joint_reaction(data, op, parts.duals(), wrench, lambda);
}

}  // namespace gelenk::solve
