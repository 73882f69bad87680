#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/force.h"

namespace gelenk::mechanics {

// On the second frame; its opposite, on the same line of action, on the part of the first.
template <class T>
void evaluate(const model::Force&, const ForceInput<T>& in, ForceResult<T>& out) {
  out.on_b.force = in.direction * in.value;
  if (in.has_a) {
    out.on_a.force = -out.on_b.force;
    out.on_a.moment = Vec3<T>(in.b.p - in.a.p).cross(out.on_a.force);
  }
  out.channels[0] = in.value;
}

}  // namespace gelenk::mechanics
