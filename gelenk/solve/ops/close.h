#pragma once

#include <cstddef>
#include <cstdint>

#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/rank_rule.h"

// Rows between bodies of one or two fronts, and their base: elimination.md (4.4), (6.2), (6.4), (6.6), with the
// decision about rank of section 5. hinge_close is the most frequent case, one hinge between two fronts on the ground,
// compiled without what it does not have.
namespace gelenk::solve {

struct CloseParts {
  std::size_t n, rows, live;
  double* own;
  double* matrix() const { return own; }
  double* factors() const { return matrix() + rows * n; }
  double* z() const { return factors() + rows; }
  double* moves() const { return z() + rows; }                     // W Q₁ of the live bodies, columns of 6 live
  double* base_part() const { return moves() + 6 * live * rows; }  // L⁻¹ (E Φ + E_0), columns of `rows`
  static std::size_t size(std::size_t n, std::size_t rows, std::size_t live, bool has_base) {
    return rows * n + 2 * rows + 6 * live * rows + (has_base ? 6 * rows : 0);
  }
};

// W', Φ', I_b': elimination.md (4.4)
OpOutcome factor_close(OpData& data, std::size_t index, const RankRule& rule, OpReport& report);
OpOutcome factor_hinge_close(OpData& data, std::size_t index, const RankRule& rule, OpReport& report);
// r', p_b': elimination.md (6.2)
void up_close(OpData& data, std::size_t index);
void up_hinge_close(OpData& data, std::size_t index);
// y of the sources: elimination.md (6.4). lambda, unless null: of the rows, and τ of their bodies, elimination.md
// (6.6).
void down_close(OpData& data, std::size_t index, const double* a, double* lambda);
void down_hinge_close(OpData& data, std::size_t index, const double* a, double* lambda);

// Whether the op has the shape hinge_close, and what it then needs; its sources are placed.
bool closes_one_hinge(const OpData& data, const Op& op);
HingeClosing hinge_closing(const OpData& data, const Op& op);

}  // namespace gelenk::solve
