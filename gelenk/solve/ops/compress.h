#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A front that moves in fewer ways than it has columns: W' = W Q₁ with the rank of W, elimination.md section 4.
namespace gelenk::solve {

struct CompressParts {
  std::size_t n, live;
  double* own;
  double* matrix() const { return own; }
  double* factors() const { return matrix() + 6 * live * n; }
  static std::size_t size(std::size_t n, std::size_t live) { return 6 * live * n + 6 * live; }
};

OpOutcome factor_compress(OpData& data, std::size_t index);
void up_compress(OpData& data, std::size_t index);
// y = Q₁ y'
void down_compress(OpData& data, std::size_t index);

}  // namespace gelenk::solve
