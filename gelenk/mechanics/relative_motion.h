#pragma once

#include <cmath>

#include "gelenk/mechanics/motion.h"

// The motion of one frame as another one sees it. Rates are those of the numbers themselves: the velocity is the rate
// of change of the position in the axes of the other frame, and so on.
namespace gelenk::mechanics {

template <class T>
struct FrameAcceleration {
  Vec3<T> linear = Vec3<T>::Zero();  // of the origin
  Vec3<T> angular = Vec3<T>::Zero();
};

// A as B sees it, in the axes of B. between: from the origin of B to that of A, world axes.
template <class T>
Motion<T> seen_from(const Motion<T>& A, const Motion<T>& B, const Vec3<T>& between) {
  const Mat3<T> to_B = B.R.transpose();
  return {to_B * between, to_B * A.R, to_B * Vec3<T>(A.v - B.v - B.w.cross(between)), to_B * Vec3<T>(A.w - B.w)};
}

// The rates of change of the velocities above; a and b are the accelerations of A and B in the world.
template <class T>
FrameAcceleration<T> seen_from(const Motion<T>& A, const Motion<T>& B, const Vec3<T>& between,
                               const FrameAcceleration<T>& a, const FrameAcceleration<T>& b) {
  const Mat3<T> to_B = B.R.transpose();
  const Vec3<T> turning = B.w.cross(between);
  const Vec3<T> speed = A.v - B.v - turning;
  const Vec3<T> linear =
      a.linear - b.linear - b.angular.cross(between) - B.w.cross(turning) - B.w.cross(speed) * T(2.0);
  return {to_B * linear, to_B * Vec3<T>(a.angular - b.angular - B.w.cross(A.w))};
}

// Of a point at `arm` from one with acceleration a, both on a body with angular velocity w.
template <class T>
FrameAcceleration<T> carried(const FrameAcceleration<T>& a, const Vec3<T>& w, const Vec3<T>& arm) {
  return {a.linear + a.angular.cross(arm) + w.cross(Vec3<T>(w.cross(arm))), a.angular};
}

// Rate of the distance from the frame that sees this motion; zero where both coincide.
template <class T>
T distance_rate(const Motion<T>& seen) {
  using std::sqrt;
  const T square = seen.p.dot(seen.p);
  return vanishes(square) ? T(0.0) : T(seen.p.dot(seen.v) / sqrt(square));
}

// The angle about z from x to the x axis of a frame with these axes, seen along z; within ±π.
template <class T>
T turn_about_z(const Mat3<T>& R) {
  using std::atan2;
  return atan2(R(1, 0), R(0, 0));
}

}  // namespace gelenk::mechanics
