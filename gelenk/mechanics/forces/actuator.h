#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/actuator.h"

namespace gelenk::mechanics {

template <class T>
void evaluate(const model::Actuator&, const ForceInput<T>& in, ForceResult<T>& out) {
  out.effort = in.value;
  out.channels[0] = in.value;
  out.channels[1] = in.value * in.rate;
}

}  // namespace gelenk::mechanics
