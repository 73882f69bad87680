#include "gelenk/solve/ops/compress.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gelenk/base/index.h"
#include "gelenk/solve/row_reflectors.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {
namespace {

// A column this small against the motion of the live bodies is rounding. It also moves bodies that are not alive any
// more, by as much: hence far below the tolerance of ranks.
constexpr double kNoMotion = 1e-9;

// The columns of W that go in, by the rows of W.
RowReflectors<> compressed_rows(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const CompressParts parts{at(place.columns_in), at(op.live_count), data.at(place.own)};
  RowReflectors<> rows;
  rows.columns = data.columns(at(op.source[0]));
  rows.row_count = 6 * parts.live;
  rows.rows = parts.matrix();
  rows.factors = parts.factors();
  rows.order = data.orders.data() + place.order;
  rows.rank = data.rank(index);
  return rows;
}

}  // namespace

OpOutcome factor_compress(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const auto live = at(op.live_count);
  const auto source = at(op.source[0]);
  RowReflectors<> rows = compressed_rows(data, index);
  for (std::size_t i = 0; i < rows.row_count; ++i) rows.order[i] = static_cast<std::int32_t>(i);
  const double* const W = data.at(data.places[source].W);
  for (std::size_t m = 0; m < 6 * live; ++m) {
    const auto body = at(data.program.live_of(op)[m / 6]);
    const double scale = data.program.reference_mass[2 * body + (m % 6) / 3];
    for (std::size_t j = 0; j < rows.columns; ++j) rows.rows[m * rows.columns + j] = scale * W[j * 6 * live + m];
  }
  rows.choose(kNoMotion, rows.row_count);
  data.ranks[index] = static_cast<std::int32_t>(rows.rank);
  data.column_counts[index] = data.ranks[index];
  if (rows.rank > at(place.columns)) return OpOutcome::too_many_columns;
  double* const x = data.line.data();
  for (std::size_t m = 0; m < 6 * live; ++m) {
    for (std::size_t j = 0; j < rows.columns; ++j) x[j] = W[j * 6 * live + m];
    rows.to_factored(x);
    for (std::size_t j = 0; j < rows.rank; ++j) data.at(place.W)[j * 6 * live + m] = x[j];
  }
  if (op.base != kNone) {
    std::copy_n(data.at(data.places[source].phi), 36 * live, data.at(place.phi));
    std::copy_n(data.at(data.places[source].Ib), 36, data.at(place.Ib));
  }
  return OpOutcome::good;
}

void up_compress(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const Place& from = data.places[at(op.source[0])];
  std::copy_n(data.at(from.r), 6 * at(op.live_count), data.at(place.r));
  if (op.base != kNone) copy6(data.at(from.pb), data.at(place.pb));
}

void down_compress(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const RowReflectors<> rows = compressed_rows(data, index);
  double* const y = data.line.data();
  std::copy_n(data.at(data.places[index].y), data.columns(index), y);
  std::fill(y + data.columns(index), y + rows.columns, 0.0);
  rows.from_factored(y);
  std::copy_n(y, rows.columns, data.at(data.places[at(op.source[0])].y));
}

}  // namespace gelenk::solve
