#include "gelenk/analysis/closer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gelenk/analysis/equations.h"
#include "gelenk/base/index.h"
#include "gelenk/mechanics/angles.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/solve/component_solver.h"
#include "gelenk/solve/coupled_solver.h"
#include "gelenk/solve/flat_solver.h"

namespace gelenk::analysis {
namespace {

constexpr std::array kRankTolerances{1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
constexpr double kResidualPart = 0.2;     // of the rank tolerance may remain open
constexpr double kConverged = 1e-9;       // last step, lengths of the machine and rad
constexpr double kClosed = 1e-14;         // rounding of a drawing, lengths of the machine and rad
constexpr double kExactlyClosed = 1e-11;  // rounding of a large machine: no joint contradicts another
constexpr double kHeld = 1e-9;            // start values are exact
constexpr int kMostIterations = 10;
constexpr int kPolishing = 3;  // further steps, down to rounding
constexpr double kSmallestIncrement = 1.0 / 1024.0;

// Whether the open sum of a coupling is a length: that of a travel is.
bool is_length_of_coupling(const system::System& system, std::size_t coupling) {
  const system::Coupling& one = system.couplings[coupling];
  for (std::int32_t t = 0; t < one.term_count; ++t) {
    const std::int32_t coordinate = system.coupling_terms[at(one.first_term + t)].coordinate;
    if (system.coordinates[at(coordinate)].type->motion == model::Coordinate::Motion::translation) return true;
  }
  return false;
}

// How far a state is from another: lengths of the machine, rad.
double distance(const system::State& a, const system::State& b, double length) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).norm() / length);
    largest = std::max(largest, a.orientation[i].angularDistance(b.orientation[i]));
  }
  return largest;
}

double step_size(std::span<const double> d, double length) {
  double largest = 0.0;
  for (std::size_t i = 0; i < d.size(); ++i) largest = std::max(largest, std::abs(d[i]) / (i % 6 < 3 ? length : 1.0));
  return largest;
}

}  // namespace

Closer::Closer(const system::System& system, const system::Params& params, std::vector<HeldCoordinate> held)
    : held_(std::move(held)),
      target_(hold(system, params, held_)),
      workspace_(target_.system),
      values_(target_.system.row_count(), 0.0),
      shift_(values_.size(), 0.0),
      right_side_(values_.size(), 0.0),
      motion_(6 * target_.system.bodies.size(), 0.0),
      zeros_(motion_.size(), 0.0),
      multipliers_(values_.size(), 0.0) {
  set_fraction(1.0);
}

void Closer::set_fraction(double fraction) {
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const HeldCoordinate& one = held_[h];
    workspace_.drivers[h].value = fraction >= 1.0 ? one.value : one.from + fraction * (one.value - one.from);
    if (!one.is_orientation()) continue;
    const system::Joint& joint = target_.system.joints[at(target_.system.coordinates[at(one.coordinate)].joint)];
    const Quaternion q = fraction >= 1.0 ? one.orientation : one.from_orientation.slerp(fraction, one.orientation);
    Pose& X_BF = target_.params.frames[at(one.frame)];
    X_BF = target_.params.frames[at(joint.frame_a)];
    X_BF.rotation = X_BF.rotation * q.normalized().toRotationMatrix();
  }
}

void Closer::lead_from(const system::State& state) {
  mechanics::update_positions({target_.system, target_.params, state}, workspace_);
  for (HeldCoordinate& one : held_) {
    const system::Coordinate& c = target_.system.coordinates[at(one.coordinate)];
    const system::Joint& joint = target_.system.joints[at(c.joint)];
    const mechanics::FrameMotion& A = workspace_.frames[at(joint.frame_a)];
    const mechanics::FrameMotion& B = workspace_.frames[at(joint.frame_b)];
    if (one.is_orientation()) {
      one.from_orientation = quaternion_from_rotation(A.R.transpose() * B.R);
      continue;
    }
    const Curve* const curve = target_.params.curve(c.curve);
    one.from = mechanics::coordinate_value<double>(*c.type, A, B, curve);
    if (c.tracked >= 0) one.from = mechanics::unwrapped(one.from, one.value, curve);
  }
}

void Closer::load(const system::State& state) {
  const mechanics::Context context{target_.system, target_.params, state};
  mechanics::update_positions(context, workspace_);
  mechanics::row_values(context, workspace_, values_);
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] -= shift_[i];
}

bool Closer::is_length(std::size_t row) const {
  if (row >= target_.system.rows.size()) return is_length_of_coupling(target_.system, row - target_.system.rows.size());
  return model::is_length(target_.system.rows[row].kind);
}

double Closer::row_size(std::size_t row) const { return is_length(row) ? target_.params.length : 1.0; }

