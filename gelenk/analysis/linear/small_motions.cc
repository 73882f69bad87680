#include "gelenk/analysis/linear/small_motions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/switches.h"

namespace gelenk::analysis {
namespace {

// A direction that others leave less of than this is one of them.
constexpr double kDependent = 1e-8;
constexpr int kMostTries = 20;

// Numbers without a pattern, the same in every run.
class Noise {
 public:
  double next() {
    x_ = 1664525u * x_ + 1013904223u;
    return static_cast<double>(x_ >> 8) / 16777216.0 - 0.5;
  }

 private:
  std::uint32_t x_ = 12345;
};

std::span<double> numbers(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<const double> numbers(const Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

Vector column(const Matrix& m, Eigen::Index j) { return m.col(j); }

}  // namespace

SmallMotionSolver::SmallMotionSolver(const system::System& system, const system::Params& params, double rank_tolerance)
    : system_(system),
      params_(params),
      equations_(system, params, Partitioning::none),
      implicit_(system, params, equations_.workspace().ports, nullptr),
      states_(system, equations_.workspace().ports),
      states_of_motion_(mechanics::states_of_motion(system)),
      accelerations_(6 * system.bodies.size()),
      multipliers_(system.row_count()),
      forces_(equations_.workspace().forces.size()),
      zero_rows_(system.row_count()) {
  equations_.set_rank_tolerance(rank_tolerance);
}

Vector SmallMotionSolver::momentum(const Vector& v) const {
  Vector result(v.size());
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(6 * b);
    result.segment<3>(i) = params_.bodies[b].mass * v.segment<3>(i);
    result.segment<3>(i + 3) = inertias_[b] * v.segment<3>(i + 3);
  }
  return result;
}

// Of six numbers per body: lengths of the machine and rad.
double SmallMotionSolver::largest(std::span<const double> motion) const {
  double result = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    result = std::max(result, std::abs(motion[i]) / (i % 6 < 3 ? params_.length : 1.0));
  }
  return result;
}

// Takes out of a motion what the others have of it, twice for rounding, and appends the rest with NᵀMN = 1. False when
// nothing is left.
bool SmallMotionSolver::add_orthonormal(Vector motion, Matrix& motions) const {
  const double size = std::sqrt(motion.dot(momentum(motion)));
  for (int i = 0; i < 2; ++i) motion -= motions * (motions.transpose() * momentum(motion));
  const double left = std::sqrt(motion.dot(momentum(motion)));
  if (!(left > kDependent * size)) return false;
  motions.conservativeResize(motion.size(), motions.cols() + 1);
  motions.col(motions.cols() - 1) = motion / left;
  return true;
}

// Any motions, brought onto the joints by the mass metric: as many as there are freedoms span all of them.
Matrix SmallMotionSolver::allowed_motions() {
  const auto size = static_cast<Eigen::Index>(6 * system_.bodies.size());
  const auto count = size - static_cast<Eigen::Index>(equations_.solver().rank());
  Noise noise;
  Matrix motions(size, 0);
  for (int tries = 0; motions.cols() < count && tries < kMostTries + count; ++tries) {
    Vector motion(size);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const auto i = static_cast<Eigen::Index>(6 * b);
      const Vector3 linear(noise.next(), noise.next(), noise.next());
      const Vector3 angular(noise.next(), noise.next(), noise.next());
      motion.segment<3>(i) = linear / std::sqrt(params_.bodies[b].mass);
      motion.segment<3>(i + 3) = angular.cwiseQuotient(inertias_[b].diagonal().cwiseSqrt());
    }
    const Vector free = motion;
    equations_.solver().project(numbers(free), zero_rows_, numbers(motion), {});
    add_orthonormal(std::move(motion), motions);
  }
  return motions;
}

// The motion that one row of velocities alone forbids is one in which the machine can be displaced.
void SmallMotionSolver::add_motions_of_velocity_rows(std::span<const std::int32_t> accepted, Matrix& motions) {
  const std::vector<double> no_forces(accelerations_.size(), 0.0);
  for (const std::int32_t row : accepted) {
    if (!system_.is_row_of_velocity(row)) continue;
    Vector motion(static_cast<Eigen::Index>(accelerations_.size()));
    zero_rows_[at(row)] = 1.0;
    equations_.solver().solve(no_forces, zero_rows_, numbers(motion), {});
    zero_rows_[at(row)] = 0.0;
    add_orthonormal(std::move(motion), motions);
  }
}

