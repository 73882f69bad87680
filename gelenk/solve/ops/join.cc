#include "gelenk/solve/ops/join.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// E of all sides that are seen by accelerations, and of the base.
void load_sides(OpData& data, const Op& op, const JoinParts& parts) {
  using Kind = RowSide::Kind;
  const RowSide* here = parts.sides;
  for (const Closing& closing : data.program.closing_of(op)) {
    for (const bool is_b : {false, true}) {
      const RowSide& side = here[is_b ? 1 : 0];
      if (side.kind != Kind::units && side.kind != Kind::base) continue;
      scaled_rows(data.view(closing.joint, is_b), data.scales_of(closing.joint), parts.own + side.row);
    }
    here += 2 * data.joint(closing.joint).row_count();
  }
}

// I = L Lᵀ of the new body, V = L⁻¹ Pᵀ of all rows that see it: those closed now, those to come, or its accelerations.
void see_new_body(OpData& data, const Op& op, const JoinParts& parts) {
  const Network& network = data.program.network_of(op);
  double* const L = parts.root();
  factor_inertia(data.inertias[at(op.body)], L);
  double* V = parts.sights();
  const auto add = [&](std::int32_t joint) {
    const JointRows& rows = data.joint(joint);
    scaled_rows(data.view(joint, rows.b == op.body), data.scales_of(joint), V);
    V += 6 * rows.row_count();
  };
  for (const Closing& closing : data.program.closing_of(op)) {
    if (closing.place_a == Closing::kNew || closing.place_b == Closing::kNew) add(closing.joint);
  }
  for (const Pending& pending : data.program.pending_of(network)) add(pending.joint);
  if (network.units != kNone) {
    for (std::size_t i = 0; i < 36; ++i) V[i] = (i % 7 == 0 ? 1.0 : 0.0);
    V += 36;
  }
  for (double* column = parts.sights(); column != V; column += 6) solve_lower6(L, column);
}

// E D of the rows of one joint and of all slots that go in, those of the second source behind those of the first.
void gather_joint(const OpData& data, const Op& op, const JoinParts& parts, std::size_t first_row, std::size_t count,
                  const std::size_t* slots, double* units, double* lines) {
  using Kind = RowSide::Kind;
  const std::size_t width = slots[0] + slots[1];
  std::fill_n(lines, count * width, 0.0);
  for (std::size_t n = 0; n < 2; ++n) {
    const RowSide* const side = parts.sides + 2 * first_row + n;  // those of the other rows follow, two apart
    if (side->kind != Kind::row && side->kind != Kind::units) continue;
    const Place& from = data.places[at(op.source[side->source])];
    const std::size_t here = slots[side->source];
    double* const out = lines + (side->source == 0 ? 0 : slots[0]);
    if (side->kind == Kind::row) {
      for (std::size_t i = 0; i < count; ++i) {
        add_symmetric_row(data.at(from.W), at(from.columns), here, at(side[2 * i].slot), 1.0, out + i * width);
      }
      continue;
    }
    // All rows of the joint see the same six accelerations.
    copy_symmetric_rows6(data.at(from.W), at(from.columns), here, at(side->slot), units);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const E = parts.row(side[2 * i]);
      for (std::size_t m = 0; m < 6; ++m) {
        if (E[m] != 0.0) subtract_multiple(here, -E[m], units + m * here, out + i * width);
      }
    }
  }
}

