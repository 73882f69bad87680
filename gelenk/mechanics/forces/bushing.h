#pragma once

#include <cmath>

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/mechanics/quaternion_elements.h"
#include "gelenk/model/forces/bushing.h"

namespace gelenk::mechanics {

// Rotation vector of a rotation matrix, angle below π; through the quaternion, which keeps its digits up to there.
template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  using std::atan2;
  using std::sqrt;
  const std::array<T, 4> q = quaternion_elements<T>(R);  // q[0] >= 0
  const Vec3<T> v(q[1], q[2], q[3]);
  const T square = v.dot(v);
  // θ / sin(θ/2) = 2 + s²/3 + 3 s⁴/20 + ..., s = sin(θ/2): the quotient has no derivative at 0
  if (value_of(square) < 1e-6) return v * (T(2.0) + square * (T(1.0 / 3.0) + square * T(3.0 / 20.0)));
  const T sine = sqrt(square);
  return v * (atan2(sine, q[0]) * T(2.0) / sine);
}

// The moment whose work is the change of a potential V(φ), given x = ∂V/∂φ: φ̇ = w - ½ φ×w + c φ×(φ×w) turns
// x·φ̇ = m·w into m = x + ½ φ×x + c φ×(φ×x), c = (1 - (|φ|/2) cot(|φ|/2)) / |φ|².
template <class T>
Vec3<T> moment_of_gradient(const Vec3<T>& turn, const Vec3<T>& x) {
  using std::sqrt;
  using std::tan;
  const T square = turn.dot(turn);
  T c = T(1.0 / 12.0) + square * (T(1.0 / 720.0) + square * T(1.0 / 30240.0));
  if (value_of(square) > 1e-2) {
    const T half = sqrt(square) * T(0.5);
    c = (T(1.0) - half / tan(half)) / square;
  }
  const Vec3<T> cross = turn.cross(x);
  return x + cross * T(0.5) + turn.cross(cross) * c;
}

template <class T>
struct BushingMotion {
  const Vec3<T>& u;
  const Vec3<T>& u_rate;
  const Vec3<T>& turn;
  const Vec3<T>& turn_rate;
};

// What is beside the diagonals of the symmetric matrices [S M; Mᵀ N] of stiffness, of the potential ½ xᵀ K x with
// x = (u, φ), and of damping, both by rows of M.
template <class T>
void add_coupling(const model::Bushing& data, const BushingMotion<T>& x, Vec3<T>& force, Vec3<T>& moment,
                  ForceResult<T>& out) {
  using model::Bushing;
  const Vector3 none = Vector3::Zero();
  const Mat3<T> S = Bushing::full(none, data.stiffness_between).template cast<T>();
  const Mat3<T> N = Bushing::full(none, data.rotational_stiffness_between).template cast<T>();
  const Mat3<T> M = Bushing::rows(data.stiffness_x, data.stiffness_y, data.stiffness_z).template cast<T>();
  const Mat3<T> S_rate = Bushing::full(none, data.damping_between).template cast<T>();
  const Mat3<T> N_rate = Bushing::full(none, data.rotational_damping_between).template cast<T>();
  const Mat3<T> M_rate = Bushing::rows(data.damping_x, data.damping_y, data.damping_z).template cast<T>();
  const Vec3<T> by_u = S * x.u + M * x.turn;
  const Vec3<T> by_turn = M.transpose() * x.u + N * x.turn;
  out.potential += (x.u.dot(by_u) + x.turn.dot(by_turn)) * 0.5;
  force -= by_u + S_rate * x.u_rate + M_rate * x.turn_rate;
  moment -= moment_of_gradient<T>(x.turn, by_turn) + M_rate.transpose() * x.u_rate + N_rate * x.turn_rate;
  for (int k = 0; k < 3; ++k) {
    const auto place = static_cast<std::size_t>(k);
    out.channels[place] = force(k);
    out.channels[3 + place] = moment(k);
  }
}

// All in the axes of the first frame: displacement u of Bo from Ao, rotation vector φ of B against A, and their rates.
// Force -k u - c u̇ + preload on the second part at Bo, moment likewise; the opposite on the first part, on the same
// line of action.
template <class T>
void evaluate(const model::Bushing& data, const ForceInput<T>& in, ForceResult<T>& out) {
  const Vec3<T> W = in.b.p - in.a.p;
  const Vec3<T> u = in.a.R.transpose() * W;
  const Vec3<T> u_rate = in.a.R.transpose() * Vec3<T>(in.b.v - in.a.v - in.a.w.cross(W));
  const Vec3<T> turn = rotation_vector<T>(in.a.R.transpose() * in.b.R);
  const Vec3<T> turn_rate = in.a.R.transpose() * Vec3<T>(in.b.w - in.a.w);
  Vec3<T> force;
  Vec3<T> gradient;
  for (int k = 0; k < 3; ++k) gradient(k) = turn(k) * data.rotational_stiffness(k) - T(data.preload_moment(k));
  Vec3<T> moment = -moment_of_gradient<T>(turn, gradient);
  for (int k = 0; k < 3; ++k) {
    force(k) = T(data.preload_force(k)) - u(k) * data.stiffness(k) - u_rate(k) * data.damping(k);
    moment(k) -= turn_rate(k) * data.rotational_damping(k);
    out.potential += u(k) * u(k) * (0.5 * data.stiffness(k)) - u(k) * data.preload_force(k) +
                     turn(k) * turn(k) * (0.5 * data.rotational_stiffness(k)) - turn(k) * data.preload_moment(k);
    const auto place = static_cast<std::size_t>(k);
    out.channels[place] = force(k);
    out.channels[3 + place] = moment(k);
  }
  if (data.is_coupled()) add_coupling<T>(data, {u, u_rate, turn, turn_rate}, force, moment, out);
  out.on_b.force = in.a.R * force;
  out.on_b.moment = in.a.R * moment;
  out.on_a.force = -out.on_b.force;
  out.on_a.moment = -out.on_b.moment - W.cross(out.on_b.force);
}

}  // namespace gelenk::mechanics
