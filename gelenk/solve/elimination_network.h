#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/rank_rule.h"
#include "gelenk/solve/row_cholesky.h"

// Factorization of mobility fronts, for nets of rods and balls; included by elimination.cc only. Equations:
// docs/theory/elimination.md, section 9. Mobilities of a front are stored once for all its ops: sweeps need only what
// the ops themselves keep.
namespace gelenk::solve {

template <class T>
struct Elimination<T>::JoinParts {
  std::size_t rows, slots, seen;
  bool has_base;
  const RowSide* sides;  // two for each row
  T* own;
  T* weakest() const { return own; }     // pivot of all ops of the front so far
  T* factor() const { return own + 1; }  // L by row of the op
  T* z() const { return factor() + rows * rows; }
  T* moves() const { return z() + rows; }                  // Y = L⁻¹ (E D)_I by row of the op, of all slots
  T* base_part() const { return moves() + rows * slots; }  // Z, rows of six
  T* root() const { return base_part() + (has_base ? 6 * rows : 0); }  // L of the new body's inertia
  T* push() const { return root() + 36; }                              // L⁻¹ p
  T* sights() const { return push() + 6; }                             // V = L⁻¹ Pᵀ, columns of six
  const T* row(const RowSide& side) const { return own + side.row; }
  std::size_t sights_at() const { return 43 + rows * (rows + 1 + slots + (has_base ? 6 : 0)); }
  // Without E of the sides
  std::size_t size(bool has_body) const { return sights_at() - (has_body ? 0 : 42) + 6 * seen; }
};

template <class T>
typename Elimination<T>::JoinParts Elimination<T>::join_parts(const Op& op, std::size_t index) {
  const Network& network = program_.network_of(op);
  return {static_cast<std::size_t>(op.row_count), static_cast<std::size_t>(network.slots),
          static_cast<std::size_t>(network.seen), op.base != kNone,
          sides_.data() + places_[index].sides,   numbers_.data() + places_[index].own};
}

template <class T>
RowCholesky<T> Elimination<T>::row_factor(const Op& op, std::size_t index) {
  RowCholesky<T> rows;
  rows.row_count = static_cast<std::size_t>(op.row_count);
  rows.factor = at(places_[index].own) + 1;
  rows.order = orders_.data() + places_[index].order;
  rows.rank = rank(index);
  return rows;
}

template <class T>
void Elimination<T>::place_network(std::size_t index) {
  const Op& op = program_.ops[index];
  const Network& network = program_.network_of(op);
  Place& place = places_[index];
  columns_[index] = ranks_[index] = 0;
  const auto rows = static_cast<std::size_t>(op.row_count);
  if (op.kind == OpKind::join) {
    place.own = take(place_sides(op, index));
    place.order = static_cast<std::uint32_t>(orders_.size());
    for (std::size_t i = 0; i < rows; ++i) orders_.push_back(static_cast<std::int32_t>(i));
  } else {
    place.own = take(1);
  }
  std::size_t going_in = 0;
  if (op.kind == OpKind::join && op.source[0] != kNone && op.source[1] == kNone) {
    const Place& from = places_[static_cast<std::size_t>(op.source[0])];
    place.W = from.W;
    place.r = from.r;
    place.y = from.y;
    place.phi = from.phi;
    place.Ib = from.Ib;
    place.pb = from.pb;
    place.columns = from.columns;
  } else {
    const auto capacity = static_cast<std::size_t>(network.capacity);
    place.columns = network.capacity;
    place.W = take(capacity * capacity);
    place.r = take(capacity);
    place.y = take(capacity);
    if (op.base != kNone) {
      place.phi = take(6 * capacity);
      place.Ib = take(36);
      place.pb = take(6);
    }
  }
  for (const std::int32_t source : op.source) {
    if (source == kNone || op.kind != OpKind::join) continue;
    going_in += static_cast<std::size_t>(program_.network_of(program_.ops[static_cast<std::size_t>(source)]).slots);
  }
  // N, E D of one joint and the mobilities it sees, or two numbers for each row.
  std::size_t rows_at_once = 0;
  for (const Closing& closing : program_.closing_of(op)) {
    rows_at_once = std::max(rows_at_once, program_.layout.joints[static_cast<std::size_t>(closing.joint)].row_count());
  }
  const std::size_t most = std::max(rows * rows + (6 + rows_at_once) * going_in, 2 * rows);
  if (network_.size() < most) network_.resize(most);
}

// Both sides of all rows to be closed; returns how many numbers the op needs.
template <class T>
std::size_t Elimination<T>::place_sides(const Op& op, std::size_t index) {
  using Kind = typename RowSide::Kind;
  places_[index].sides = static_cast<std::uint32_t>(sides_.size());
  const JoinParts parts = join_parts(op, index);
  sides_.resize(sides_.size() + 2 * parts.rows);
  RowSide* here = sides_.data() + places_[index].sides;
  std::size_t E = parts.size(op.body != kNone);
  std::size_t V = parts.sights_at();
  for (const Closing& closing : program_.closing_of(op)) {
    const std::size_t count = program_.layout.joints[static_cast<std::size_t>(closing.joint)].row_count();
    for (const bool is_b : {false, true}) {
      const std::int32_t where = is_b ? closing.place_b : closing.place_a;
      RowSide side;
      if (where == Closing::kNew) {
        side.kind = Kind::new_body;
      } else if (where == Closing::kBase) {
        side.kind = Kind::base;
      } else if (where >= 0) {
        const Closing::Slot slot = Closing::unpack(where);
        side.kind = slot.has_units ? Kind::units : Kind::row;
        side.source = slot.is_second ? 1 : 0;
        side.is_leaving = slot.is_leaving;
        side.slot = slot.slot;
      }
      for (std::size_t i = 0; i < count; ++i) {
        RowSide& ours = here[2 * i + (is_b ? 1 : 0)];
        ours = side;
        if (side.kind == Kind::row) ours.slot += static_cast<std::int32_t>(i);
        if (side.kind == Kind::row || side.kind == Kind::nothing) continue;
        std::size_t& next = side.kind == Kind::new_body ? V : E;
        ours.row = static_cast<std::uint32_t>(next);
        next += 6;
      }
    }
    here += 2 * count;
  }
  return E;
}

// E of all sides that are seen by accelerations, and of the base.
template <class T>
void Elimination<T>::load_sides(const Op& op, const JoinParts& parts) {
  using Kind = typename RowSide::Kind;
  const RowSide* here = parts.sides;
  for (const Closing& closing : program_.closing_of(op)) {
    for (const bool is_b : {false, true}) {
      const RowSide& side = here[is_b ? 1 : 0];
      if (side.kind != Kind::units && side.kind != Kind::base) continue;
      scaled_rows(view(closing.joint, is_b), scales(closing.joint), parts.own + side.row);
    }
    here += 2 * program_.layout.joints[static_cast<std::size_t>(closing.joint)].row_count();
  }
}

// I = L Lᵀ of the new body, V = L⁻¹ Pᵀ of all rows that see it: those closed now, those to come, or its accelerations.
template <class T>
void Elimination<T>::see_new_body(const Op& op, const JoinParts& parts) {
  const Network& network = program_.network_of(op);
  T* const L = parts.root();
  factor_inertia(inertias_[static_cast<std::size_t>(op.body)], L);
  T* V = parts.sights();
  const auto add = [&](std::int32_t joint) {
    const JointRows& rows = program_.layout.joints[static_cast<std::size_t>(joint)];
    scaled_rows(view(joint, rows.b == op.body), scales(joint), V);
    V += 6 * rows.row_count();
  };
  for (const Closing& closing : program_.closing_of(op)) {
    if (closing.place_a == Closing::kNew || closing.place_b == Closing::kNew) add(closing.joint);
  }
  for (const Pending& pending : program_.pending_of(network)) add(pending.joint);
  if (network.units != kNone) {
    for (std::size_t i = 0; i < 36; ++i) V[i] = T(i % 7 == 0 ? 1 : 0);
    V += 36;
  }
  for (T* column = parts.sights(); column != V; column += 6) solve_lower6(L, column);
}

// Calls visit(slot, V) for all that is seen of the new body after the op.
template <class T>
template <class Visit>
void Elimination<T>::visit_new_slots(const Op& op, const JoinParts& parts, Visit&& visit) const {
  const Network& network = program_.network_of(op);
  const T* V = parts.sights() + 6 * (parts.seen - static_cast<std::size_t>(network.staying));
  for (const Pending& pending : program_.pending_of(network)) {
    const std::size_t count = program_.layout.joints[static_cast<std::size_t>(pending.joint)].row_count();
    for (std::size_t i = 0; i < count; ++i, V += 6) visit(static_cast<std::size_t>(pending.slot) + i, V);
  }
  if (network.units == kNone) return;
  for (std::size_t i = 0; i < 6; ++i, V += 6) visit(static_cast<std::size_t>(network.units) + i, V);
}

// E D of the rows of one joint and of all slots that go in, those of the second source behind those of the first.
template <class T>
void Elimination<T>::gather_joint(const Op& op, const JoinParts& parts, std::size_t first_row, std::size_t count,
                                  const std::size_t* slots, T* units, T* lines) const {
  using Kind = typename RowSide::Kind;
  const std::size_t width = slots[0] + slots[1];
  std::fill_n(lines, count * width, T(0));
  for (std::size_t n = 0; n < 2; ++n) {
    const RowSide* const side = parts.sides + 2 * first_row + n;  // those of the other rows follow, two apart
    if (side->kind != Kind::row && side->kind != Kind::units) continue;
    const Place& from = places_[static_cast<std::size_t>(op.source[side->source])];
    const std::size_t here = slots[side->source];
    T* const out = lines + (side->source == 0 ? 0 : slots[0]);
    if (side->kind == Kind::row) {
      for (std::size_t i = 0; i < count; ++i) {
        add_symmetric_row(at(from.W), static_cast<std::size_t>(from.columns), here,
                          static_cast<std::size_t>(side[2 * i].slot), T(1), out + i * width);
      }
      continue;
    }
    // All rows of the joint see the same six accelerations.
    copy_symmetric_rows6(at(from.W), static_cast<std::size_t>(from.columns), here, static_cast<std::size_t>(side->slot),
                         units);
    for (std::size_t i = 0; i < count; ++i) {
      const T* const E = parts.row(side[2 * i]);
      for (std::size_t m = 0; m < 6; ++m) {
        if (E[m] != T(0)) subtract_multiple(here, -E[m], units + m * here, out + i * width);
      }
    }
  }
}

// E D of all slots that stay, and N = E D Eᵀ: equation (9.3).
template <class T>
void Elimination<T>::gather_rows(const Op& op, const JoinParts& parts, T* N, T* scratch) {
  using Kind = typename RowSide::Kind;
  const Network& network = program_.network_of(op);
  std::size_t slots[2] = {0, 0};
  for (std::size_t s = 0; s < 2; ++s) {
    if (op.source[s] == kNone) continue;
    slots[s] =
        static_cast<std::size_t>(program_.network_of(program_.ops[static_cast<std::size_t>(op.source[s])]).slots);
  }
  const std::size_t width = slots[0] + slots[1];
  T* const lines = scratch + 6 * std::max(slots[0], slots[1]);
  std::size_t first_row = 0;
  std::size_t end_row = 0;
  const Closing* closing = program_.closing_of(op).data();
  for (std::size_t i = 0; i < parts.rows; ++i) {
    if (i == end_row) {
      first_row = end_row;
      end_row += program_.layout.joints[static_cast<std::size_t>((closing++)->joint)].row_count();
      gather_joint(op, parts, first_row, end_row - first_row, slots, scratch, lines);
    }
    const T* const line = lines + (i - first_row) * width;
    const T* const row_of[2] = {line, line + slots[0]};
    const T* ours = nullptr;  // V
    for (std::size_t n = 0; n < 2; ++n) {
      const RowSide& side = parts.sides[2 * i + n];
      if (side.kind == Kind::new_body) ours = parts.row(side);
    }
    for (std::size_t j = 0; j <= i; ++j) {
      T sum(0);
      for (std::size_t n = 0; n < 2; ++n) {
        const RowSide& side = parts.sides[2 * j + n];
        const T* const there = row_of[side.source] + side.slot;
        if (side.kind == Kind::row) sum += *there;
        if (side.kind == Kind::units) sum += dot6(parts.row(side), there);
        if (side.kind == Kind::new_body && ours != nullptr) sum += dot6(parts.row(side), ours);
      }
      N[i * parts.rows + j] = sum;
    }
    T* const out = parts.moves() + i * parts.slots;
    if (op.source[1] != kNone) {
      std::size_t slot = 0;
      for (std::size_t s = 0; s < 2; ++s) {
        for (const std::int32_t from : program_.picks_of(network, s)) out[slot++] = row_of[s][from];
      }
    } else {
      const std::size_t same = std::min(slots[0], parts.slots);
      std::copy_n(line, same, out);
      std::fill(out + same, out + parts.slots, T(0));
      for (const std::int32_t empty : program_.picks_of(network, 0)) out[empty] = T(0);
    }
    if (op.body == kNone) continue;
    visit_new_slots(op, parts,
                    [&](std::size_t slot, const T* V) { out[slot] = ours == nullptr ? T(0) : dot6(ours, V); });
  }
}

template <class T>
void Elimination<T>::factor_join(const Op& op, std::size_t index, const RankRule& rule, Report& report) {
  const JoinParts parts = join_parts(op, index);
  if (op.body != kNone) see_new_body(op, parts);
  RowCholesky<T> rows = row_factor(op, index);
  *parts.weakest() = T(1);
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    *parts.weakest() = std::min(*parts.weakest(), *at(places_[static_cast<std::size_t>(source)].own));
  }
  if (parts.rows > 0) {
    load_sides(op, parts);
    T* const N = network_.data();
    gather_rows(op, parts, N, N + parts.rows * parts.rows);
    rows.products = N;
    const RankRule here(std::max(rule.tolerance, static_cast<double>(smallest_mobility_tolerance(*parts.weakest()))),
                        rule.decides);
    Decision& decision = decisions_[static_cast<std::size_t>(op.decision)];
    if (decision.accepted < 0 ||
        !rows.factor_with(static_cast<std::size_t>(decision.accepted), here, decision.smallest)) {
      rows.choose(T(here.tolerance), here.most_rows(decision.accepted));
      decision = {static_cast<std::int32_t>(rows.rank), rows.smallest()};
      ++report.chosen_again;
      // As from the cache, so that a restart from saved pivots gives the same bits.
      rows.factor_with(rows.rank, kTheseRows, T(0));
    }
    *parts.weakest() = std::min(*parts.weakest(), rows.smallest());
    report.smallest = std::min(report.smallest, rows.smallest());
  }
  ranks_[index] = static_cast<std::int32_t>(rows.rank);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    T* const y = parts.moves() + rows.index(i) * parts.slots;
    const T* const l = rows.row(i);
    for (std::size_t j = 0; j < i; ++j)
      subtract_multiple(parts.slots, l[j], parts.moves() + rows.index(j) * parts.slots, y);
    for (std::size_t m = 0; m < parts.slots; ++m) y[m] *= l[i];
  }
  join_mobility(op, index, parts, rows);
  if (op.base != kNone) join_base(op, index, parts, rows);
}

