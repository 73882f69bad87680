#pragma once

#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_cholesky.h"

// A body joins a mobility front, or two of these become one, and rows are closed at once: elimination.md section 9.
// Mobilities of a front are stored once for all its ops: sweeps need only what the ops themselves keep.
namespace gelenk::solve {

struct JoinParts {
  std::size_t rows, slots, seen;
  bool has_base;
  const RowSide* sides;  // two for each row
  double* own;
  double* weakest() const { return own; }     // pivot of all ops of the front so far
  double* factor() const { return own + 1; }  // L by row of the op
  double* z() const { return factor() + rows * rows; }
  double* moves() const { return z() + rows; }                  // Y = L⁻¹ (E D)_I by row of the op, of all slots
  double* base_part() const { return moves() + rows * slots; }  // Z, rows of six
  double* root() const { return base_part() + (has_base ? 6 * rows : 0); }  // L of the new body's inertia
  double* push() const { return root() + 36; }                              // L⁻¹ p
  double* sights() const { return push() + 6; }                             // V = L⁻¹ Pᵀ, columns of six
  const double* row(const RowSide& side) const { return own + side.row; }
  std::size_t sights_at() const { return 43 + rows * (rows + 1 + slots + (has_base ? 6 : 0)); }
  // Without E of the sides
  std::size_t size(bool has_body) const { return sights_at() - (has_body ? 0 : 42) + 6 * seen; }
};

inline JoinParts join_parts(OpData& data, const Op& op, std::size_t index) {
  const Network& network = data.program.network_of(op);
  return {at(op.row_count),
          at(network.slots),
          at(network.seen),
          op.base != kNone,
          data.sides.data() + data.places[index].sides,
          data.numbers.data() + data.places[index].own};
}

inline RowCholesky row_factor(OpData& data, const Op& op, std::size_t index) {
  RowCholesky rows;
  rows.row_count = at(op.row_count);
  rows.factor = data.at(data.places[index].own) + 1;
  rows.order = data.orders.data() + data.places[index].order;
  rows.rank = data.rank(index);
  return rows;
}

// Calls visit(slot, V) for all that is seen of the new body after the op.
template <class Visit>
void visit_new_slots(const OpData& data, const Op& op, const JoinParts& parts, Visit&& visit) {
  const Network& network = data.program.network_of(op);
  const double* V = parts.sights() + 6 * (parts.seen - at(network.staying));
  for (const Pending& pending : data.program.pending_of(network)) {
    const std::size_t count = data.joint(pending.joint).row_count();
    for (std::size_t i = 0; i < count; ++i, V += 6) visit(at(pending.slot) + i, V);
  }
  if (network.units == kNone) return;
  for (std::size_t i = 0; i < 6; ++i, V += 6) visit(at(network.units) + i, V);
}

// Both sides of all rows to be closed; returns how many numbers the op needs.
std::size_t place_sides(OpData& data, const Op& op, std::size_t index);

// D', Φ', I_b': elimination.md (9.2) to (9.5), with the decision about rank of elimination.md (9.8)
void factor_join(OpData& data, std::size_t index, const RankRule& rule, OpReport& report);
// z, r', p_b': elimination.md (9.6)
void up_join(OpData& data, std::size_t index);
// λ (lambda: unless null), a_k and μ of the sources: elimination.md (9.7)
void down_join(OpData& data, std::size_t index, double* a, double* lambda);

}  // namespace gelenk::solve
