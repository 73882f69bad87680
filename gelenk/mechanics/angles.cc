#include "gelenk/mechanics/angles.h"

#include <cmath>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

// A joint frame and the body that carries it.
struct CarriedFrame {
  const Motion<double>& body;
  const Pose& X_BF;

  Vector3 axis(int k) const { return body.R * X_BF.rotation.col(k); }
};

CarriedFrame carried(const system::System& system, const system::Params& params, const Workspace& workspace,
                     std::int32_t frame) {
  static const Motion<double> kGroundMotion;
  static const Pose kOwnFrame;
  const std::int32_t body = workspace.ports.carrier(system, frame);
  return {body == system::kGround ? kGroundMotion : workspace.bodies[at(body)],
          workspace.ports.at_frame(frame) < 0 ? params.frames[at(frame)] : kOwnFrame};
}

}  // namespace

void angle_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  for (const system::Coordinate& c : context.system.coordinates) {
    if (c.tracked < 0) continue;
    const system::Joint& joint = context.system.joints[at(c.joint)];
    const CarriedFrame A = carried(context.system, context.params, workspace, joint.frame_a);
    const CarriedFrame B = carried(context.system, context.params, workspace, joint.frame_b);
    const Vector3 axis = c.type->axis == 2 ? A.axis(2) : B.axis(0);
    rates[at(c.tracked)] = axis.dot(B.body.w - A.body.w);
  }
}

void settle_angles(const system::System& system, const system::Params& params, const Workspace& workspace,
                   system::State& state) {
  for (const system::Coordinate& c : system.coordinates) {
    if (c.tracked < 0) continue;
    const system::Joint& joint = system.joints[at(c.joint)];
    const CarriedFrame A = carried(system, params, workspace, joint.frame_a);
    const CarriedFrame B = carried(system, params, workspace, joint.frame_b);
    // The axes that coordinate_value() reads.
    const bool is_about_z = c.type->axis == 2;
    const Vector3 pointer = is_about_z ? B.axis(0) : A.axis(2);
    const double sine = pointer.dot(is_about_z ? A.axis(1) : B.axis(1));
    const double cosine = pointer.dot(is_about_z ? A.axis(0) : B.axis(2));
    state.extra[at(c.tracked)] = unwrapped(std::atan2(sine, cosine), state.extra[at(c.tracked)]);
  }
}

}  // namespace gelenk::mechanics