// D' = D - Yᵀ Y
template <class T>
void Elimination<T>::join_mobility(const Op& op, std::size_t index, const JoinParts& parts,
                                   const RowCholesky<T>& rows) {
  const Network& network = program_.network_of(op);
  T* const D = at(places_[index].W);
  const auto stride = static_cast<std::size_t>(places_[index].columns);
  if (op.source[1] != kNone) {
    std::size_t first = 0;
    for (std::size_t s = 0; s < 2; ++s) {
      const Place& from = places_[static_cast<std::size_t>(op.source[s])];
      const std::span<const std::int32_t> picks = program_.picks_of(network, s);
      for (std::size_t i = 0; i < picks.size(); ++i) {
        T* const row = D + (first + i) * stride;
        std::fill_n(row, first, T(0));
        for (std::size_t j = 0; j <= i; ++j) {
          row[first + j] = symmetric(at(from.W), static_cast<std::size_t>(from.columns),
                                     static_cast<std::size_t>(picks[i]), static_cast<std::size_t>(picks[j]));
        }
      }
      first += picks.size();
    }
  }
  if (op.body != kNone) {
    visit_new_slots(op, parts, [&](std::size_t slot, const T*) {
      std::fill_n(D + slot * stride, slot + 1, T(0));
      for (std::size_t j = slot + 1; j < parts.slots; ++j) D[j * stride + slot] = T(0);
    });
    visit_new_slots(op, parts, [&](std::size_t p, const T* V) {
      visit_new_slots(op, parts, [&](std::size_t q, const T* other) {
        if (q <= p) D[p * stride + q] = dot6(V, other);
      });
    });
  }
  subtract_squares(
      parts.slots, rows.rank, [&](std::size_t i) { return parts.moves() + rows.index(i) * parts.slots; }, D, stride);
}

