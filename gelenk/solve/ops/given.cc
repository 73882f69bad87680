#include "gelenk/solve/ops/given.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/ops/mobility_root.h"

namespace gelenk::solve {

OpOutcome factor_given(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const double* const D = data.given[at(op.component)].D;
  const std::size_t rank =
      root_of_mobility(data.program.reference_mass, data.program.live_of(op), D, data.at(place.own), data.at(place.W));
  data.column_counts[index] = data.ranks[index] = static_cast<std::int32_t>(rank);
  return OpOutcome::good;
}

void down_given(OpData& data, std::size_t index, double* a) {
  const Op& op = data.program.ops[index];
  const std::span<const std::int32_t> bodies = data.program.live_of(op);
  const double* const W = data.at(data.places[index].W);
  const double* const y = data.at(data.places[index].y);
  const double* const r = data.at(data.places[index].r);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    double* const ours = a + 6 * at(bodies[b]);
    for (std::size_t i = 0; i < 6; ++i) {
      double sum = r[6 * b + i];
      for (std::size_t j = 0; j < data.columns(index); ++j) sum += W[j * 6 * bodies.size() + 6 * b + i] * y[j];
      ours[i] = sum;
    }
  }
}

void up_given(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  std::copy_n(data.given[at(op.component)].r, 6 * at(op.live_count), data.at(data.places[index].r));
}

}  // namespace gelenk::solve
