#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/rotational_spring_damper.h"

namespace gelenk::mechanics {

template <class T>
void evaluate(const model::RotationalSpringDamper& data, const ForceInput<T>& in, ForceResult<T>& out) {
  const T twist = in.coordinate - data.free_angle;
  out.effort = -(twist * data.stiffness + in.rate * data.damping);
  out.channels[0] = out.effort;
  out.potential = twist * twist * (0.5 * data.stiffness);
}

}  // namespace gelenk::mechanics