// Z = L⁻¹ (E Φ + E_0)_I, Φ' = Φ - Yᵀ Z, I_b' = I_b + Zᵀ Z: equation (9.5). Φ: six numbers for each slot.
template <class T>
void Elimination<T>::join_base(const Op& op, std::size_t index, const JoinParts& parts, const RowCholesky<T>& rows) {
  const Place& place = places_[index];
  T* const base_inertia = at(place.Ib);
  T* const phi = at(place.phi);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    T* const z = parts.base_part() + 6 * i;
    row_of_base(op, parts, rows.index(i), z);
    const T* const l = rows.row(i);
    for (std::size_t j = 0; j < i; ++j) subtract_multiple(6, l[j], parts.base_part() + 6 * j, z);
    for (std::size_t n = 0; n < 6; ++n) z[n] *= l[i];
  }
  if (op.source[0] == kNone || op.source[1] != kNone) std::fill_n(base_inertia, 36, T(0));
  std::size_t slot = 0;
  for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
    const Place& from = places_[static_cast<std::size_t>(op.source[s])];
    for (const std::int32_t pick : program_.picks_of(program_.network_of(op), s)) {
      std::copy_n(at(from.phi) + 6 * pick, 6, phi + 6 * slot++);
    }
    for (std::size_t n = 0; n < 36; ++n) base_inertia[n] += at(from.Ib)[n];
  }
  if (op.body != kNone)
    visit_new_slots(op, parts, [&](std::size_t there, const T*) { std::fill_n(phi + 6 * there, 6, T(0)); });
  for (std::size_t i = 0; i < rows.rank; ++i) {
    const T* const z = parts.base_part() + 6 * i;
    const T* const y = parts.moves() + rows.index(i) * parts.slots;
    for (std::size_t m = 0; m < parts.slots; ++m) subtract_multiple(6, y[m], z, phi + 6 * m);
    for (std::size_t n = 0; n < 6; ++n) subtract_multiple(6, -z[n], z, base_inertia + 6 * n);
  }
}

