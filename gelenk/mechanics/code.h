#pragma once

#include "gelenk/mechanics/evaluate.h"

namespace gelenk::mechanics {

// Calls all code of a machine: its wrenches, rates and outputs are in Workspace::codes then, with the outcome. All are
// zero unless that is good: whoever hears of the failure may still have to finish what was begun. Needs the motion of
// the bodies in the workspace.
void evaluate_codes(const Context& context, Workspace& workspace);

// One of them with other states than those of the context, and with the numbers elsewhere.
void call_code(const Context& context, Workspace& workspace, std::size_t which, std::span<const double> states,
               CodeWork& work);
// Its states in the context.
std::span<const double> code_states(const Context& context, std::size_t which);

// What it puts on one of its frames, about the frame's origin, world axes.
Wrench<double> code_wrench(const CodeWork& work, std::size_t frame);

}  // namespace gelenk::mechanics
