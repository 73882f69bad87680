#pragma once

#include <algorithm>
#include <cstddef>

#include "gelenk/solve/elimination.h"
#include "gelenk/solve/elimination_close.h"
#include "gelenk/solve/elimination_parts.h"

// Fronts that move in fewer ways than they have columns; included by elimination.cc only. Equations:
// docs/theory/elimination.md.
namespace gelenk::solve {

// A column this small against the motion of the live bodies is rounding. It also moves bodies that are not alive any
// more, by as much: hence far below the tolerance of ranks.
inline constexpr double kNoMotion = 1e-9;

template <class T>
typename Elimination<T>::Outcome Elimination<T>::factor_compress(const Op& op, std::size_t index) {
  const Place& place = places_[index];
  const auto live = static_cast<std::size_t>(op.live_count);
  const auto source = static_cast<std::size_t>(op.source[0]);
  RowReflectors<T> rows = reflectors<false>(op, index);
  for (std::size_t i = 0; i < rows.row_count; ++i) rows.order[i] = static_cast<std::int32_t>(i);
  const T* const W = at(places_[source].W);
  for (std::size_t m = 0; m < 6 * live; ++m) {
    const auto body = static_cast<std::size_t>(program_.live_of(op)[m / 6]);
    const T scale(program_.reference_mass[2 * body + (m % 6) / 3]);
    for (std::size_t j = 0; j < rows.columns; ++j) rows.rows[m * rows.columns + j] = scale * W[j * 6 * live + m];
  }
  rows.choose(T(kNoMotion), rows.row_count);
  ranks_[index] = static_cast<std::int32_t>(rows.rank);
  columns_[index] = ranks_[index];
  if (rows.rank > static_cast<std::size_t>(place.columns)) return Outcome::too_many_columns;
  T* const x = line_.data();
  for (std::size_t m = 0; m < 6 * live; ++m) {
    for (std::size_t j = 0; j < rows.columns; ++j) x[j] = W[j * 6 * live + m];
    rows.to_factored(x);
    for (std::size_t j = 0; j < rows.rank; ++j) at(place.W)[j * 6 * live + m] = x[j];
  }
  if (op.base != kNone) {
    std::copy_n(at(places_[source].phi), 36 * live, at(place.phi));
    std::copy_n(at(places_[source].Ib), 36, at(place.Ib));
  }
  return Outcome::good;
}

template <class T>
void Elimination<T>::up_compress(const Op& op) {
  const Place& place = place_of(op);
  const Place& from = places_[static_cast<std::size_t>(op.source[0])];
  std::copy_n(at(from.r), 6 * static_cast<std::size_t>(op.live_count), at(place.r));
  if (op.base != kNone) copy6(at(from.pb), at(place.pb));
}

template <class T>
void Elimination<T>::down_compress(const Op& op, std::size_t index) {
  const RowReflectors<T> rows = reflectors<false>(op, index);
  T* const y = line_.data();
  std::copy_n(at(places_[index].y), columns(index), y);
  std::fill(y + columns(index), y + rows.columns, T(0));
  rows.from_factored(y);
  std::copy_n(y, rows.columns, at(places_[static_cast<std::size_t>(op.source[0])].y));
}

}  // namespace gelenk::solve
