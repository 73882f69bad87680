#pragma once

#include <cstddef>
#include <cstdint>

#include "gelenk/solve/joint_motion.h"
#include "gelenk/solve/ops/op_data.h"

// A body k joins a front by the free motion of one joint, or freely: elimination.md (4.2), (4.3), (6.1), (6.3), (6.5).
// hinge_attach is the most frequent case, a bare body by a hinge and no base, compiled without what it does not have.
namespace gelenk::solve {

struct AttachParts {
  std::size_t n;        // columns at most
  std::uint32_t duals;  // how many numbers
  double* own;
  double* v() const { return own; }
  double* c() const { return own + 3; }
  double* kept() const { return own + kDuals; }                  // duals of the joint
  double* motions() const { return own + first_motion(duals); }  // J L⁻ᵀ, columns of six
  double* factor() const { return motions() + 6 * n; }           // L row by row
  double* b() const { return factor() + n * n; }
  double* phi() const { return b() + n; }           // of the attached body, columns of six
  double* base_part() const { return phi() + 36; }  // columns of n, one for each motion of the base
  static constexpr std::uint32_t kDuals = 9;
  static std::uint32_t first_motion(std::uint32_t duals) { return kDuals + duals; }
  static std::size_t size(std::size_t n, std::uint32_t duals, bool has_base) {
    return first_motion(duals) + 7 * n + n * n + (has_base ? 36 + 6 * n : 0);
  }
};

// W', Φ', I_b' of the front: elimination.md (4.2), (4.3)
OpOutcome factor_attach(OpData& data, std::size_t index);
OpOutcome factor_hinge_attach(OpData& data, std::size_t index);
// r', p_b': elimination.md (6.1)
void up_attach(OpData& data, std::size_t index);
void up_hinge_attach(OpData& data, std::size_t index);
// a_k and y of the source: elimination.md (6.3). lambda, unless null: of the joint, and τ of p, elimination.md (6.5).
void down_attach(OpData& data, std::size_t index, double* a, double* lambda);
void down_hinge_attach(OpData& data, std::size_t index, double* a, double* lambda);

}  // namespace gelenk::solve
