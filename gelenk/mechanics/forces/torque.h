#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/torque.h"

namespace gelenk::mechanics {

template <class T>
void evaluate(const model::Torque&, const ForceInput<T>& in, ForceResult<T>& out) {
  out.on_b.moment = in.direction * in.value;
  if (in.has_a) out.on_a.moment = -out.on_b.moment;
  out.channels[0] = in.value;
}

}  // namespace gelenk::mechanics
