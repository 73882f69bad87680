#include "gelenk/math/principal_axes.h"

#include <Eigen/Eigenvalues>

namespace gelenk {

PrincipalAxes principal_axes(const Matrix3& S) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(S);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace gelenk
