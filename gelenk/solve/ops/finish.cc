#include "gelenk/solve/ops/finish.h"

#include <algorithm>
#include <cstddef>

#include "gelenk/base/index.h"

namespace gelenk::solve {

void add_base_inertia(const double* base_inertia, Inertia& I) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++n) {
      I.A[n] += base_inertia[6 * j + i];
      I.C[n] += base_inertia[6 * (3 + j) + 3 + i];
    }
    for (std::size_t j = 0; j < 3; ++j) I.B[3 * i + j] += base_inertia[6 * (3 + j) + i];
  }
}

void factor_finish(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  if (op.base == kNone) return;
  add_base_inertia(data.at(data.places[at(op.source[0])].Ib), data.inertias[at(op.base)]);
}

void up_finish(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  if (op.base == kNone) return;
  const double* const pb = data.at(data.places[at(op.source[0])].pb);
  for (std::size_t i = 0; i < 6; ++i) data.bias[6 * at(op.base) + i] += pb[i];
}

void down_finish(OpData& data, std::size_t index) {
  const Op& op = data.program.ops[index];
  const auto source = at(op.source[0]);
  std::fill_n(data.at(data.places[source].y), data.columns(source), 0.0);
}

}  // namespace gelenk::solve
