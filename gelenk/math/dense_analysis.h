#pragma once

#include <complex>

#include "gelenk/math/vector.h"

// What small dense matrices are asked for, beside solving.
namespace gelenk {

struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // in columns
};
Eigensystem eigensystem(const Eigen::MatrixXd& A);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

// Of (A + Aᵀ) / 2, smallest value first.
struct SymmetricEigensystem {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigensystem symmetric_eigensystem(const Eigen::MatrixXd& A);

// The shortest x with the smallest |A x - b|. Pivots below `tolerance` times the largest count as zero.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance);
// Orthonormal columns that span the rows of A, by the same rule.
Eigen::MatrixXd row_space(const Eigen::MatrixXd& A, double tolerance);

// Of a square matrix that has one.
Eigen::MatrixXd inverse_matrix(const Eigen::MatrixXd& A);
// C (s - A)⁻¹ B + D
Eigen::MatrixXcd transfer_matrix(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
                                 const Eigen::MatrixXd& D, std::complex<double> s);

}  // namespace gelenk
