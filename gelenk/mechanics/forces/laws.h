#pragma once

#include "gelenk/mechanics/forces/force_kernel.h"
#include "gelenk/model/forces/coordinate_law.h"
#include "gelenk/model/forces/hard_force.h"
#include "gelenk/model/forces/line_law.h"
#include "gelenk/model/forces/pulley_cable.h"

// Forces whose value is a formula: all of them with one kernel for what they act on.
namespace gelenk::mechanics {

template <class T>
void evaluate(const model::CoordinateLaw&, const ForceInput<T>& in, ForceResult<T>& out) {
  out.effort = in.value;
  out.channels[0] = in.value;
  out.channels[1] = in.value * in.rate;
}

// What it does is not a function of the motion.
template <class T>
void evaluate(const model::HardForce&, const ForceInput<T>&, ForceResult<T>&) {}

// Pull along the line of the two origins. Where they coincide the line has no direction and there is no force.
template <class T>
void evaluate(const model::LineLaw&, const ForceInput<T>& in, ForceResult<T>& out) {
  using std::sqrt;
  const Vec3<T> W = in.b.p - in.a.p;
  const T square = W.dot(W);
  if (vanishes(square)) return;
  const T length = sqrt(square);
  out.channels[0] = length;
  const Vec3<T> e = W / length;
  out.on_a.force = e * in.value;
  out.on_b.force = -out.on_a.force;
  out.channels[1] = e.dot(in.b.v - in.a.v);
  out.channels[2] = in.value;
}

// A section of a cable that knows its tension, but not the length of the others.
template <class T>
void evaluate(const model::PulleyCable&, const ForceInput<T>& in, ForceResult<T>& out) {
  evaluate(model::LineLaw{}, in, out);
  out.channels = {in.value};
}

}  // namespace gelenk::mechanics
