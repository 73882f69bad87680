#pragma once

#include "gelenk/math/vector.h"
#include "gelenk/mechanics/force_derivatives.h"
#include "gelenk/solve/implicit_node.h"

namespace gelenk::analysis {

// The three rotational numbers of a row, times T.
inline void turn_columns(const Matrix3& T, double* rotational) {
  const Vector3 row = Vector3::Map(rotational);
  Eigen::Map<Vector3>{rotational} = T.transpose() * row;
}

// A row, given by the motion of a port or on it, as one of the body that carries the port: the row times X, arm s,
// l·(v + ω × s) + m·ω = l·v + (m + s × l)·ω.
inline void shift_row(const double* arm, double* row) {
  Eigen::Map<Vector3>{row + 3} += Vector3::Map(arm).cross(Vector3::Map(row));
}

// The columns of a block that is given by the motion of a port, as those by its body. `turning`: what a small turn of
// the body does to the velocity of the port.
void shift_columns(const double* arm, const Matrix3& turning, mechanics::ForceBlock& block);
// The rows of a block that acts on a port, as those on its body.
void shift_rows(const double* arm, mechanics::ForceBlock& block);

// How a port moves with the unknowns x = (a, δ) of its body, in units of the gains: with the true turn T δ,
//   position (a + T δ × s, T δ),   velocity (a + δ × s, δ) and what the turn of the arm adds: `turning` T δ.
void map_port(const double* arm, const Matrix3& T, const Matrix3& turning, solve::ImplicitNode::PortMap& map);

// The block of a body on itself loses ∂(J α)/∂θ with J = R J_B Rᵀ: J α× - (J α)×, as a turn δ changes J by δ× J - J δ×.
void subtract_inertia(const Matrix3& J, const Vector3& alpha, mechanics::ForceBlock& block);

}  // namespace gelenk::analysis
