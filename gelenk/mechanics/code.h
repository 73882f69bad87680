#pragma once

#include "gelenk/mechanics/evaluate.h"

namespace gelenk::mechanics {

// Calls the code of a machine that has some: its wrenches, rates and outputs are in Workspace::code then, with the
// outcome. All are zero unless that is good: who is told of the failure may still have to finish what he began. Needs
// the motion of the bodies in the workspace.
void evaluate_code(const Context& context, Workspace& workspace);

// The same with other states than those of the context, and with the numbers elsewhere. The machine must have code.
void call_code(const Context& context, Workspace& workspace, std::span<const double> states, CodeWork& work);

// What it puts on one of its frames, about the frame's origin, world axes.
Wrench<double> code_wrench(const CodeWork& work, std::size_t frame);

}  // namespace gelenk::mechanics
