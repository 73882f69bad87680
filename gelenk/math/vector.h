#pragma once

#include <limits>

#include "gelenk/math/dual.h"
#include "gelenk/math/pose.h"

// Three-dimensional algebra over any scalar: double for numbers, Dual<N> for numbers with their exact derivatives.

namespace Eigen {

template <int N>
struct NumTraits<gelenk::Dual<N>> : NumTraits<double> {
  using Real = gelenk::Dual<N>;
  using NonInteger = gelenk::Dual<N>;
  using Nested = gelenk::Dual<N>;
  using Literal = double;
  // NOLINTBEGIN(readability-identifier-naming): the names that Eigen asks for
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = N,
    MulCost = N
  };
  // NOLINTEND(readability-identifier-naming)
};

}  // namespace Eigen

namespace gelenk {

template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Mat3 = Eigen::Matrix<T, 3, 3>;

// The matrix of a cross product: skew(a) * b = a × b.
template <class T>
Mat3<T> skew(const Vec3<T>& a) {
  Mat3<T> result;
  result << T(0.0), -a.z(), a.y(), a.z(), T(0.0), -a.x(), -a.y(), a.x(), T(0.0);
  return result;
}

}  // namespace gelenk
