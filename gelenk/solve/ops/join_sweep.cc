#include "gelenk/solve/ops/join.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gelenk/base/index.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// μ of the sources: what stays has its forces, closed rows have λ, accelerations Eᵀλ beside their forces.
void hand_down_forces(OpData& data, const Op& op, std::size_t index, const JoinParts& parts, const double* by_row) {
  using Kind = RowSide::Kind;
  const Network& network = data.program.network_of(op);
  if (op.source[1] != kNone) {
    const double* forces = data.at(data.places[index].y);
    for (std::size_t s = 0; s < 2; ++s) {
      const Place& from = data.places[at(op.source[s])];
      double* const there = data.at(from.y);
      std::fill_n(there, at(from.columns), 0.0);
      for (const std::int32_t pick : data.program.picks_of(network, s)) there[pick] = *forces++;
    }
  } else {
    for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
      const RowSide& side = parts.sides[i];
      if (side.kind == Kind::units && side.is_leaving) std::fill_n(data.at(data.places[index].y) + side.slot, 6, 0.0);
    }
  }
  for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
    const RowSide& side = parts.sides[i];
    if (side.kind != Kind::row && side.kind != Kind::units) continue;
    double* const there = data.at(data.places[at(op.source[side.source])].y) + side.slot;
    if (side.kind == Kind::row) *there = by_row[i / 2];
    for (std::size_t n = 0; side.kind == Kind::units && n < 6; ++n) there[n] += parts.row(side)[n] * by_row[i / 2];
  }
}

}  // namespace

// z = L⁻¹ (u - E r)_I, r' = r + Yᵀ z, p_b' = p_b - Zᵀ z: elimination.md (9.6)
void up_join(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  using Kind = RowSide::Kind;
  const Place& place = data.places[index];
  const Network& network = data.program.network_of(op);
  const JoinParts parts = join_parts(data, op, index);
  const RowCholesky rows = row_factor(data, op, index);
  const bool is_grown = op.source[0] != kNone && op.source[1] == kNone;
  double* const t = parts.push();
  if (op.body != kNone) {
    std::copy_n(&data.bias[6 * at(op.body)], 6, t);
    solve_lower6(parts.root(), t);
  }
  double* const e = data.network.data();
  std::size_t row = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    const std::size_t count = data.joint(closing.joint).row_count();
    const double* const u = data.u_of(closing.joint);
    const double* const scale = data.scales_of(closing.joint);
    for (std::size_t i = 0; i < count; ++i, ++row) {
      e[row] = scale[i] * u[i];
      for (std::size_t n = 0; n < 2; ++n) {
        const RowSide& side = parts.sides[2 * row + n];
        if (side.kind == Kind::new_body) e[row] += dot6(parts.row(side), t);
        if (side.kind != Kind::row && side.kind != Kind::units) continue;
        const double* const r = data.at(data.places[at(op.source[side.source])].r) + side.slot;
        e[row] -= side.kind == Kind::row ? *r : dot6(parts.row(side), r);
      }
    }
  }
  double* const z = parts.z();
  for (std::size_t i = 0; i < rows.rank; ++i) z[i] = e[rows.index(i)];
  rows.solve_lower(z);
  double* const r = data.at(place.r);
  if (!is_grown) {
    std::fill_n(data.at(place.y), at(place.columns), 0.0);
    std::size_t slot = 0;
    for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
      const double* const old = data.at(data.places[at(op.source[s])].r);
      for (const std::int32_t pick : data.program.picks_of(network, s)) r[slot++] = old[pick];
    }
  }
  if (op.body != kNone)
    visit_new_slots(data, op, parts, [&](std::size_t slot, const double* V) { r[slot] = -dot6(V, t); });
  for (std::size_t i = 0; i < rows.rank; ++i) {
    subtract_multiple(parts.slots, -z[i], parts.moves() + rows.index(i) * parts.slots, r);
  }
  if (op.base == kNone) return;
  double* const pb = data.at(place.pb);
  for (std::size_t n = 0; n < 6; ++n) {
    double sum = is_grown ? pb[n] : 0.0;
    for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
      sum += data.at(data.places[at(op.source[s])].pb)[n];
    }
    for (std::size_t i = 0; i < rows.rank; ++i) sum -= parts.base_part()[6 * i + n] * z[i];
    pb[n] = sum;
  }
}

// λ_I = L⁻ᵀ (z - Z a_0 - Y μ'), zero on dropped rows; of the new body a_k = L⁻ᵀ (V μ - L⁻¹ p): elimination.md (9.7)
void down_join(OpData& data, std::size_t index, double* a, double* lambda) {
  const Op& op = data.program.ops[index];
  const JoinParts parts = join_parts(data, op, index);
  const RowCholesky rows = row_factor(data, op, index);
  const double* const forces = data.at(data.places[index].y);
  double* const x = data.network.data();
  double* const by_row = x + parts.rows;
  for (std::size_t i = 0; i < rows.rank; ++i) {
    double sum = parts.z()[i];
    if (op.base != kNone) sum -= dot6(parts.base_part() + 6 * i, a + 6 * at(op.base));
    x[i] = sum - dot(parts.slots, parts.moves() + rows.index(i) * parts.slots, forces);
  }
  rows.solve_lower_transposed(x);
  std::fill_n(by_row, parts.rows, 0.0);
  for (std::size_t i = 0; i < rows.rank; ++i) by_row[rows.index(i)] = x[i];
  if (op.body != kNone) {
    double* const ours = a + 6 * at(op.body);
    for (std::size_t n = 0; n < 6; ++n) ours[n] = -parts.push()[n];
    const auto push = [&](double force, const double* V) {
      for (std::size_t n = 0; n < 6; ++n) ours[n] += force * V[n];
    };
    for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
      if (parts.sides[i].kind == RowSide::Kind::new_body) push(by_row[i / 2], parts.row(parts.sides[i]));
    }
    visit_new_slots(data, op, parts, [&](std::size_t slot, const double* V) { push(forces[slot], V); });
    solve_lower_transposed6(parts.root(), ours);
  }
  hand_down_forces(data, op, index, parts, by_row);
  if (lambda == nullptr) return;
  std::size_t row = 0;
  for (const Closing& closing : data.program.closing_of(op)) {
    const JointRows& joint = data.joint(closing.joint);
    const double* const scale = data.scales_of(closing.joint);
    double* const ours = lambda + joint.first_row;
    for (std::size_t i = 0; i < joint.row_count(); ++i, ++row) ours[i] = scale[i] * by_row[row];
  }
}

}  // namespace gelenk::solve
