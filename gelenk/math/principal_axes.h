#pragma once

#include "gelenk/math/pose.h"

namespace gelenk {

// S = sum of values[i] axes.col(i) axes.col(i)ᵀ, smallest value first. Axes are orthonormal; their signs mean nothing.
struct PrincipalAxes {
  Vector3 values;
  Matrix3 axes;
};

// Of a symmetric matrix of finite numbers; only its lower triangle is read.
PrincipalAxes principal_axes(const Matrix3& S);

}  // namespace gelenk
