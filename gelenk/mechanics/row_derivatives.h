#pragma once

#include <span>
#include <vector>

#include "gelenk/mechanics/force_derivatives.h"

namespace gelenk::mechanics {

// Derivatives of the constraint forces Gᵀλ of all rows by the positions of their bodies at constant λ ("geometric
// stiffness"). Appends blocks of which only the first six columns are used, the same ones in every call. Needs
// positions and drivers in the workspace.
void append_row_derivatives(const Context& context, const Workspace& workspace, std::span<const double> multipliers,
                            std::vector<ForceBlock>& blocks);

}  // namespace gelenk::mechanics
