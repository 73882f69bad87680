#pragma once

#include <span>

#include "gelenk/analysis/held_coordinates.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Places the bodies one after the other, each by one joint from a neighbor that is placed already: with the coordinates
// in `held`, and all others as they are in `state`. Loops stay open where they do not fit. A spanning tree of the
// joints, those with held coordinates first; bodies that no joint connects stay where they are.
// `aligned`: coordinates that are not held may also be changed so that a loop which a body closes is least open.
void carry(const system::System& system, const system::Params& params, std::span<const HeldCoordinate> held,
           bool aligned, system::State& state);

}  // namespace gelenk::analysis
