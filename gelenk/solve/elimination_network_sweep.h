#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_network.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/row_cholesky.h"

// Sweeps of mobility fronts; included by elimination.cc only. Equations: docs/theory/elimination.md, section 9.
namespace gelenk::solve {

// z = L⁻¹ (u - E r)_I, r' = r + Yᵀ z, p_b' = p_b - Zᵀ z: equation (9.6)
template <class T>
void Elimination<T>::up_join(const Op& op, std::size_t index) {
  using Kind = typename RowSide::Kind;
  const Place& place = places_[index];
  const Network& network = program_.network_of(op);
  const JoinParts parts = join_parts(op, index);
  const RowCholesky<T> rows = row_factor(op, index);
  const bool is_grown = op.source[0] != kNone && op.source[1] == kNone;
  T* const t = parts.push();
  if (op.body != kNone) {
    std::copy_n(&bias_[6 * static_cast<std::size_t>(op.body)], 6, t);
    solve_lower6(parts.root(), t);
  }
  T* const e = network_.data();
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const std::size_t count = program_.layout.joints[static_cast<std::size_t>(closing.joint)].row_count();
    const T* const u = rows_of(u_, closing.joint);
    const T* const scale = scales(closing.joint);
    for (std::size_t i = 0; i < count; ++i, ++row) {
      e[row] = scale[i] * u[i];
      for (std::size_t n = 0; n < 2; ++n) {
        const RowSide& side = parts.sides[2 * row + n];
        if (side.kind == Kind::new_body) e[row] += dot6(parts.row(side), t);
        if (side.kind != Kind::row && side.kind != Kind::units) continue;
        const T* const r = at(places_[static_cast<std::size_t>(op.source[side.source])].r) + side.slot;
        e[row] -= side.kind == Kind::row ? *r : dot6(parts.row(side), r);
      }
    }
  }
  T* const z = parts.z();
  for (std::size_t i = 0; i < rows.rank; ++i) z[i] = e[rows.index(i)];
  rows.solve_lower(z);
  T* const r = at(place.r);
  if (!is_grown) {
    std::fill_n(at(place.y), static_cast<std::size_t>(place.columns), T(0));
    std::size_t slot = 0;
    for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
      const T* const old = at(places_[static_cast<std::size_t>(op.source[s])].r);
      for (const std::int32_t pick : program_.picks_of(network, s)) r[slot++] = old[pick];
    }
  }
  if (op.body != kNone) visit_new_slots(op, parts, [&](std::size_t slot, const T* V) { r[slot] = -dot6(V, t); });
  for (std::size_t i = 0; i < rows.rank; ++i) {
    subtract_multiple(parts.slots, -z[i], parts.moves() + rows.index(i) * parts.slots, r);
  }
  if (op.base == kNone) return;
  T* const pb = at(place.pb);
  for (std::size_t n = 0; n < 6; ++n) {
    T sum = is_grown ? pb[n] : T(0);
    for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
      sum += at(places_[static_cast<std::size_t>(op.source[s])].pb)[n];
    }
    for (std::size_t i = 0; i < rows.rank; ++i) sum -= parts.base_part()[6 * i + n] * z[i];
    pb[n] = sum;
  }
}

// λ_I = L⁻ᵀ (z - Z a_0 - Y μ'), zero on dropped rows; of the new body a_k = L⁻ᵀ (V μ - L⁻¹ p): equation (9.7)
template <class T>
void Elimination<T>::down_join(const Op& op, std::size_t index, T* a, T* lambda) {
  const JoinParts parts = join_parts(op, index);
  const RowCholesky<T> rows = row_factor(op, index);
  const T* const forces = at(places_[index].y);
  T* const x = network_.data();
  T* const by_row = x + parts.rows;
  for (std::size_t i = 0; i < rows.rank; ++i) {
    T sum = parts.z()[i];
    if (op.base != kNone) sum -= dot6(parts.base_part() + 6 * i, a + 6 * static_cast<std::size_t>(op.base));
    x[i] = sum - dot(parts.slots, parts.moves() + rows.index(i) * parts.slots, forces);
  }
  rows.solve_lower_transposed(x);
  std::fill_n(by_row, parts.rows, T(0));
  for (std::size_t i = 0; i < rows.rank; ++i) by_row[rows.index(i)] = x[i];
  if (op.body != kNone) {
    T* const ours = a + 6 * static_cast<std::size_t>(op.body);
    for (std::size_t n = 0; n < 6; ++n) ours[n] = -parts.push()[n];
    const auto push = [&](T force, const T* V) {
      for (std::size_t n = 0; n < 6; ++n) ours[n] += force * V[n];
    };
    for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
      if (parts.sides[i].kind == RowSide::Kind::new_body) push(by_row[i / 2], parts.row(parts.sides[i]));
    }
    visit_new_slots(op, parts, [&](std::size_t slot, const T* V) { push(forces[slot], V); });
    solve_lower_transposed6(parts.root(), ours);
  }
  hand_down_forces(op, index, parts, by_row);
  if (lambda == nullptr) return;
  std::size_t row = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    const JointRows& joint = program_.layout.joints[static_cast<std::size_t>(closing.joint)];
    const T* const scale = scales(closing.joint);
    T* const ours = lambda + joint.first_row;
    for (std::size_t i = 0; i < joint.row_count(); ++i, ++row) ours[i] = scale[i] * by_row[row];
  }
}

