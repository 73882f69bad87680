#include "gelenk/math/small_dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

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

bool pseudo_inverse(std::span<const double> A, std::size_t n, double threshold, std::span<double> out) {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<RowMajor> inverse(out.data(), size, size);
  const Eigen::MatrixXd matrix = matrix_of(A, n);
  inverse.setZero();
  if (!matrix.allFinite()) return false;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(threshold);
  inverse = solver.compute(matrix).pseudoInverse();
  return inverse.allFinite();
}

bool damped_step(std::span<const double> A, std::size_t n, double damping, std::span<const double> r,
                 std::span<double> out) {
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::VectorXd> right(r.data(), size);
  Eigen::Map<Eigen::VectorXd> step(out.data(), size);
  const auto matrix = matrix_of(A, n);
  Eigen::MatrixXd square = matrix.transpose() * matrix;
  constexpr double kLeast = 1e-13;  // of the largest, where nothing else is on the diagonal
  const double least = kLeast * square.diagonal().maxCoeff();
  square.diagonal() += Eigen::VectorXd(damping * square.diagonal() + Eigen::VectorXd::Constant(size, least));
  step = -square.ldlt().solve(matrix.transpose() * right);
  return step.allFinite();
}

WeakestWay weakest_way(std::span<const double> A, std::size_t n) {
  if (n == 0) return {1.0, {}};
  const Eigen::MatrixXd matrix = matrix_of(A, n);
  const Eigen::JacobiSVD<Eigen::MatrixXd> parts(matrix, Eigen::ComputeFullV);
  const Eigen::Index last = parts.singularValues().size() - 1;
  const double largest = parts.singularValues()(0);
  const Eigen::VectorXd direction = parts.matrixV().col(last);
  return {largest > 0.0 ? parts.singularValues()(last) / largest : 0.0,
          std::vector<double>(direction.data(), direction.data() + direction.size())};
}

LowestMode lowest_mode(std::span<const double> A, std::size_t n) {
  if (n == 0) return {};
  const Eigen::MatrixXd matrix = matrix_of(A, n);
  const Eigen::MatrixXd symmetric = 0.5 * (matrix + matrix.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(symmetric);
  const Eigen::VectorXd direction = modes.eigenvectors().col(0);
  const double size = matrix.norm();
  return {modes.eigenvalues()(0), modes.eigenvalues().cwiseAbs().maxCoeff(),
          size > 0.0 ? (matrix - matrix.transpose()).norm() / size : 0.0,
          std::vector<double>(direction.data(), direction.data() + direction.size())};
}

}  // namespace gelenk
