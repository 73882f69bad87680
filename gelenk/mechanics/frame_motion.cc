#include "gelenk/mechanics/frame_motion.h"

#include "gelenk/base/index.h"

namespace gelenk::mechanics {

FrameMotion frame_motion(const Context& context, const Workspace& workspace, std::int32_t index) {
  const Pose& X_BF = context.params.frames[at(index)];
  const std::int32_t body = workspace.ports.carrier(context.system, index);
  FrameMotion frame;
  if (workspace.ports.at_frame(index) >= 0) {
    static_cast<Motion<double>&>(frame) = workspace.bodies[at(body)];
    return frame;
  }
  if (body < 0) {
    frame.p = X_BF.position;
    frame.R = X_BF.rotation;
    return frame;
  }
  const Motion<double>& m = workspace.bodies[at(body)];
  static_cast<Motion<double>&>(frame) = frame_on(m, X_BF);
  frame.arm = m.R * X_BF.position;
  frame.bias = m.w.cross(m.w.cross(frame.arm));
  return frame;
}

}  // namespace gelenk::mechanics
