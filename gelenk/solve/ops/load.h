#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// What hangs on a body b of a given front, which brings no inertia of its own: components.md (4).
namespace gelenk::solve {

struct LoadParts {
  std::size_t n;
  double* own;
  double* factor() const { return own; }
  double* b() const { return own + n * n; }
  static std::size_t size(std::size_t n) { return n * n + n; }
};

// H = 1 + W_bᵀ I W_b = L Lᵀ, W' = W L⁻ᵀ
void factor_load(OpData& data, std::size_t index);
// b = L⁻¹ W_bᵀ (p + I r_b), r' = r - W' b
void up_load(OpData& data, std::size_t index);
// y = L⁻ᵀ (y' - b), and what hangs on the body pulls at it with -(I a + p).
void down_load(OpData& data, std::size_t index, bool wants_loads);

}  // namespace gelenk::solve
