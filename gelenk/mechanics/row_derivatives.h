#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gelenk/mechanics/force_derivatives.h"

namespace gelenk::mechanics {

// Derivatives of the constraint forces Gᵀλ by the positions of their bodies or ports at constant λ ("geometric
// stiffness"), for the rows from `first` on that share its frames; returns the row behind them. Appends blocks of which
// only the first six columns are used, the same ones in every call. Needs positions and drivers in the workspace.
std::size_t append_joint_derivatives(const Context& context, const Workspace& workspace, std::size_t first,
                                     std::span<const double> multipliers, std::vector<ForceBlock>& blocks);

// Derivatives of ġ of one row by displacement and small turn of its two bodies or ports, at constant velocities of
// these. Needs positions and velocities in the workspace; for rows without a law.
RowBlock rate_derivatives(const Context& context, const Workspace& workspace, std::size_t row);

}  // namespace gelenk::mechanics
