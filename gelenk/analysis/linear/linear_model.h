#pragma once

#include <complex>
#include <string>
#include <vector>

#include "gelenk/analysis/linear/small_motions.h"

// A machine near a pose in which it rests, as control engineers want it (docs/theory/equations.md, section 13):
//
//   ẋ = A x + B u,   y = C x + D u
namespace gelenk::analysis {

struct LinearModel {
  Matrix A, B, C, D;
  // x: joint coordinates that are independent, parts where these do not suffice; their rates; states of the model
  std::vector<std::string> states;
  std::vector<std::string> inputs, outputs;
  Vector start;  // of the outputs
  int evaluations = 0;
};

// About a state that SmallMotionSolver::move() or find_equilibrium() has left: on the constraints, velocities zero. A
// is exact; derivatives by inputs, and of outputs, are central differences.
LinearModel linear_model(const system::System& system, const system::Params& params,
                         const std::vector<std::string>& input_names, const system::State& state,
                         double rank_tolerance);

// C (s - A)⁻¹ B + D at s = iω, for one input (in columns) and one output (in rows).
Eigen::MatrixXcd frequency_response(const LinearModel& model, double omega);

}  // namespace gelenk::analysis
