#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gelenk/analysis/equations.h"
#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/math/vector.h"
#include "gelenk/mechanics/state_derivatives.h"
#include "gelenk/solve/pivot_set.h"

// Small motions of a machine about a pose in which it is at rest (docs/theory/equations.md, section 13).
namespace gelenk::analysis {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// With y and z how far and how fast the machine moves in directions that its joints allow, δq = N_q y and δv = N_v z,
// and s the states of the model,
//
//   ẏ = N_qᵀ M N_v z,   ż = f - K y - C z + E s,   ṡ = r + B_q y + B_v z + A_s s.    equations.md (13.2)
//
// Columns of N_q and N_v are motions of the bodies, six numbers each: displacement or velocity of the center of mass,
// turn or angular velocity; world axes. They are orthonormal in the mass metric, NᵀMN = 1. The first columns of N_q are
// those of N_v; what follows is held by rows of velocities alone, as a wheel that rolls is held sideways.
struct SmallMotions {
  Matrix N_q, N_v;
  Matrix K, C, E, B_q, B_v, A_s;
  Vector f, r;    // at the pose: zero where the machine can stay
  Vector masses;  // diagonal of M, world axes
};

class SmallMotionSolver {
 public:
  // Machines without sealed components and without code in C.
  SmallMotionSolver(const system::System& system, const system::Params& params, double rank_tolerance);

  // In a state on the constraints whose velocities are zero.
  SmallMotions linearize(const system::State& state);
  // Moves a state by d, six per body, and back onto the constraints; its velocities are then zero. False when joints
  // cannot be closed there, or when drivers move.
  bool move(system::State& state, std::span<const double> d);
  // Largest acceleration of the last linearize() that no free motion has: that of drivers; likewise per second.
  double driven_acceleration() const { return driven_acceleration_; }
  // Largest velocity that the last move() had to take away; m/s with the size of the machine, rad/s.
  double driven_speed() const { return driven_speed_; }

  // The states s, of System::states: those on which the motion depends.
  std::span<const std::int32_t> states() const { return states_of_motion_; }
  // M v, six per body, at the state of the last linearize().
  Vector momentum(const Vector& v) const;

 private:
  Matrix allowed_motions();
  void add_motions_of_velocity_rows(std::span<const std::int32_t> accepted, Matrix& motions);
  double largest(std::span<const double> motion) const;
  bool add_orthonormal(Vector motion, Matrix& motions) const;
  void put_states(const system::State& state, SmallMotions& result);

  const system::System& system_;
  const system::Params& params_;
  Equations equations_;
  ImplicitEquations implicit_;
  mechanics::StateDerivatives states_;
  std::vector<std::int32_t> states_of_motion_;
  solve::PivotSet pivots_;
  std::vector<double> accelerations_, multipliers_, forces_, zero_rows_;
  std::vector<Matrix3> inertias_;  // of the bodies, world axes
  double driven_speed_ = 0.0, driven_acceleration_ = 0.0;
};

}  // namespace gelenk::analysis