void SmallMotionSolver::put_states(const system::State& state, SmallMotions& result) {
  const auto count = static_cast<Eigen::Index>(states_of_motion_.size());
  const Eigen::Index q = result.N_q.cols(), v = result.N_v.cols();
  result.E.setZero(v, count);
  result.B_q.setZero(count, q);
  result.B_v.setZero(count, v);
  result.A_s.setZero(count, count);
  if (count == 0) return;
  states_.evaluate({system_, params_, state}, equations_.workspace());
  const auto place = [&](Eigen::Index i) {
    return at(system_.states[at(states_of_motion_[static_cast<std::size_t>(i)])].place);
  };
  std::vector<double> x(state.extra.size(), 0.0), rates(state.extra.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    x[place(i)] = 1.0;
    std::fill(forces_.begin(), forces_.end(), 0.0);
    states_.add_forces(x, forces_);
    result.E.col(i) = result.N_v.transpose() * Vector::Map(forces_.data(), result.N_v.rows());
    std::fill(rates.begin(), rates.end(), 0.0);
    states_.add_rates_of_states(x, rates);
    for (Eigen::Index k = 0; k < count; ++k) result.A_s(k, i) = rates[place(k)];
    x[place(i)] = 0.0;
  }
  const Vector none = Vector::Zero(result.N_q.rows());
  const auto put = [&](const Vector& displacement, const Vector& velocity, Matrix& B, Eigen::Index j) {
    std::fill(rates.begin(), rates.end(), 0.0);
    states_.add_rates(1.0, numbers(displacement), numbers(velocity), rates);
    for (Eigen::Index k = 0; k < count; ++k) B(k, j) = rates[place(k)];
  };
  for (Eigen::Index j = 0; j < q; ++j) put(column(result.N_q, j), none, result.B_q, j);
  for (Eigen::Index j = 0; j < v; ++j) put(none, column(result.N_v, j), result.B_v, j);
}

SmallMotions SmallMotionSolver::linearize(const system::State& state) {
  SmallMotions result;
  equations_.load(state);
  equations_.factor(pivots_);
  equations_.solve_accelerations(state, accelerations_, multipliers_);
  mechanics::Workspace& workspace = equations_.workspace();
  result.r.resize(static_cast<Eigen::Index>(states_of_motion_.size()));
  for (std::size_t i = 0; i < states_of_motion_.size(); ++i) {
    result.r[static_cast<Eigen::Index>(i)] = workspace.state_rates[at(system_.states[at(states_of_motion_[i])].place)];
  }
  inertias_.clear();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const Matrix3& R = workspace.bodies[b].R;
    inertias_.push_back(R * params_.bodies[b].inertia() * R.transpose());
  }
  result.masses.resize(static_cast<Eigen::Index>(accelerations_.size()));
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(6 * b);
    result.masses.segment<3>(i).setConstant(params_.bodies[b].mass);
    result.masses.segment<3>(i + 3) = inertias_[b].diagonal();
  }
  std::vector<std::int32_t> accepted;
  solve::independent_rows(pivots_, system_.row_count(), accepted);
  equations_.load_rows(state);
  implicit_.linearize({state, workspace, accelerations_, multipliers_, accepted, {}});

  result.N_v = allowed_motions();
  result.N_q = result.N_v;
  if (system_.holds_velocities()) add_motions_of_velocity_rows(accepted, result.N_q);
  const Eigen::Index size = result.N_v.rows();
  result.f = result.N_v.transpose() * momentum(Vector::Map(accelerations_.data(), size));
  const Vector driven = Vector::Map(accelerations_.data(), size) - result.N_v * result.f;
  driven_acceleration_ = largest(numbers(driven));
  result.K.resize(result.N_v.cols(), result.N_q.cols());
  result.C.resize(result.N_v.cols(), result.N_v.cols());
  for (Eigen::Index j = 0; j < result.N_q.cols(); ++j) {
    std::fill(forces_.begin(), forces_.end(), 0.0);
    implicit_.subtract_stiffness(numbers(column(result.N_q, j)), {}, forces_);
    result.K.col(j) = -result.N_v.transpose() * Vector::Map(forces_.data(), size);
  }
  for (Eigen::Index j = 0; j < result.N_v.cols(); ++j) {
    std::fill(forces_.begin(), forces_.end(), 0.0);
    implicit_.subtract_damping(numbers(column(result.N_v, j)), {}, forces_);
    result.C.col(j) = -result.N_v.transpose() * Vector::Map(forces_.data(), size);
  }
  put_states(state, result);
  return result;
}

bool SmallMotionSolver::move(system::State& state, std::span<const double> d) {
  retract(state, d, state);
  std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
  FactorPose pose;
  if (!equations_.project(state, pivots_, pose)) return false;
  driven_speed_ = largest(state.velocity);
  std::fill(state.velocity.begin(), state.velocity.end(), 0.0);
  equations_.load_rows(state);
  mechanics::set_all_sides(system_, params_, equations_.workspace(), state);
  return true;
}

}  // namespace gelenk::analysis