// E Φ + E_0 of a row.
template <class T>
void Elimination<T>::row_of_base(const Op& op, const JoinParts& parts, std::size_t row, T* out) const {
  using Kind = typename RowSide::Kind;
  std::fill_n(out, 6, T(0));
  for (std::size_t n = 0; n < 2; ++n) {
    const RowSide& side = parts.sides[2 * row + n];
    if (side.kind == Kind::base) subtract_multiple(6, T(-1), parts.row(side), out);
    if (side.kind != Kind::row && side.kind != Kind::units) continue;
    const T* const phi = at(places_[static_cast<std::size_t>(op.source[side.source])].phi) + 6 * side.slot;
    for (std::size_t m = 0; m < (side.kind == Kind::row ? 1u : 6u); ++m) {
      subtract_multiple(6, side.kind == Kind::row ? T(-1) : -parts.row(side)[m], phi + 6 * m, out);
    }
  }
}

// A front that another component publishes, or one with a root: all its bodies with their accelerations.
template <class T>
void Elimination<T>::factor_entry(const Op& op, std::size_t index) {
  const std::size_t m = 6 * static_cast<std::size_t>(op.live_count);
  T* const D = at(places_[index].W);
  const auto stride = static_cast<std::size_t>(places_[index].columns);
  *at(places_[index].own) = T(1);
  if (op.kind == OpKind::take) {
    const T* const given = given_[static_cast<std::size_t>(op.component)].D;
    for (std::size_t i = 0; i < m; ++i) std::copy_n(given + i * m, i + 1, D + i * stride);
    return;
  }
  const auto source = static_cast<std::size_t>(op.source[0]);
  for (std::size_t i = 0; i < m; ++i) std::fill_n(D + i * stride, i + 1, T(0));
  for (std::size_t j = 0; j < columns(source); ++j) {
    const T* const W = at(places_[source].W) + j * m;
    for (std::size_t i = 0; i < m; ++i) subtract_multiple(i + 1, -W[i], W, D + i * stride);
  }
}

template <class T>
void Elimination<T>::factor_network(const Op& op, std::size_t index, const RankRule& rule, Report& report) {
  if (op.kind == OpKind::join) {
    factor_join(op, index, rule, report);
  } else {
    factor_entry(op, index);
  }
}

}  // namespace gelenk::solve
