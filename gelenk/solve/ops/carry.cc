#include "gelenk/solve/ops/carry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// The two fronts that become one.
struct Carried {
  std::size_t front, shown;            // ops
  std::size_t front_live, shown_live;  // bodies
  std::size_t columns, shown_columns;  // that they have
  std::size_t carrier;                 // place of k in the first

  Carried(const OpData& data, const Op& op)
      : front(at(op.source[0])),
        shown(at(op.source[1])),
        front_live(at(data.program.ops[front].live_count)),
        shown_live(at(data.program.ops[shown].live_count)),
        columns(data.columns(front)),
        shown_columns(data.columns(shown)),
        carrier(at(op.parent_place)) {}
};

// Φ x of one body, x a motion of k.
void follow(const OpData& data, const Carried& c, std::size_t body, const double* x, double* out) {
  const double* const phi = data.at(data.places[c.shown].phi) + 6 * body;
  for (std::size_t i = 0; i < 6; ++i) out[i] = 0.0;
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = 0; i < 6; ++i) out[i] += phi[6 * j * c.shown_live + i] * x[j];
  }
}

}  // namespace

void factor_carry(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const Carried c(data, op);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  const auto live = kept.size();
  const double* const W_front = data.at(data.places[c.front].W);
  const double* const W_shown = data.at(data.places[c.shown].W);
  double* const W = data.at(place.W);
  data.column_counts[index] = static_cast<std::int32_t>(c.columns + c.shown_columns);
  for (std::size_t b = 0; b < live; ++b) {
    const auto where = at(kept[b]);
    const bool is_shown = where >= c.front_live;
    const std::size_t local = is_shown ? where - c.front_live : where;
    for (std::size_t j = 0; j < c.columns; ++j) {
      double* const to = W + 6 * (j * live + b);
      const double* const column = W_front + 6 * j * c.front_live;
      if (is_shown) {
        follow(data, c, local, column + 6 * c.carrier, to);
      } else {
        copy6(column + 6 * local, to);
      }
    }
    for (std::size_t j = 0; j < c.shown_columns; ++j) {
      double* const to = W + 6 * ((c.columns + j) * live + b);
      if (is_shown) {
        copy6(W_shown + 6 * (j * c.shown_live + local), to);
      } else {
        std::fill_n(to, 6, 0.0);
      }
    }
    for (std::size_t j = 0; op.base != kNone && j < 6; ++j) {
      double* const to = data.at(place.phi) + 6 * (j * live + b);
      const double* const column = data.at(data.places[c.front].phi) + 6 * j * c.front_live;
      if (is_shown) {
        follow(data, c, local, column + 6 * c.carrier, to);
      } else {
        copy6(column + 6 * local, to);
      }
    }
  }
  if (op.base != kNone) std::copy_n(data.at(data.places[c.front].Ib), 36, data.at(place.Ib));
}

void up_carry(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Carried c(data, op);
  const std::span<const std::int32_t> kept = data.program.kept_of(op);
  const double* const r_front = data.at(data.places[c.front].r);
  const double* const r_shown = data.at(data.places[c.shown].r);
  double* const r = data.at(data.places[index].r);
  for (std::size_t b = 0; b < kept.size(); ++b) {
    const auto where = at(kept[b]);
    if (where < c.front_live) {
      copy6(r_front + 6 * where, r + 6 * b);
      continue;
    }
    follow(data, c, where - c.front_live, r_front + 6 * c.carrier, r + 6 * b);
    for (std::size_t i = 0; i < 6; ++i) r[6 * b + i] += r_shown[6 * (where - c.front_live) + i];
  }
  if (op.base != kNone) copy6(data.at(data.places[c.front].pb), data.at(data.places[index].pb));
}

void down_carry(OpData& data, std::size_t index, bool wants_reactions) {
  const Op& op = data.program.ops[index];
  const Carried c(data, op);
  const double* const y = data.at(data.places[index].y);
  std::copy_n(y, c.columns, data.at(data.places[c.front].y));
  std::copy_n(y + c.columns, c.shown_columns, data.at(data.places[c.shown].y));
  if (!wants_reactions) return;
  const std::span<const std::int32_t> shown = data.program.live_of(data.program.ops[c.shown]);
  double* const on_carrier = &data.loads[6 * at(op.body)];
  for (std::size_t b = 0; b < shown.size(); ++b) {
    const double* const phi = data.at(data.places[c.shown].phi) + 6 * b;
    for (std::size_t j = 0; j < 6; ++j)
      on_carrier[j] += dot6(phi + 6 * j * c.shown_live, &data.loads[6 * at(shown[b])]);
  }
}

}  // namespace gelenk::solve
