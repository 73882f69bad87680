#pragma once

#include <array>
#include <cmath>

#include "gelenk/math/vector.h"

namespace gelenk::mechanics {

// A unit quaternion w, x, y, z of a rotation matrix.
template <class T>
std::array<T, 4> quaternion_elements(const Mat3<T>& R) {
  using std::sqrt;
  const double diagonal[] = {value_of(R.trace()), value_of(R(0, 0)), value_of(R(1, 1)), value_of(R(2, 2))};
  int largest = 0;
  for (int k = 1; k < 4; ++k) {
    if (diagonal[k] > diagonal[largest]) largest = k;
  }
  std::array<T, 4> q;
  if (largest == 0) {
    const T s = sqrt(R.trace() + T(1.0)) * T(2.0);
    q = {s * T(0.25), (R(2, 1) - R(1, 2)) / s, (R(0, 2) - R(2, 0)) / s, (R(1, 0) - R(0, 1)) / s};
  } else {
    const int i = largest - 1;
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const T s = sqrt(R(i, i) - R(j, j) - R(k, k) + T(1.0)) * T(2.0);
    q[0] = (R(k, j) - R(j, k)) / s;
    const auto element = [&q](int axis) -> T& { return q[1 + static_cast<std::size_t>(axis)]; };
    element(i) = s * T(0.25);
    element(j) = (R(j, i) + R(i, j)) / s;
    element(k) = (R(k, i) + R(i, k)) / s;
  }
  if (value_of(q[0]) < 0.0) {
    for (T& element : q) element = -element;
  }
  return q;
}

}  // namespace gelenk::mechanics
