#include "gelenk/solve/ops/entry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gelenk/base/index.h"
#include "gelenk/solve/mobility_kernels.h"

namespace gelenk::solve {

// A front that another component publishes, or one with a root: all its bodies with their accelerations.
void factor_entry(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const std::size_t m = 6 * at(op.live_count);
  double* const D = data.at(data.places[index].W);
  const auto stride = at(data.places[index].columns);
  *data.at(data.places[index].own) = 1.0;
  if (op.kind == OpKind::take) {
    const double* const given = data.given[at(op.component)].D;
    for (std::size_t i = 0; i < m; ++i) std::copy_n(given + i * m, i + 1, D + i * stride);
    return;
  }
  const auto source = at(op.source[0]);
  for (std::size_t i = 0; i < m; ++i) std::fill_n(D + i * stride, i + 1, 0.0);
  for (std::size_t j = 0; j < data.columns(source); ++j) {
    const double* const W = data.at(data.places[source].W) + j * m;
    for (std::size_t i = 0; i < m; ++i) subtract_multiple(i + 1, -W[i], W, D + i * stride);
  }
}

void up_entry(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const std::size_t m = 6 * at(op.live_count);
  const double* const from =
      op.kind == OpKind::take ? data.given[at(op.component)].r : data.at(data.places[at(op.source[0])].r);
  std::copy_n(from, m, data.at(data.places[index].r));
  std::fill_n(data.at(data.places[index].y), at(data.places[index].columns), 0.0);
}

// take: a = D τ + r of the given D; square: y = Wᵀ τ
void down_entry(OpData& data, std::size_t index, double* a) {
  const Op& op = data.program.ops[index];
  const std::span<const std::int32_t> bodies = data.program.live_of(op);
  const std::size_t m = 6 * bodies.size();
  const double* const forces = data.at(data.places[index].y);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::copy_n(forces + 6 * b, 6, &data.loads[6 * at(bodies[b])]);
  }
  if (op.kind == OpKind::square) {
    const auto source = at(op.source[0]);
    for (std::size_t j = 0; j < data.columns(source); ++j) {
      data.at(data.places[source].y)[j] = dot(m, data.at(data.places[source].W) + j * m, forces);
    }
    return;
  }
  if (!data.places[index].is_carrying) return;
  const Given& given = data.given[at(op.component)];
  for (std::size_t i = 0; i < m; ++i) {
    a[6 * at(bodies[i / 6]) + i % 6] = given.r[i] + dot(m, given.D + i * m, forces);
  }
}

}  // namespace gelenk::solve
