#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/drag.h"

namespace gelenk::mechanics {

// -(c + f |v| / v₀²) v on the second part at Bo, v: velocity of Bo as the first frame sees it, world axes; the opposite
// on the first part, on the same line of action. |v| has no derivative at rest, |v| v has: zero.
template <class T>
void evaluate(const model::Drag& data, const ForceInput<T>& in, ForceResult<T>& out) {
  using std::sqrt;
  const Vec3<T> W = in.b.p - in.a.p;
  const Vec3<T> v = in.b.v - in.a.v - in.a.w.cross(W);
  const T square = v.dot(v);
  T size(0.0);
  if (!vanishes(square)) size = sqrt(square);
  const double quadratic = data.force > 0.0 ? data.force / (data.speed * data.speed) : 0.0;
  const T factor = size * quadratic + T(data.damping);
  out.on_b.force = v * -factor;
  out.on_a.force = -out.on_b.force;
  out.on_a.moment = W.cross(out.on_a.force);
  out.channels[0] = size;
  out.channels[1] = factor * size;
}

}  // namespace gelenk::mechanics
