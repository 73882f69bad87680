#pragma once

#include "gelenk/math/vector.h"

// Elements see frames only: where they are, how they move. All vectors are in world axes.
namespace gelenk::mechanics {

// A body at its center of mass, or any frame fixed on one at its origin.
template <class T>
struct Motion {
  Vec3<T> p = Vec3<T>::Zero();      // origin
  Mat3<T> R = Mat3<T>::Identity();  // axes
  Vec3<T> v = Vec3<T>::Zero();      // velocity of the origin
  Vec3<T> w = Vec3<T>::Zero();      // angular velocity
};

// A frame with what rows need beyond its motion.
struct FrameMotion : Motion<double> {
  Vector3 arm = Vector3::Zero();   // from the body's center of mass to the origin
  Vector3 bias = Vector3::Zero();  // acceleration of the origin when the body's own is zero: w × (w × arm)
};

// Force and moment about a frame's origin, on the body that carries it.
template <class T>
struct Wrench {
  Vec3<T> force = Vec3<T>::Zero();
  Vec3<T> moment = Vec3<T>::Zero();
};

// The frame with pose X_BF on a body that moves as `body`.
template <class T>
Motion<T> frame_on(const Motion<T>& body, const Pose& X_BF) {
  const Vec3<T> arm = body.R * X_BF.position.cast<T>();
  return {body.p + arm, body.R * X_BF.rotation.cast<T>(), body.v + body.w.cross(arm), body.w};
}

// Whether a length has no direction. Formulas, which have no value, take it that it has one.
template <class T>
bool vanishes(const T& square) {
  return value_of(square) == 0.0;
}

template <class T>
Motion<T> cast(const Motion<double>& m) {
  return {m.p.cast<T>(), m.R.cast<T>(), m.v.cast<T>(), m.w.cast<T>()};
}

}  // namespace gelenk::mechanics
