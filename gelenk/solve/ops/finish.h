#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A front without live bodies becomes an inertia of its base: I_b and p_b of elimination.md (4.1) join those of the
// base; down, y = 0.
namespace gelenk::solve {

// I += I_b, of which the lower half is read.
void add_base_inertia(const double* base_inertia, Inertia& I);

void factor_finish(OpData& data, std::size_t index);
void up_finish(OpData& data, std::size_t index);
void down_finish(OpData& data, std::size_t index);

}  // namespace gelenk::solve
