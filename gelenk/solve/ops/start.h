#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A body without an inner one becomes a front: all six of its motions are free, a = W y + r with W = L⁻ᵀ of its
// inertia, elimination.md (4.1).
namespace gelenk::solve {

void factor_start(OpData& data, std::size_t index);
// r = -W Wᵀ p
void up_start(OpData& data, std::size_t index);
void down_start(OpData& data, std::size_t index, double* a);

}  // namespace gelenk::solve
