#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// Where mobility fronts begin: `take`, a D that another component publishes, and `square`, a front with a root, D = W
// Wᵀ. All bodies are seen by their accelerations: elimination.md (9.1).
namespace gelenk::solve {

void factor_entry(OpData& data, std::size_t index);
void up_entry(OpData& data, std::size_t index);
// take: a = D τ + r of the given D; square: y = Wᵀ τ. Both: the loads on the bodies.
void down_entry(OpData& data, std::size_t index, double* a);

}  // namespace gelenk::solve
