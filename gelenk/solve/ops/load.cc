#include "gelenk/solve/ops/load.h"

#include <algorithm>
#include <cstddef>

#include "gelenk/base/index.h"
#include "gelenk/solve/spatial.h"

namespace gelenk::solve {

// H = 1 + W_bᵀ I W_b = L Lᵀ, W' = W L⁻ᵀ
void factor_load(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const auto source = at(op.source[0]);
  const std::size_t n = data.columns(source);
  const LoadParts parts{at(place.columns), data.at(place.own)};
  const std::size_t stride = parts.n;
  const std::size_t rows = 6 * at(op.live_count);
  const double* const from = data.at(data.places[source].W);
  const double* const here = from + 6 * at(op.parent_place);
  const Inertia& I = data.inertias[at(op.body)];
  double* const L = parts.factor();
  for (std::size_t j = 0; j < n; ++j) {
    double wrench[6];
    multiply(I, here + j * rows, wrench);
    for (std::size_t i = j; i < n; ++i) L[i * stride + j] = dot6(here + i * rows, wrench);
    L[j * stride + j] += 1.0;
  }
  cholesky(n, L, stride);
  double* const W = data.at(place.W);
  for (std::size_t j = 0; j < n; ++j) {
    double* const column = W + j * rows;
    std::copy_n(from + j * rows, rows, column);
    for (std::size_t i = 0; i < j; ++i) {
      for (std::size_t k = 0; k < rows; ++k) column[k] -= L[j * stride + i] * W[i * rows + k];
    }
    for (std::size_t k = 0; k < rows; ++k) column[k] *= L[j * stride + j];
  }
  data.column_counts[index] = static_cast<std::int32_t>(n);
}

void up_load(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const auto source = at(op.source[0]);
  const std::size_t n = data.columns(index);
  const LoadParts parts{at(place.columns), data.at(place.own)};
  const std::size_t rows = 6 * at(op.live_count);
  const auto body = at(op.body);
  const std::size_t where = 6 * at(op.parent_place);
  const double* const before = data.at(data.places[source].r);
  double wrench[6];
  multiply(data.inertias[body], before + where, wrench);
  for (std::size_t i = 0; i < 6; ++i) wrench[i] += data.bias[6 * body + i];
  double* const b = parts.b();
  for (std::size_t j = 0; j < n; ++j) b[j] = dot6(data.at(data.places[source].W) + j * rows + where, wrench);
  solve_lower(n, parts.factor(), parts.n, b);
  double* const r = data.at(place.r);
  std::copy_n(before, rows, r);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < rows; ++k) r[k] -= b[j] * data.at(place.W)[j * rows + k];
  }
}

// y = L⁻ᵀ (y' - b), and what hangs on the body pulls at it with -(I a + p).
void down_load(OpData& data, std::size_t index, bool wants_loads) {
  const Op& op = data.program.ops[index];
  const Place& place = data.places[index];
  const auto source = at(op.source[0]);
  const std::size_t n = data.columns(index);
  const LoadParts parts{at(place.columns), data.at(place.own)};
  double* const y = data.at(data.places[source].y);
  for (std::size_t j = 0; j < n; ++j) y[j] = data.at(place.y)[j] - parts.b()[j];
  solve_lower_transposed(n, parts.factor(), parts.n, y);
  if (!wants_loads) return;
  const std::size_t rows = 6 * at(op.live_count);
  const std::size_t where = 6 * at(op.parent_place);
  const auto body = at(op.body);
  double motion[6];
  std::copy_n(data.at(data.places[source].r) + where, 6, motion);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < 6; ++i) motion[i] += y[j] * data.at(data.places[source].W)[j * rows + where + i];
  }
  double wrench[6];
  multiply(data.inertias[body], motion, wrench);
  for (std::size_t i = 0; i < 6; ++i) data.loads[6 * body + i] -= wrench[i] + data.bias[6 * body + i];
}

}  // namespace gelenk::solve