double Closer::largest_residual(std::size_t first, std::size_t last) const {
  double largest = 0.0;
  for (std::size_t i = first; i < last; ++i) largest = std::max(largest, std::abs(values_[i]) / row_size(i));
  return largest;
}

// The smallest motion that closes the joints to first order.
void Closer::step(const system::State& state, double tau, ClosedBy solver, solve::PivotSet& pivots) {
  const mechanics::Context context{target_.system, target_.params, state};
  for (std::size_t k = 0; k < values_.size(); ++k) right_side_[k] = -values_[k];
  const std::size_t bodies = target_.system.bodies.size();
  const auto coupled = [&](std::unique_ptr<solve::MotionSolver> joints) {
    if (target_.system.couplings.empty()) return joints;
    return std::unique_ptr<solve::MotionSolver>(std::make_unique<solve::CoupledSolver>(
        std::move(joints), bodies, target_.system.row_bodies, target_.system.couplings.size()));
  };
  if (solver == ClosedBy::flat) {
    if (!flat_) flat_ = coupled(std::make_unique<solve::FlatSolver>(bodies, target_.system.row_bodies));
    mechanics::update_rows(context, workspace_);
    flat_->factor({{}, {}, workspace_.inverse_masses, workspace_.blocks, {}, workspace_.couplings}, tau, pivots);
    flat_->project(zeros_, right_side_, motion_, multipliers_);
    return;
  }
  mechanics::update_bodies(context, workspace_);
  mechanics::update_joints(context, workspace_);
  if (!components_) {
    components_ = coupled(std::make_unique<solve::ComponentSolver>(
        solve::make_plan(workspace_.joints.layout, workspace_.masses, workspace_.joint_values, {tau, {}, {}})));
  }
  components_->factor({workspace_.masses, workspace_.joint_values, {}, {}, {}, workspace_.couplings}, tau, pivots);
  components_->solve(zeros_, right_side_, motion_, {});
}

bool Closer::newton(system::State& state, double tau, double limit, ClosedBy solver) {
  const system::State before = state;
  solve::PivotSet pivots;
  int polished = 0;
  for (int i = 0; i < kMostIterations + kPolishing; ++i) {
    load(state);
    step(state, tau, solver, pivots);
    const double size = step_size(motion_, target_.params.length);
    if (!std::isfinite(size)) return false;
    retract(state, motion_, state);
    if (!target_.system.couplings.empty()) {
      mechanics::update_positions({target_.system, target_.params, state}, workspace_);
      mechanics::settle_angles(target_.params, workspace_, state);
    }
    if (!(distance(state, before, target_.params.length) <= limit)) return false;
    if (size < kConverged && ++polished == kPolishing) break;
    if (polished == 0 && i >= kMostIterations) return false;
  }
  load(state);
  return polished > 0;
}

// Joints may contradict each other a little; a held value is met or not.
bool Closer::is_closed(double residual) const {
  return largest_residual(0, target_.joint_rows) <= residual &&
         largest_residual(target_.joint_rows, values_.size()) <= kHeld;
}

Closer::Result Closer::close(system::State& state, double limit) {
  Result result;
  load(state);
  // What is closed already stays as it is, to the last bit.
  if (largest_residual(0, values_.size()) <= kClosed) {
    return {true, ClosedBy::drawing, kRankTolerances.front(), largest_residual(0, target_.joint_rows)};
  }
  system::State closed = state;
  if (newton(closed, kRankTolerances.front(), limit, ClosedBy::components) && is_closed(kExactlyClosed)) {
    state = std::move(closed);
    return {true, ClosedBy::components, kRankTolerances.front(), largest_residual(0, target_.joint_rows)};
  }
  // Rank is meaningful only where the joints are closed: what was found far from there is looked at again.
  for (int round = 0; round < 2; ++round) {
    result.is_closed = false;
    for (const double tau : kRankTolerances) {
      system::State tried = state;
      if (!newton(tried, tau, limit, ClosedBy::flat) || !is_closed(kResidualPart * tau)) continue;
      state = std::move(tried);
      result = {true, ClosedBy::flat, tau, largest_residual(0, target_.joint_rows)};
      break;
    }
    if (!result.is_closed || result.rank_tolerance == kRankTolerances.front()) break;
  }
  return result;
}

Closer::Result Closer::close_gradually(system::State& state, double limit) {
  std::fill(shift_.begin(), shift_.end(), 0.0);
  load(state);
  const std::vector<double> open = values_;
  double done = 0.0;
  double increment = 1.0;
  Result result;
  while (done < 1.0) {
    const double next = std::min(1.0, done + increment);
    for (std::size_t i = 0; i < shift_.size(); ++i) shift_[i] = (1.0 - next) * open[i];
    system::State tried = state;
    result = close(tried, limit);
    if (result.is_closed) {
      state = std::move(tried);
      done = next;
      increment *= 2.0;
    } else {
      increment *= 0.5;
      if (increment < kSmallestIncrement) break;
    }
  }
  std::fill(shift_.begin(), shift_.end(), 0.0);
  result.is_closed = done >= 1.0;
  return result;
}

