#include "gelenk/solve/ops/start.h"

#include <algorithm>
#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/fixed_sizes.h"
#include "gelenk/solve/mobility_kernels.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

// W = L⁻ᵀ of the body's inertia: its motion under unit forces.
void factor_start(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  double L[36];
  double* const W = data.at(place.W);
  std::fill_n(W, 36, 0.0);
  // W = L⁻ᵀ: its columns are the rows of L⁻¹.
  if (factor_inertia(data.inertias[at(op.body)], L)) {
    for (std::size_t i = 0; i < 3; ++i) W[7 * i] = L[7 * i];
    invert_lower(FixedSize<3>{}, L + 21, W + 21);
  } else {
    invert_lower(FixedSize<6>{}, L, W);
  }
  data.column_counts[index] = 6;
  if (op.base == kNone) return;
  std::fill_n(data.at(place.phi), 36, 0.0);
  std::fill_n(data.at(place.Ib), 36, 0.0);
}

void up_start(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const double* const W = data.at(data.places[index].W);
  const double* const p = &data.bias[6 * at(op.body)];
  double* const r = data.at(data.places[index].r);
  std::fill_n(r, 6, 0.0);
  for (std::size_t j = 0; j < 6; ++j) {
    const double load = dot6(W + 6 * j, p);
    for (std::size_t n = 0; n < 6; ++n) r[n] -= load * W[6 * j + n];
  }
  if (op.base != kNone) std::fill_n(data.at(data.places[index].pb), 6, 0.0);
}

void down_start(OpData& data, std::size_t index, double* a) {
  const Op& op = data.program.ops[index];
  const double* const W = data.at(data.places[index].W);
  const double* const y = data.at(data.places[index].y);
  double* const ours = a + 6 * at(op.body);
  copy6(data.at(data.places[index].r), ours);
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t n = 0; n < 6; ++n) ours[n] += y[j] * W[6 * j + n];
  }
}

}  // namespace gelenk::solve