// E D of all slots that stay, and N = E D Eᵀ: elimination.md (9.3).
void gather_rows(OpData& data, const Op& op, const JoinParts& parts, double* N, double* scratch) {
  using Kind = RowSide::Kind;
  const Network& network = data.program.network_of(op);
  std::size_t slots[2] = {0, 0};
  for (std::size_t s = 0; s < 2; ++s) {
    if (op.source[s] == kNone) continue;
    slots[s] = at(data.program.network_of(data.program.ops[at(op.source[s])]).slots);
  }
  const std::size_t width = slots[0] + slots[1];
  double* const lines = scratch + 6 * std::max(slots[0], slots[1]);
  std::size_t first_row = 0;
  std::size_t end_row = 0;
  const Closing* closing = data.program.closing_of(op).data();
  for (std::size_t i = 0; i < parts.rows; ++i) {
    if (i == end_row) {
      first_row = end_row;
      end_row += data.joint((closing++)->joint).row_count();
      gather_joint(data, op, parts, first_row, end_row - first_row, slots, scratch, lines);
    }
    const double* const line = lines + (i - first_row) * width;
    const double* const row_of[2] = {line, line + slots[0]};
    const double* ours = nullptr;  // V
    for (std::size_t n = 0; n < 2; ++n) {
      const RowSide& side = parts.sides[2 * i + n];
      if (side.kind == Kind::new_body) ours = parts.row(side);
    }
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t n = 0; n < 2; ++n) {
        const RowSide& side = parts.sides[2 * j + n];
        const double* const there = row_of[side.source] + side.slot;
        if (side.kind == Kind::row) sum += *there;
        if (side.kind == Kind::units) sum += dot6(parts.row(side), there);
        if (side.kind == Kind::new_body && ours != nullptr) sum += dot6(parts.row(side), ours);
      }
      N[i * parts.rows + j] = sum;
    }
    double* const out = parts.moves() + i * parts.slots;
    if (op.source[1] != kNone) {
      std::size_t slot = 0;
      for (std::size_t s = 0; s < 2; ++s) {
        for (const std::int32_t from : data.program.picks_of(network, s)) out[slot++] = row_of[s][from];
      }
    } else {
      const std::size_t same = std::min(slots[0], parts.slots);
      std::copy_n(line, same, out);
      std::fill(out + same, out + parts.slots, 0.0);
      for (const std::int32_t empty : data.program.picks_of(network, 0)) out[empty] = 0.0;
    }
    if (op.body == kNone) continue;
    visit_new_slots(data, op, parts,
                    [&](std::size_t slot, const double* V) { out[slot] = ours == nullptr ? 0.0 : dot6(ours, V); });
  }
}

// D' = D - Yᵀ Y
void join_mobility(OpData& data, const Op& op, std::size_t index, const JoinParts& parts, const RowCholesky& rows) {
  const Network& network = data.program.network_of(op);
  double* const D = data.at(data.places[index].W);
  const auto stride = at(data.places[index].columns);
  if (op.source[1] != kNone) {
    std::size_t first = 0;
    for (std::size_t s = 0; s < 2; ++s) {
      const Place& from = data.places[at(op.source[s])];
      const std::span<const std::int32_t> picks = data.program.picks_of(network, s);
      for (std::size_t i = 0; i < picks.size(); ++i) {
        double* const row = D + (first + i) * stride;
        std::fill_n(row, first, 0.0);
        for (std::size_t j = 0; j <= i; ++j) {
          row[first + j] = symmetric(data.at(from.W), at(from.columns), at(picks[i]), at(picks[j]));
        }
      }
      first += picks.size();
    }
  }
  if (op.body != kNone) {
    visit_new_slots(data, op, parts, [&](std::size_t slot, const double*) {
      std::fill_n(D + slot * stride, slot + 1, 0.0);
      for (std::size_t j = slot + 1; j < parts.slots; ++j) D[j * stride + slot] = 0.0;
    });
    visit_new_slots(data, op, parts, [&](std::size_t p, const double* V) {
      visit_new_slots(data, op, parts, [&](std::size_t q, const double* other) {
        if (q <= p) D[p * stride + q] = dot6(V, other);
      });
    });
  }
  subtract_squares(
      parts.slots, rows.rank, [&](std::size_t i) { return parts.moves() + rows.index(i) * parts.slots; }, D, stride);
}

// E Φ + E_0 of a row.
void row_of_base(const OpData& data, const Op& op, const JoinParts& parts, std::size_t row, double* out) {
  using Kind = RowSide::Kind;
  std::fill_n(out, 6, 0.0);
  for (std::size_t n = 0; n < 2; ++n) {
    const RowSide& side = parts.sides[2 * row + n];
    if (side.kind == Kind::base) subtract_multiple(6, -1.0, parts.row(side), out);
    if (side.kind != Kind::row && side.kind != Kind::units) continue;
    const double* const phi = data.at(data.places[at(op.source[side.source])].phi) + 6 * side.slot;
    for (std::size_t m = 0; m < (side.kind == Kind::row ? 1u : 6u); ++m) {
      subtract_multiple(6, side.kind == Kind::row ? -1.0 : -parts.row(side)[m], phi + 6 * m, out);
    }
  }
}

