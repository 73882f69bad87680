#include "gelenk/analysis/state_newton.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"

namespace gelenk::analysis {

void StateNewton::put_stage(double gain, std::span<const double> known, std::span<double> rates) {
  if (system_.states.empty()) return;
  weight_ = gain;
  sides_.assign(system_.extra.count(system::StateKind::first_order), 0.0);
  for (const system::IntegratedState& state : system_.states) {
    const std::size_t i = at(state.place);
    sides_[i] = rates[i] - known[i];
    rates[i] = known[i];
  }
}

void StateNewton::put_newton(std::span<const double> r) {
  if (system_.states.empty()) return;
  weight_ = 1.0;
  sides_.assign(system_.extra.count(system::StateKind::first_order), 0.0);
  for (const system::IntegratedState& state : system_.states) sides_[at(state.place)] = r[at(state.place)];
}

void StateNewton::add_forces(ImplicitEquations& equations, std::span<double> forces) {
  if (system_.states.empty()) return;
  scaled_.resize(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) scaled_[i] = weight_ * sides_[i];
  equations.add_state_forces(scaled_, forces);
}

// δẋ = N (f - ẋ + B δ).
double StateNewton::take_stage(ImplicitEquations& equations, const integrate::Stage& stage,
                               std::span<const double> accelerations, const system::State& state,
                               std::span<double> rates) {
  if (system_.states.empty()) return 0.0;
  const std::size_t bodies = system_.bodies.size();
  displacements_.resize(6 * bodies);
  velocities_.resize(6 * bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const a = &accelerations[6 * b];
    const Vector3 turn = stage.position_gain * Vector3::Map(a + 3);
    Eigen::Map<Vector3>{&displacements_[6 * b]} = stage.position_gain * Vector3::Map(a);
    Eigen::Map<Vector3>{&displacements_[6 * b + 3]} = equations.true_turn(b, turn);
    for (std::size_t k = 0; k < 6; ++k) velocities_[6 * b + k] = stage.velocity_gain * a[k];
  }
  equations.solve_states(1.0, displacements_, velocities_, sides_);
  double change = 0.0;
  for (const system::IntegratedState& one : system_.states) {
    const std::size_t i = at(one.place);
    rates[i] += sides_[i];
    const double moved = std::abs(stage.velocity_gain * sides_[i]);
    if (!std::isfinite(moved)) return moved;
    change = std::max(change, moved / (params_.extra_scales[i] + std::abs(state.extra[i])));
  }
  return change;
}

// δx = N (r + γ B δ).
void StateNewton::take_newton(ImplicitEquations& equations, double gain, const Motion& motion, std::span<double> r) {
  if (system_.states.empty()) return;
  const std::size_t size = 6 * system_.bodies.size();
  displacements_.resize(size);
  velocities_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    displacements_[i] = motion.known_displacements[i] + gain * gain * motion.accelerations[i];
    velocities_[i] = motion.known_velocities[i] + gain * motion.accelerations[i];
  }
  equations.solve_states(gain, displacements_, velocities_, r);
}

}  // namespace gelenk::analysis
