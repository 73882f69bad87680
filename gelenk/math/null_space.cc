#include "gelenk/math/null_space.h"

#include <Eigen/QR>

namespace gelenk {

NullSpace null_space(const MatrixX& G, double tolerance) {
  const Eigen::Index n = G.cols();
  if (G.rows() == 0) return {0, MatrixX::Identity(n, n)};
  Eigen::ColPivHouseholderQR<MatrixX> qr(G.transpose());
  qr.setThreshold(tolerance);
  const Eigen::Index rank = qr.rank();
  // The columns of Q behind the rank are orthogonal to all rows of G.
  MatrixX tail = MatrixX::Zero(n, n - rank);
  tail.bottomRows(n - rank).setIdentity();
  tail.applyOnTheLeft(qr.householderQ());
  return {rank, std::move(tail)};
}

}  // namespace gelenk
