#pragma once

#include <cstdint>

#include "gelenk/mechanics/evaluate.h"

namespace gelenk::mechanics {

// A frame of the system as single rows and couplings read it, from the motion of the bodies and ports in the workspace.
FrameMotion frame_motion(const Context& context, const Workspace& workspace, std::int32_t index);

}  // namespace gelenk::mechanics
