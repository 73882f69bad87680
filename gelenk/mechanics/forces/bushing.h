#pragma once

#include <cmath>

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/bushing.h"

namespace gelenk::mechanics {

// Rotation vector of a rotation matrix, smooth in its elements for angles below π.
template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  using std::atan2;
  using std::sqrt;
  // R - Rᵀ = 2 sin(θ) [axis]×, tr R = 1 + 2 cos θ
  const Vec3<T> s = Vec3<T>(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) * T(0.5);
  const T cosine = (R.trace() - T(1.0)) * T(0.5);
  const T square = s.dot(s);
  // θ / sin θ = 1 + sin²θ/6 + 3 sin⁴θ/40 + ...: the quotient has no derivative at 0
  if (value_of(square) < 1e-6 && value_of(cosine) > 0.0) {
    return s * (T(1.0) + square * (T(1.0 / 6.0) + square * T(3.0 / 40.0)));
  }
  const T sine = sqrt(square);
  return s * (atan2(sine, cosine) / sine);
}

// All in the axes of the first frame: displacement u of Bo from Ao, rotation vector φ of B against A, and their rates.
// Force -k u - c u̇ + preload on the second part at Bo, moment likewise; the opposite on the first part, on the same
// line of action.
template <class T>
void evaluate(const model::Bushing& data, const ForceInput<T>& in, ForceResult<T>& out) {
  const Mat3<T> R_AW = in.a.R.transpose();
  const Vec3<T> W = in.b.p - in.a.p;
  const Vec3<T> u = R_AW * W;
  const Vec3<T> u_rate = R_AW * Vec3<T>(in.b.v - in.a.v - in.a.w.cross(W));
  const Vec3<T> turn = rotation_vector<T>(R_AW * in.b.R);
  const Vec3<T> turn_rate = R_AW * Vec3<T>(in.b.w - in.a.w);
  Vec3<T> force;
  Vec3<T> moment;
  for (int k = 0; k < 3; ++k) {
    force(k) = T(data.preload_force(k)) - u(k) * data.stiffness(k) - u_rate(k) * data.damping(k);
    moment(k) =
        T(data.preload_moment(k)) - turn(k) * data.rotational_stiffness(k) - turn_rate(k) * data.rotational_damping(k);
    out.potential += u(k) * u(k) * (0.5 * data.stiffness(k)) - u(k) * data.preload_force(k) +
                     turn(k) * turn(k) * (0.5 * data.rotational_stiffness(k)) - turn(k) * data.preload_moment(k);
    out.channels[static_cast<std::size_t>(k)] = force(k);
    out.channels[static_cast<std::size_t>(3 + k)] = moment(k);
  }
  out.on_b.force = in.a.R * force;
  out.on_b.moment = in.a.R * moment;
  out.on_a.force = -out.on_b.force;
  out.on_a.moment = -out.on_b.moment - W.cross(out.on_b.force);
}

}  // namespace gelenk::mechanics
