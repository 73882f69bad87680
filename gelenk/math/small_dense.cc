#include "gelenk/math/small_dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace gelenk {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> matrix_of(std::span<const double> A, std::size_t n) {
  return {A.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)};
}

}  // namespace

bool invert_dense(std::span<const double> A, std::size_t n, std::span<double> out) {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<RowMajor> inverse(out.data(), size, size);
  inverse = matrix_of(A, n).partialPivLu().inverse();
  return inverse.allFinite();
}

FastestMode fastest_mode(std::span<const double> A, std::size_t n) {
  const Eigen::MatrixXd matrix = matrix_of(A, n);
  if (n == 0 || !matrix.allFinite()) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  if (solver.info() != Eigen::Success) return {};
  Eigen::Index mode = 0;
  const double size = solver.eigenvalues().cwiseAbs().maxCoeff(&mode);
  if (!(size > 0.0)) return {};
  Eigen::Index coordinate = 0;
  solver.eigenvectors().col(mode).cwiseAbs().maxCoeff(&coordinate);
  return {size, static_cast<std::size_t>(coordinate)};
}

}  // namespace gelenk
