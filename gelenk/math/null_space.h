#pragma once

#include "gelenk/math/pose.h"

namespace gelenk {

using MatrixX = Eigen::MatrixXd;
using VectorX = Eigen::VectorXd;

struct NullSpace {
  Eigen::Index rank = 0;
  MatrixX basis;  // orthonormal columns: all x with G x = 0
};

// Rank and null space of G by Householder QR of Gᵀ with column pivoting. A pivot below `tolerance` times the largest
// counts as zero. Dense: for matrices of some hundred rows.
NullSpace null_space(const MatrixX& G, double tolerance);

}  // namespace gelenk
