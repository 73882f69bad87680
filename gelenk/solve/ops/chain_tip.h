#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"

// A chain that is cut at one joint (ChainCut): the part at the ground says how its tip moves, a_t = D τ + e, the part
// beyond the joint what it does to the tip, τ = -(I a_t + p); a_t follows from both. elimination.md (10.1) to (10.3).
namespace gelenk::solve {

void place_tip(OpData& data);
// Φ = 1, D = 0: before the first op of the path
void start_tip(ChainTip& tip);
// Six unit wrenches at the tip, on the body of a tree op and on their way to the ground, all at once: P = SᵀΦ goes into
// the free motion of the joint, D += Pᵀ(SᵀIS)⁻¹P, the rest on to p, elimination.md (10.2). False if P is zero: in a
// plane chain what has not faded passes all joints untouched.
bool carry_tip(OpData& data, std::size_t index, double* P);
// Gives up the wrenches that have faded; whether all have. To be asked once in a while.
inline constexpr std::size_t kOpsBetweenLooks = 32;
bool has_tip_faded(ChainTip& tip);
// L Lᵀ = 1 + Wᵀ I W, I what is beyond the joint: elimination.md (10.3)
void factor_tip(OpData& data);
// The motion e of the tip by itself: down the path alone, from where the tip feels it.
void find_tip_motion(OpData& data);
// b = L⁻¹ Wᵀ (I e + p): elimination.md (10.3)
void up_tip(OpData& data);
// y = -L⁻ᵀ b, a_t = e + W y, and the wrench τ = -(I a_t + p) on the tip: elimination.md (10.3), (10.1)
void down_tip(OpData& data, double* a, double* wrench);
// What the wrench at the tip adds to the motion of the joints on the path, z -= P τ; and, where reactions are wanted,
// to the wrenches on its bodies.
void load_path(OpData& data, const double* wrench, bool wants_reactions);

}  // namespace gelenk::solve
