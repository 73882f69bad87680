#pragma once

#include <cstddef>

#include "gelenk/solve/ops/op_data.h"
#include "gelenk/solve/rank_rule.h"

// A component inside the machine, called in the order of its owner's program. It takes in the loads on bodies on which
// something of the owner only hangs, brings an inertia I_0 and a bias p_0 for its anchor, and shows its other bodies
// relative to that: a_B = W y + Φ a_0 + r, components.md (9), (10).
namespace gelenk::solve {

OpOutcome factor_call(OpData& data, std::size_t index, const RankRule& rule, OpReport& report);
void up_call(OpData& data, std::size_t index);
// Sends down a_0, y and, with reactions, the wrenches on live bodies; brings the motion of all its bodies.
void down_call(OpData& data, std::size_t index, double* a, bool wants_reactions);

// One of its fronts
OpOutcome factor_called_front(OpData& data, std::size_t index);
void up_called_front(OpData& data, std::size_t index);
void down_called_front(OpData& data, std::size_t index, bool wants_reactions);

}  // namespace gelenk::solve
