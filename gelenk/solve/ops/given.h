#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A front that another component publishes, by a root of its D: a = W y + r with D = W Wᵀ, components.md (3).
namespace gelenk::solve {

OpOutcome factor_given(OpData& data, std::size_t index);
void up_given(OpData& data, std::size_t index);
// The motion of its bodies, for what hangs on them.
void down_given(OpData& data, std::size_t index, double* a);

}  // namespace gelenk::solve
