#pragma once

#include "gelenk/base/index.h"
#include "gelenk/mechanics/coordinates.h"
#include "gelenk/mechanics/curve_rows.h"
#include "gelenk/mechanics/frame_motion.h"

namespace gelenk::mechanics {

// A joint coordinate with its two frames, from the motion of the bodies in the workspace.
struct CoordinateMotion {
  const system::Coordinate& coordinate;
  const system::Joint& joint;
  FrameMotion A, B;
  const Curve* curve;  // of a joint along one; otherwise null

  CoordinateMotion(const Context& context, const Workspace& workspace, std::int32_t number)
      : coordinate(context.system.coordinates[at(number)]),
        joint(context.system.joints[at(coordinate.joint)]),
        A(frame_motion(context, workspace, joint.frame_a)),
        B(frame_motion(context, workspace, joint.frame_b)),
        curve(context.params.curve(coordinate.curve)) {}

  double value(const system::State& state) const {
    const double q = coordinate_value<double>(*coordinate.type, A, B, curve);
    return coordinate.tracked < 0 ? q : unwrapped(q, state.extra[at(coordinate.tracked)], curve);
  }
  double rate() const { return coordinate_rate<double>(*coordinate.type, A, B, curve); }
  RowJacobian<double> jacobian() const { return coordinate_jacobian<double>(*coordinate.type, A, B, curve); }

  // The coordinate's acceleration when those of the bodies are zero.
  double bias() const {
    const model::Coordinate& c = *coordinate.type;
    if (c.is_on_curve) return curve_drift(kTravelRow, A, B, A.bias, B.bias, *curve);
    if (c.motion == model::Coordinate::Motion::rotation) {
      // axis·(w_B - w_A), the axis fixed in A (about z) or in B
      const Vector3 axis = c.axis == 2 ? A.R.col(2) : B.R.col(0);
      return (c.axis == 2 ? A.w : B.w).cross(axis).dot(B.w - A.w);
    }
    // n·(v_B - v_A) + (w_A × n)·W
    const Vector3 n = A.R.col(c.axis);
    const Vector3 n_rate = A.w.cross(n);
    return A.w.cross(n_rate).dot(B.p - A.p) + 2.0 * n_rate.dot(B.v - A.v) + n.dot(B.bias - A.bias);
  }
};

}  // namespace gelenk::mechanics
