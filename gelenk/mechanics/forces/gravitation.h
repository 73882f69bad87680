#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/gravitation.h"

namespace gelenk::mechanics {

// Attraction G m m / r² along the line of the centers, potential -G m m / r; none where they coincide.
template <class T>
void evaluate(const model::Gravitation& data, const ForceInput<T>& in, ForceResult<T>& out) {
  using std::sqrt;
  const Vec3<T> W = in.b.p - in.a.p;
  const T square = W.dot(W);
  if (vanishes(square)) return;
  const T distance = sqrt(square);
  out.channels[0] = distance;
  const T energy = T(data.constant * data.first_mass * data.second_mass) / distance;
  const T pull = energy / distance;
  out.on_a.force = W * (pull / distance);
  out.on_b.force = -out.on_a.force;
  out.channels[1] = pull;
  out.potential = -energy;
}

}  // namespace gelenk::mechanics
