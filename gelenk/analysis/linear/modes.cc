#include "gelenk/analysis/linear/modes.h"

#include <algorithm>
#include <cmath>

#include "gelenk/math/dense_analysis.h"

namespace gelenk::analysis {
namespace {

// Of the fastest eigenvalue.
constexpr double kZero = 1e-11;
constexpr double kRounding = 1e-10;
constexpr double kNoAnswer = 1e-12;  // of the stiffest direction
// K of a machine in which nothing is stiff is the rounding of its weight: less than this is none, 1/s².
constexpr double kNoStiffness = 1e-12;
constexpr double kStandstill = 1e-9;  // 1/s
constexpr double kStill = 1e-6;       // of the whole eigenvector

double fastest_of(const Eigen::VectorXcd& eigenvalues) {
  return eigenvalues.size() == 0 ? 0.0 : eigenvalues.cwiseAbs().maxCoeff();
}

// With all displacements: y = ∫ N_qᵀ M N_v z, and z is in the eigenvector.
Eigen::VectorXcd shape_of(const SmallMotions& m, const Eigen::VectorXcd& eigenvector, Eigen::Index first_velocity,
                          std::complex<double> eigenvalue) {
  return m.N_v * eigenvector.segment(first_velocity, m.N_v.cols()) / eigenvalue;
}

}  // namespace

double Mode::damping() const {
  const double size = std::abs(eigenvalue);
  return eigenvalue.real() == 0.0 ? 0.0 : -eigenvalue.real() / size;
}

StateMatrix state_matrix(const SmallMotions& m) {
  const Eigen::Index q = m.N_q.cols(), v = m.N_v.cols(), s = m.A_s.cols();
  // What displacements do: rows of states have units of their own.
  Matrix answers(v + s, q);
  answers << m.K, m.B_q;
  const double stiffest = m.K.size() > 0 ? m.K.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = v; i < v + s; ++i) {
    const double size = q > 0 ? answers.row(i).cwiseAbs().maxCoeff() : 0.0;
    if (size > 0.0) answers.row(i) *= (stiffest > 0.0 ? stiffest : 1.0) / size;
  }
  StateMatrix result;
  const double largest = answers.size() > 0 ? answers.cwiseAbs().maxCoeff() : 0.0;
  result.Q = largest > kNoStiffness ? row_space(answers, std::max(kNoAnswer, kNoStiffness / largest))
                                    : Matrix(Matrix::Zero(q, 0));
  const Eigen::Index r = result.Q.cols();
  result.neutral = static_cast<int>(q - r);
  result.A.setZero(r + v + s, r + v + s);
  // ẏ = N_qᵀ M N_v z: the first columns of N_q are those of N_v, and all are orthonormal.
  result.A.block(0, r, r, v) = result.Q.transpose().leftCols(v);
  result.A.block(r, 0, v, r) = -m.K * result.Q;
  result.A.block(r, r, v, v) = -m.C;
  result.A.block(r, r + v, v, s) = m.E;
  result.A.block(r + v, 0, s, r) = m.B_q * result.Q;
  result.A.block(r + v, r, s, v) = m.B_v;
  result.A.block(r + v, r + v, s, s) = m.A_s;
  return result;
}

Modes modes(const SmallMotions& motions, double length) {
  Modes result;
  const StateMatrix reduced = state_matrix(motions);
  result.neutral = reduced.neutral;
  if (reduced.A.size() == 0) return result;
  const auto [values, vectors] = eigensystem(reduced.A);
  const double fastest = fastest_of(values);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values[i].imag() < 0.0) continue;
    if (std::abs(values[i]) <= std::max(kZero * fastest, kStandstill)) continue;  // the velocity of a neutral direction
    const Eigen::VectorXcd eigenvector = vectors.col(i);
    Mode mode;
    mode.eigenvalue = values[i];
    if (std::abs(mode.eigenvalue.real()) < kRounding * fastest) mode.eigenvalue.real(0.0);
    mode.shape = shape_of(motions, eigenvector, reduced.Q.cols(), values[i]);
    double largest = 0.0;
    std::complex<double> of_largest = 1.0;
    for (Eigen::Index k = 0; k < mode.shape.size(); ++k) {
      const double size = std::abs(mode.shape[k]) * (k % 6 < 3 ? 1.0 / length : 1.0);
      if (size <= largest) continue;
      largest = size;
      of_largest = mode.shape[k];
    }
    mode.is_of_states = largest <= kStill * eigenvector.norm();
    if (!mode.is_of_states) mode.shape /= of_largest;
    mode.energy = motions.masses.cwiseProduct(mode.shape.cwiseAbs2());
    if (const double all = mode.energy.sum(); all > 0.0) mode.energy /= all;
    result.list.push_back(std::move(mode));
  }
  std::stable_sort(result.list.begin(), result.list.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  return result;
}

double fastest_growth(const SmallMotions& motions) {
  const Eigen::VectorXcd values = eigenvalues(state_matrix(motions).A);
  const double zero = std::max(kRounding * fastest_of(values), kStandstill);
  double growth = 0.0;
  for (const std::complex<double>& value : values) {
    if (value.real() > zero) growth = std::max(growth, value.real());
  }
  return growth;
}

}  // namespace gelenk::analysis
