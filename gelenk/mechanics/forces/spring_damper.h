#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/spring_damper.h"

namespace gelenk::mechanics {

// Pull along the line of the two origins: k (l - l0) + c l̇. Where the origins coincide the line has no direction and
// there is no force.
template <class T>
void evaluate(const model::SpringDamper& data, const ForceInput<T>& in, ForceResult<T>& out) {
  using std::sqrt;
  const Vec3<T> W = in.b.p - in.a.p;
  const T square = W.dot(W);
  if (vanishes(square)) return;
  const T length = sqrt(square);
  out.channels[0] = length;
  const Vec3<T> e = W / length;
  const T speed = e.dot(in.b.v - in.a.v);
  const T stretch = length - data.free_length;
  const T pull = stretch * data.stiffness + speed * data.damping;
  out.on_a.force = e * pull;
  out.on_b.force = -out.on_a.force;
  out.channels[1] = speed;
  out.channels[2] = pull;
  out.potential = stretch * stretch * (0.5 * data.stiffness);
}

}  // namespace gelenk::mechanics
