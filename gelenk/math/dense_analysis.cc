#include "gelenk/math/dense_analysis.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace gelenk {

Eigensystem eigensystem(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {};
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

SymmetricEigensystem symmetric_eigensystem(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (A + A.transpose()));
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance) {
  if (A.size() == 0) return Eigen::VectorXd::Zero(A.cols());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(tolerance);
  solver.compute(A);
  return solver.solve(b);
}

Eigen::MatrixXd row_space(const Eigen::MatrixXd& A, double tolerance) {
  if (A.size() == 0) return Eigen::MatrixXd::Zero(A.cols(), 0);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(tolerance);
  qr.compute(A.transpose());
  return Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
}

Eigen::MatrixXd inverse_matrix(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return A;
  return A.partialPivLu().inverse();
}

Eigen::MatrixXcd transfer_matrix(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
                                 const Eigen::MatrixXd& D, std::complex<double> s) {
  Eigen::MatrixXcd result = D.cast<std::complex<double>>();
  if (A.size() == 0) return result;
  Eigen::MatrixXcd pencil = -A.cast<std::complex<double>>();
  pencil.diagonal().array() += s;
  result += C.cast<std::complex<double>>() * pencil.partialPivLu().solve(B.cast<std::complex<double>>());
  return result;
}

}  // namespace gelenk