// Z = L⁻¹ (E Φ + E_0)_I, Φ' = Φ - Yᵀ Z, I_b' = I_b + Zᵀ Z: elimination.md (9.5). Φ: six numbers for each slot.
void join_base(OpData& data, const Op& op, std::size_t index, const JoinParts& parts, const RowCholesky& rows) {
  const Place& place = data.places[index];
  double* const base_inertia = data.at(place.Ib);
  double* const phi = data.at(place.phi);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    double* const z = parts.base_part() + 6 * i;
    row_of_base(data, op, parts, rows.index(i), z);
    const double* const l = rows.row(i);
    for (std::size_t j = 0; j < i; ++j) subtract_multiple(6, l[j], parts.base_part() + 6 * j, z);
    for (std::size_t n = 0; n < 6; ++n) z[n] *= l[i];
  }
  if (op.source[0] == kNone || op.source[1] != kNone) std::fill_n(base_inertia, 36, 0.0);
  std::size_t slot = 0;
  for (std::size_t s = 0; op.source[1] != kNone && s < 2; ++s) {
    const Place& from = data.places[at(op.source[s])];
    for (const std::int32_t pick : data.program.picks_of(data.program.network_of(op), s)) {
      std::copy_n(data.at(from.phi) + 6 * pick, 6, phi + 6 * slot++);
    }
    for (std::size_t n = 0; n < 36; ++n) base_inertia[n] += data.at(from.Ib)[n];
  }
  if (op.body != kNone)
    visit_new_slots(data, op, parts, [&](std::size_t there, const double*) { std::fill_n(phi + 6 * there, 6, 0.0); });
  for (std::size_t i = 0; i < rows.rank; ++i) {
    const double* const z = parts.base_part() + 6 * i;
    const double* const y = parts.moves() + rows.index(i) * parts.slots;
    for (std::size_t m = 0; m < parts.slots; ++m) subtract_multiple(6, y[m], z, phi + 6 * m);
    for (std::size_t n = 0; n < 6; ++n) subtract_multiple(6, -z[n], z, base_inertia + 6 * n);
  }
}

}  // namespace

// Both sides of all rows to be closed; returns how many numbers the op needs.
std::size_t place_sides(OpData& data, const Op& op, std::size_t index) {
  using Kind = RowSide::Kind;
  data.places[index].sides = static_cast<std::uint32_t>(data.sides.size());
  const JoinParts parts = join_parts(data, op, index);
  data.sides.resize(data.sides.size() + 2 * parts.rows);
  RowSide* here = data.sides.data() + data.places[index].sides;
  std::size_t E = parts.size(op.body != kNone);
  std::size_t V = parts.sights_at();
  for (const Closing& closing : data.program.closing_of(op)) {
    const std::size_t count = data.joint(closing.joint).row_count();
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

void factor_join(OpData& data, std::size_t index, const RankRule& rule, OpReport& report) {
  const Op& op = data.program.ops[index];
  const JoinParts parts = join_parts(data, op, index);
  if (op.body != kNone) see_new_body(data, op, parts);
  RowCholesky rows = row_factor(data, op, index);
  *parts.weakest() = 1.0;
  for (const std::int32_t source : op.source) {
    if (source == kNone) continue;
    *parts.weakest() = std::min(*parts.weakest(), *data.at(data.places[at(source)].own));
  }
  if (parts.rows > 0) {
    load_sides(data, op, parts);
    double* const N = data.network.data();
    gather_rows(data, op, parts, N, N + parts.rows * parts.rows);
    rows.products = N;
    const RankRule here(std::max(rule.tolerance, smallest_mobility_tolerance(*parts.weakest())), rule.decides);
    Decision& decision = data.decisions[at(op.decision)];
    if (decision.accepted < 0 || !rows.factor_with(at(decision.accepted), here, decision.smallest)) {
      rows.choose(double(here.tolerance), here.most_rows(decision.accepted));
      decision = {static_cast<std::int32_t>(rows.rank), rows.smallest()};
      ++report.chosen_again;
      // As from the cache, so that a restart from saved pivots gives the same bits.
      rows.factor_with(rows.rank, kTheseRows, 0.0);
    }
    *parts.weakest() = std::min(*parts.weakest(), rows.smallest());
    report.smallest = std::min(report.smallest, rows.smallest());
  }
  data.ranks[index] = static_cast<std::int32_t>(rows.rank);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    double* const y = parts.moves() + rows.index(i) * parts.slots;
    const double* const l = rows.row(i);
    for (std::size_t j = 0; j < i; ++j)
      subtract_multiple(parts.slots, l[j], parts.moves() + rows.index(j) * parts.slots, y);
    for (std::size_t m = 0; m < parts.slots; ++m) y[m] *= l[i];
  }
  join_mobility(data, op, index, parts, rows);
  if (op.base != kNone) join_base(data, op, index, parts, rows);
}

}  // namespace gelenk::solve
