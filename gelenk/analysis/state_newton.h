#pragma once

#include <span>
#include <vector>

#include "gelenk/analysis/implicit_equations.h"
#include "gelenk/integrate/problem.h"

namespace gelenk::analysis {

// States of a machine in the iterations of implicit methods (equations.md (9.8) and (9.9)). They are
// eliminated: the matrix of the motion has what they do to it, and they follow from the solution. All numbers by places
// in State::extra. A machine without states is left alone.
class StateNewton {
 public:
  StateNewton(const system::System& system, const system::Params& params) : system_(system), params_(params) {}

  // A stage, x = … + gain ẋ. `rates`: f at the present states, becomes `known` again, the ẋ of the iteration.
  void put_stage(double gain, std::span<const double> known, std::span<double> rates);
  // A system of Newton, δx = r + γ δẋ.
  void put_newton(std::span<const double> r);
  // What that does to the forces, six per body and port. Needs the matrix.
  void add_forces(ImplicitEquations& equations, std::span<double> forces);

  // With the solution, six accelerations per body. Returns by how much states change, as a part of what they are.
  double take_stage(ImplicitEquations& equations, const integrate::Stage& stage, std::span<const double> accelerations,
                    const system::State& state, std::span<double> rates);
  // What of the motion is known, r_q + γ r_v and r_v, and the solution δa; six per body.
  struct Motion {
    std::span<const double> known_displacements, known_velocities, accelerations;
  };
  // `r` becomes δx.
  void take_newton(ImplicitEquations& equations, double gain, const Motion& motion, std::span<double> r);

 private:
  const system::System& system_;
  const system::Params& params_;
  std::vector<double> sides_;   // right side
  double weight_ = 1.0;         // that makes N times it a change of the states
  std::vector<double> scaled_;  // kept so that steps allocate nothing, like the next ones
  std::vector<double> displacements_, velocities_;
};

}  // namespace gelenk::analysis
