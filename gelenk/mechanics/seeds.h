#pragma once

#include <cstddef>

#include "gelenk/math/dual.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/motion.h"

// Derivatives that a View begins with.
namespace gelenk::mechanics {

// Of a motion by itself: displacement, small turn, velocity, angular velocity; world axes.
template <class T>
void seed_twelve(const Motion<double>& m, Motion<T>& out) {
  for (int k = 0; k < 3; ++k) {
    const auto direction = static_cast<std::size_t>(k);
    out.p(k).partials[direction] = 1.0;
    out.v(k).partials[6 + direction] = 1.0;
    out.w(k).partials[9 + direction] = 1.0;
    const Matrix3 turned = skew<double>(Vector3::Unit(k)) * m.R;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) out.R(r, c).partials[3 + direction] = turned(r, c);
    }
  }
}
// Along itself, by time.
template <class T>
void seed_along(const Motion<double>& m, Motion<T>& out) {
  const Matrix3 turned = skew<double>(m.w) * m.R;
  for (int r = 0; r < 3; ++r) {
    out.p(r).partials[0] = m.v(r);
    for (int c = 0; c < 3; ++c) out.R(r, c).partials[0] = turned(r, c);
  }
}

}  // namespace gelenk::mechanics
