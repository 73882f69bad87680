#pragma once

#include <complex>
#include <numbers>
#include <vector>

#include "gelenk/analysis/linear/small_motions.h"

namespace gelenk::analysis {

// The matrix of equations.md (13.2) without displacements that nothing answers to: y = Q y_r + ..., K y = 0 and B_q y =
// 0 for the rest. They only add zeros to the eigenvalues, which rounding would turn into slow motions.
struct StateMatrix {
  Matrix A;  // of (y_r, z, s)
  Matrix Q;
  int neutral = 0;  // directions that were left out
};
StateMatrix state_matrix(const SmallMotions& motions);

// One way in which a machine moves by itself near where it rests: e^λt times a shape, a pair λ, λ* counted once.
struct Mode {
  std::complex<double> eigenvalue;  // 1/s; imaginary part not negative
  Eigen::VectorXcd shape;           // displacements and turns of the bodies, six each; the largest is 1 or 1 rad
  Vector energy;                    // shares of the kinetic energy, as the shape
  bool is_of_states = false;        // the bodies hardly move: a state of the model fades or grows

  double frequency() const { return eigenvalue.imag() / (2.0 * std::numbers::pi); }  // Hz; 0: no oscillation
  // Part of critical damping; negative: it grows.
  double damping() const;
};

// Slow ones first. Directions in which the machine can rest anywhere, such as the turning of a free wheel, are counted,
// not listed.
struct Modes {
  std::vector<Mode> list;
  int neutral = 0;
};
Modes modes(const SmallMotions& motions, double length);

// How fast the fastest growing motion grows, 1/s; 0: none does.
double fastest_growth(const SmallMotions& motions);

}  // namespace gelenk::analysis
