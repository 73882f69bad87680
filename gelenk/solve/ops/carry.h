#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A front with the live body k takes along the bodies B that a component shows relative to k. No decision, no factor:
// components.md (11).
namespace gelenk::solve {

// W' = [W 0; Φ W_k  W_B], Φ' = [Φ_F; Φ Φ_k]
void factor_carry(OpData& data, std::size_t index);
// r' = [r_F; Φ r_k + r]
void up_carry(OpData& data, std::size_t index);
// y' = (y, y_B), and τ_k += Φᵀ τ_B
void down_carry(OpData& data, std::size_t index, bool wants_reactions);

}  // namespace gelenk::solve
