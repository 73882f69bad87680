#include "gelenk/analysis/equations.h"

#include <algorithm>
#include <cmath>

#include "gelenk/math/rotation.h"

namespace gelenk::analysis {
namespace {

// Rounding of positions and velocities in a machine of ordinary size: below it a projection cannot improve. Near a
// singular pose a residual e leaves an error of e/√d in the motion, d the smallest pivot, and more is asked for.
constexpr double kRounding = 1e-13;
// A further sweep must bring at least this much.
constexpr double kWorthwhile = 3.0;
constexpr int kMostSweeps = 10;
constexpr int kMostFactorizations = 5;
// A joint that stays open by more than this (m, rad) after a projection is not closed: a thousand times what rounding
// leaves in a large machine.
constexpr double kStillOpen = 1e-9;

}  // namespace

void retract(std::span<const double> d, system::State& state) {
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    const double* const step = &d[6 * b];
    state.position[b] += Vector3(step[0], step[1], step[2]);
    state.orientation[b] = turned(state.orientation[b], Vector3(step[3], step[4], step[5]));
  }
}

Equations::Equations(const system::System& system, const system::Params& params, solve::FlatOptions options)
    : system_(system),
      params_(params),
      workspace_(system),
      solver_(system.bodies.size(), system.row_bodies, options),
      zeros_(6 * system.bodies.size(), 0.0),
      row_values_(system.rows.size(), 0.0),
      right_side_(system.rows.size(), 0.0),
      motion_(6 * system.bodies.size(), 0.0),
      multipliers_(system.rows.size(), 0.0),
      free_accelerations_(6 * system.bodies.size(), 0.0) {}

void Equations::load(const system::State& state) {
  const mechanics::Context context{system_, params_, state};
  mechanics::update_positions(context, workspace_);
  mechanics::update_velocities(context, workspace_);
  mechanics::update_drivers(context, workspace_);
  mechanics::update_rows(context, workspace_);
}

solve::PivotChange Equations::factor(solve::PivotSet& pivots) {
  return solver_.factor(workspace_.inverse_masses, workspace_.blocks, rank_tolerance_, pivots);
}

solve::SweepReport Equations::solve_accelerations(const system::State& state, std::span<double> accelerations,
                                                  std::span<double> multipliers) {
  const mechanics::Context context{system_, params_, state};
  mechanics::update_forces(context, workspace_);
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const BodyInverseMass& m = workspace_.inverse_masses[b];
    const double* const f = &workspace_.forces[6 * b];
    double* const a = &free_accelerations_[6 * b];
    for (std::size_t k = 0; k < 3; ++k) {
      const double* const row = &m.inverse_inertia[3 * k];
      a[k] = m.inverse_mass * f[k];
      a[3 + k] = row[0] * f[3] + row[1] * f[4] + row[2] * f[5];
    }
  }
  mechanics::row_biases(context, workspace_, right_side_);
  return solver_.sweep(free_accelerations_, right_side_, accelerations, multipliers);
}

double Equations::largest_accepted(std::span<const double> values) const {
  double largest = 0.0;
  for (const std::int32_t row : solver_.accepted_rows()) {
    largest = std::max(largest, std::abs(values[static_cast<std::size_t>(row)]));
  }
  return largest;
}

double Equations::good_residual() const {
  return kRounding * std::sqrt(std::clamp(solver_.smallest_pivot(), 1e-14, 1.0));
}

// Newton steps with the factorization at hand (component method, ALGORITHM 4) until rounding is reached.
void Equations::project_positions(system::State& state) {
  const mechanics::Context context{system_, params_, state};
  mechanics::row_values(context, workspace_, row_values_);
  const double good = good_residual();
  double error = largest_accepted(row_values_);
  drift_.position_before = error;
  for (int sweep = 0; sweep < kMostSweeps && error > 0.0; ++sweep) {
    for (std::size_t i = 0; i < row_values_.size(); ++i) right_side_[i] = -row_values_[i];
    solver_.sweep(zeros_, right_side_, motion_, multipliers_);
    retract(motion_, state);
    mechanics::update_positions(context, workspace_);
    mechanics::row_values(context, workspace_, row_values_);
    const double now = largest_accepted(row_values_);
    const bool is_done = now <= good || now * kWorthwhile > error;
    error = now;
    if (is_done) break;
  }
  drift_.position_after = error;
  drift_.dropped = 0.0;
  for (const std::int32_t row : solver_.dropped_rows()) {
    drift_.dropped = std::max(drift_.dropped, std::abs(row_values_[static_cast<std::size_t>(row)]));
  }
}

bool Equations::project(system::State& state, solve::PivotSet& pivots, FactorPose& pose) {
  const auto factor_here = [&] {
    pose.position = state.position;
    pose.orientation = state.orientation;
    pose.time = state.time;
    pose.extra.assign(state.extra.data(), state.extra.data() + system_.motion_extra_count());
    pose.is_set = true;
    load(state);
    factor(pivots);
  };
  factor_here();
  project_positions(state);
  // Far from the constraints the factorization of the first pose does not carry all the way.
  const double first_error = drift_.position_before;
  for (int i = 1; i < kMostFactorizations && drift_.position_after > kStillOpen; ++i) {
    factor_here();
    project_positions(state);
  }
  drift_.position_before = first_error;
  if (!(drift_.position_after <= kStillOpen * std::max(1.0, params_.length))) return false;

  const mechanics::Context context{system_, params_, state};
  mechanics::update_velocities(context, workspace_);
  mechanics::update_drivers(context, workspace_);
  mechanics::update_rows(context, workspace_);
  refresh();
  mechanics::row_rates(context, workspace_, row_values_);
  const double good = good_residual();
  double error = largest_accepted(row_values_);
  for (int sweep = 0; sweep < kMostSweeps && error > 0.0; ++sweep) {
    for (std::size_t i = 0; i < row_values_.size(); ++i) right_side_[i] = -row_values_[i];
    solver_.sweep(zeros_, right_side_, motion_, multipliers_);
    for (std::size_t i = 0; i < motion_.size(); ++i) state.velocity[i] += motion_[i];
    mechanics::update_velocities(context, workspace_);
    mechanics::row_rates(context, workspace_, row_values_);
    const double now = largest_accepted(row_values_);
    const bool is_done = now <= good || now * kWorthwhile > error;
    error = now;
    if (is_done) break;
  }
  drift_.velocity_after = error;
  mechanics::settle_angles(system_, workspace_, state);
  mechanics::update_drivers(context, workspace_);  // their accelerations follow the velocities
  return std::isfinite(error);
}

}  // namespace gelenk::analysis