// μ of the sources: what stays has its forces, closed rows have λ, accelerations Eᵀλ beside their forces.
template <class T>
void Elimination<T>::hand_down_forces(const Op& op, std::size_t index, const JoinParts& parts, const T* by_row) {
  using Kind = typename RowSide::Kind;
  const Network& network = program_.network_of(op);
  if (op.source[1] != kNone) {
    const T* forces = at(places_[index].y);
    for (std::size_t s = 0; s < 2; ++s) {
      const Place& from = places_[static_cast<std::size_t>(op.source[s])];
      T* const there = at(from.y);
      std::fill_n(there, static_cast<std::size_t>(from.columns), T(0));
      for (const std::int32_t pick : program_.picks_of(network, s)) there[pick] = *forces++;
    }
  } else {
    for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
      const RowSide& side = parts.sides[i];
      if (side.kind == Kind::units && side.is_leaving) std::fill_n(at(places_[index].y) + side.slot, 6, T(0));
    }
  }
  for (std::size_t i = 0; i < 2 * parts.rows; ++i) {
    const RowSide& side = parts.sides[i];
    if (side.kind != Kind::row && side.kind != Kind::units) continue;
    T* const there = at(places_[static_cast<std::size_t>(op.source[side.source])].y) + side.slot;
    if (side.kind == Kind::row) *there = by_row[i / 2];
    for (std::size_t n = 0; side.kind == Kind::units && n < 6; ++n) there[n] += parts.row(side)[n] * by_row[i / 2];
  }
}

template <class T>
void Elimination<T>::up_entry(const Op& op, std::size_t index) {
  const std::size_t m = 6 * static_cast<std::size_t>(op.live_count);
  const T* const from = op.kind == OpKind::take ? given_[static_cast<std::size_t>(op.component)].r
                                                : at(places_[static_cast<std::size_t>(op.source[0])].r);
  std::copy_n(from, m, at(places_[index].r));
  std::fill_n(at(places_[index].y), static_cast<std::size_t>(places_[index].columns), T(0));
}

// take: a = D τ + r of the given D; square: y = Wᵀ τ
template <class T>
void Elimination<T>::down_entry(const Op& op, std::size_t index, T* a) {
  const std::span<const std::int32_t> bodies = program_.live_of(op);
  const std::size_t m = 6 * bodies.size();
  const T* const forces = at(places_[index].y);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::copy_n(forces + 6 * b, 6, &loads_[6 * static_cast<std::size_t>(bodies[b])]);
  }
  if (op.kind == OpKind::square) {
    const auto source = static_cast<std::size_t>(op.source[0]);
    for (std::size_t j = 0; j < columns(source); ++j) {
      at(places_[source].y)[j] = dot(m, at(places_[source].W) + j * m, forces);
    }
    return;
  }
  if (!places_[index].is_carrying) return;
  const Given& given = given_[static_cast<std::size_t>(op.component)];
  for (std::size_t i = 0; i < m; ++i) {
    a[6 * static_cast<std::size_t>(bodies[i / 6]) + i % 6] = given.r[i] + dot(m, given.D + i * m, forces);
  }
}

template <class T>
void Elimination<T>::up_network(const Op& op, std::size_t index) {
  if (op.kind == OpKind::join) {
    up_join(op, index);
  } else {
    up_entry(op, index);
  }
}

template <class T>
void Elimination<T>::down_network(const Op& op, std::size_t index, T* a, T* lambda) {
  if (op.kind == OpKind::join) {
    down_join(op, index, a, lambda);
  } else {
    down_entry(op, index, a);
  }
}

// Forces on the bodies of the border.
template <class T>
void Elimination<T>::push_network(std::size_t front, std::span<const T> tau) {
  const Op& op = program_.ops[front];
  const std::span<const std::int32_t> live = program_.live_of(op);
  for (std::size_t b = 0; b < live.size(); ++b) {
    T* const forces = at(places_[front].y) + program_.kept_of(op)[b];
    for (std::size_t i = 0; i < 6; ++i) {
      forces[i] = tau.empty() ? T(0) : tau[6 * static_cast<std::size_t>(live[b]) + i];
    }
  }
}

}  // namespace gelenk::solve
