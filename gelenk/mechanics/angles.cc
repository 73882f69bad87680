#include "gelenk/mechanics/angles.h"

#include <cmath>

#include "gelenk/base/index.h"

namespace gelenk::mechanics {
namespace {

const Motion<double> kStill;
const Pose kSameFrame;

// A joint frame and the body that carries it.
struct CarriedFrame {
  const Motion<double>& body;
  const Pose& X_BF;

  CarriedFrame(const system::Params& params, const Workspace& workspace, std::int32_t number, std::int32_t frame)
      : body(number == system::kGround ? kStill : workspace.bodies[at(number)]),
        X_BF(frame < 0 ? kSameFrame : params.frames[at(frame)]) {}
  Vector3 axis(int k) const { return body.R * X_BF.rotation.col(k); }
  Motion<double> motion() const { return frame_on(body, X_BF); }
};

}  // namespace

void angle_rates(const Context& context, const Workspace& workspace, std::span<double> rates) {
  for (const TrackedAngle& angle : workspace.joints.angles) {
    const CarriedFrame A(context.params, workspace, angle.body_a, angle.frame_a);
    const CarriedFrame B(context.params, workspace, angle.body_b, angle.frame_b);
    if (angle.curve >= 0) {
      rates[at(angle.place)] =
          coordinate_rate<double>(model::kTravelOnCurve, A.motion(), B.motion(), context.params.curve(angle.curve));
      continue;
    }
    const Vector3 axis = angle.is_about_z ? A.axis(2) : B.axis(0);
    rates[at(angle.place)] = axis.dot(B.body.w - A.body.w);
  }
}

void settle_angles(const system::Params& params, const Workspace& workspace, system::State& state) {
  for (const TrackedAngle& angle : workspace.joints.angles) {
    const CarriedFrame A(params, workspace, angle.body_a, angle.frame_a);
    const CarriedFrame B(params, workspace, angle.body_b, angle.frame_b);
    if (const Curve* const curve = params.curve(angle.curve)) {
      const double principal = coordinate_value<double>(model::kTravelOnCurve, A.motion(), B.motion(), curve);
      state.extra[at(angle.place)] = unwrapped(principal, state.extra[at(angle.place)], curve);
      continue;
    }
    // The axes that coordinate_value() reads.
    const Vector3 pointer = angle.is_about_z ? B.axis(0) : A.axis(2);
    const double sine = pointer.dot(angle.is_about_z ? A.axis(1) : B.axis(1));
    const double cosine = pointer.dot(angle.is_about_z ? A.axis(0) : B.axis(2));
    state.extra[at(angle.place)] = unwrapped(std::atan2(sine, cosine), state.extra[at(angle.place)]);
  }
}

}  // namespace gelenk::mechanics
