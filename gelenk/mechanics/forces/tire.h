#pragma once

#include <cmath>

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/tire.h"

namespace gelenk::mechanics {

// The Magic Formula with D = 1, over its argument x = B × slip: sin(C atan(x - E (x - atan x))) / x. An even function,
// C at zero, where neither the quotient nor the root in x has a derivative.
template <class T>
T magic_quotient(const T& x, double C, double E) {
  using std::atan;
  using std::sin;
  if (std::abs(value_of(x)) < 1e-7) return T(C);
  return sin(atan(x - (x - atan(x)) * E) * C) / x;
}

// The road is the plane z = 0 of the first frame with normal n = ±z; s: axis of the wheel, f = s × n forward, t = n × f
// to the left, d: from the center down in the wheel. The force acts where the wheel meets the road: along n the load,
// along f and t the grip, both from the one slip hypot(B_x κ, B_y tan α); on the road its opposite.
template <class T>
void evaluate(const model::Tire& data, const ForceInput<T>& in, ForceResult<T>& out) {
  using std::atan;
  using std::sqrt;
  constexpr double kFlat = 1e-3;  // cosine of the lean: a wheel that lies on its side has no tire
  const Vec3<T> n = in.a.R.col(2) * T(data.side);
  const Vec3<T>& s = in.direction;
  const Vec3<T> across = s.cross(n);
  const T square = across.dot(across);
  if (value_of(square) < kFlat * kFlat) return;
  const T cosine = sqrt(square);
  const Vec3<T> f = across / cosine;
  const Vec3<T> t = n.cross(f);
  const Vec3<T> d = (s * s.dot(n) - n) / cosine;

  const Vec3<T> W = in.b.p - in.a.p;
  const T reach = W.dot(n) / cosine;  // from the center to the road, along the wheel
  const T deflection = T(data.radius) - reach;
  out.channels[0] = deflection;
  if (value_of(deflection) <= 0.0) return;
  const Vec3<T> v = in.b.v - in.a.v - in.a.w.cross(W);
  const Vec3<T> w = in.b.w - in.a.w;
  T damping(data.damping);
  if (value_of(deflection) < 0.01 * data.radius) damping = deflection * (data.damping / (0.01 * data.radius));
  const T load = deflection * data.stiffness - damping * (v.dot(n) / cosine);
  if (value_of(load) <= 0.0) return;

  const T spin = w.dot(s);
  const T forward = v.dot(f);
  const T speed = sqrt(forward * forward + T(data.low_speed * data.low_speed));
  const T rolling_radius = T(data.radius) - deflection / 3.0;
  const T sideways = Vec3<T>(v + Vec3<T>(w - s * spin).cross(Vec3<T>(d * reach))).dot(t);
  const T slip = (spin * rolling_radius - forward) / speed;
  const T drift = sideways / speed;
  const double grip_x = data.friction;
  const double grip_y = data.lateral_friction < 0.0 ? data.friction : data.lateral_friction;
  // B = (B C D) / (C D)
  const T x = grip_x > 0.0 ? slip * (data.slip_stiffness / (data.shape * grip_x)) : T(0.0);
  const T y = grip_y > 0.0 ? drift * (data.cornering_stiffness / (data.lateral_shape * grip_y)) : T(0.0);
  T both = x * x + y * y;
  both = value_of(both) > 1e-14 ? sqrt(both) : T(0.0);
  const T along = load * grip_x * x * magic_quotient(both, data.shape, data.curvature);
  const T aside = load * -grip_y * y * magic_quotient(both, data.lateral_shape, data.lateral_curvature);

  const Vec3<T> force = n * load + f * along + t * aside;
  const T resistance = load * (-data.rolling_resistance) * rolling_radius * (forward / speed);
  out.on_b.force = force;
  out.on_b.moment = Vec3<T>(d * reach).cross(force) + s * resistance;
  out.on_a.force = -force;
  out.on_a.moment = -out.on_b.moment - W.cross(force);
  out.channels[1] = load;
  out.channels[2] = along * data.hand;
  out.channels[3] = aside;
  out.channels[4] = slip * data.hand;
  out.channels[5] = atan(drift);
}

}  // namespace gelenk::mechanics
