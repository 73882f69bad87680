#include "gelenk/math/mass_properties.h"

#include <Eigen/Eigenvalues>

namespace gelenk {

MassProperties MassProperties::in_frame(const Pose& X_AP) const {
  return {mass, X_AP * center, X_AP.rotation * inertia * X_AP.rotation.transpose()};
}

MassProperties MassProperties::mirrored(const Matrix3& S) const {
  return {mass, S * center, S * inertia * S.transpose()};
}

Matrix3 point_inertia(double mass, const Vector3& p) {
  return mass * (p.squaredNorm() * Matrix3::Identity() - p * p.transpose());
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  // A body without mass has no say in the center, but a pure inertia (a rotor's) still counts.
  if (a.mass == 0.0) return {b.mass, b.center, a.inertia + b.inertia};
  if (b.mass == 0.0) return {a.mass, a.center, a.inertia + b.inertia};
  const double mass = a.mass + b.mass;
  if (mass == 0.0) return {};
  // With d = p_CaCb both parallel-axis terms melt into one of the reduced mass m_a m_b / (m_a + m_b); no large terms
  // cancel when the bodies are far from the part origin.
  const Vector3 d = b.center - a.center;
  return {mass, a.center + (b.mass / mass) * d, a.inertia + b.inertia + point_inertia(a.mass * (b.mass / mass), d)};
}

MassProperties scaled(const MassProperties& a, double factor) {
  return {factor * a.mass, a.center, factor * a.inertia};
}

InertiaCheck check_inertia(const Matrix3& inertia) {
  InertiaCheck check;
  if (!inertia.allFinite()) return check;
  const Matrix3 symmetric = 0.5 * inertia + 0.5 * inertia.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(symmetric, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return check;
  check.principal_moments = solver.eigenvalues();
  const Vector3& J = check.principal_moments;
  check.positive_definite = J[0] > 0.0 && J[0] > kDefiniteTolerance * J[2];
  check.triangle_inequality = J[0] + J[1] >= J[2] - kTriangleTolerance * J[2];
  return check;
}

}  // namespace gelenk