bool Closer::is_proper(const system::State& state) {
  load(state);
  for (const system::Row& row : target_.system.rows) {
    const mechanics::FrameMotion& A = workspace_.frames[at(row.frame_a)];
    const mechanics::FrameMotion& B = workspace_.frames[at(row.frame_b)];
    if (row.driver >= 0) {
      const HeldCoordinate& one = held_[at(row.driver)];
      const system::Coordinate& c = target_.system.coordinates[at(one.coordinate)];
      if (row.kind == system::RowKind::dot) {
        if ((A.R.transpose() * B.R).trace() < 1.0) return false;
      } else if (c.type->motion == model::Coordinate::Motion::rotation) {
        const double angle = mechanics::coordinate_value<double>(*c.type, A, B, nullptr);
        if (std::abs(mechanics::unwrapped(angle, one.value) - one.value) > 0.5 * std::numbers::pi) return false;
      }
      continue;
    }
    if (row.kind == system::RowKind::curve_turn) {
      const Pose X_AB{A.R.transpose() * B.R, A.R.transpose() * (B.p - A.p)};
      const model::Held held(0.0, target_.params.curve(row.curve));
      if (model::type_of(model::Primitive::with_curve).gap(X_AB, held).angle > 0.5 * std::numbers::pi) return false;
    }
    if (row.kind != system::RowKind::dot) continue;
    // A universal joint has one such row; its axes cross. All others want z along z, and x along x when held.
    const system::Joint& joint = target_.system.joints[at(row.joint)];
    for (const model::Primitive primitive : joint.type->primitives) {
      if (primitive == model::Primitive::parallel_axes && A.R.col(2).dot(B.R.col(2)) < 0.0) return false;
      if (primitive == model::Primitive::same_axes && (A.R.transpose() * B.R).trace() < 1.0) return false;
    }
  }
  return true;
}

Closer::Push Closer::push(const system::State& state) {
  load(state);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::int32_t held = i < target_.system.rows.size() ? target_.system.rows[i].driver : -1;
    values_[i] = held < 0 ? 0.0 : held_[at(held)].from - held_[at(held)].value;  // step() goes against it
  }
  solve::PivotSet pivots;
  step(state, solve::FlatSolver::kSmallestRankTolerance, ClosedBy::flat, pivots);
  Push result;
  result.efforts.assign(held_.size(), 0.0);
  for (std::size_t i = 0; i < target_.system.rows.size(); ++i) {
    const system::Row& row = target_.system.rows[i];
    if (row.driver >= 0) {
      result.efforts[at(row.driver)] = multipliers_[i];
      continue;
    }
    // The block of the ground is not there; the other side has the opposite load.
    const bool is_on_b = target_.system.row_bodies[i].b >= 0;
    const std::array<double, 6>& block = is_on_b ? workspace_.blocks[i].b : workspace_.blocks[i].a;
    const double load = is_on_b ? multipliers_[i] : -multipliers_[i];
    RowLoad one{row.joint, Vector3::Zero(), Vector3::Zero()};
    if (is_length(i)) {
      one.force = load * Vector3(block[0], block[1], block[2]);
    } else {
      one.moment = load * Vector3(block[3], block[4], block[5]);
    }
    result.joints.push_back(one);
  }
  return result;
}

std::vector<double> Closer::joint_gaps(const system::State& state) {
  load(state);
  std::vector<double> gaps(target_.system.joints.size(), 0.0);
  for (std::size_t i = 0; i < target_.joint_rows; ++i) {
    double& gap = gaps[at(target_.system.rows[i].joint)];
    gap = std::max(gap, std::abs(values_[i]) / row_size(i));
  }
  return gaps;
}

Closer::Gap Closer::gap(const system::State& state, std::size_t joint) {
  load(state);
  Gap result;
  for (std::size_t i = 0; i < target_.joint_rows; ++i) {
    if (at(target_.system.rows[i].joint) != joint) continue;
    double& largest = is_length(i) ? result.distance : result.angle;
    largest = std::max(largest, std::abs(values_[i]));
  }
  return result;
}

Closer::CouplingGap Closer::worst_coupling(const system::State& state) {
  load(state);
  CouplingGap worst;
  double largest = kHeld;
  for (std::size_t i = target_.system.rows.size(); i < values_.size(); ++i) {
    const double size = std::abs(values_[i]) / row_size(i);
    if (size <= largest) continue;
    largest = size;
    worst = {static_cast<std::int32_t>(i - target_.system.rows.size()), std::abs(values_[i]), is_length(i)};
  }
  return worst;
}

}  // namespace gelenk::analysis
