#include "gelenk/analysis/equations.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gelenk/analysis/ports.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/angles.h"
#include "gelenk/mechanics/dynamics.h"
#include "gelenk/mechanics/node_balance.h"
#include "gelenk/solve/coupled_solver.h"
#include "gelenk/solve/rank_rule.h"

namespace gelenk::analysis {
namespace {

using subsystem::kForces;
using subsystem::kJoints;
using subsystem::kLaws;
using subsystem::kMotion;
using subsystem::kPositions;
using subsystem::kVelocities;
using subsystem::RightSide;

// Rounding of positions and velocities in a machine of ordinary size: below it a projection cannot improve. Near a
// singular pose a residual e leaves an error of e/√d in the motion, d the smallest pivot, and more is asked for.
constexpr double kRoundingOfSolve = 1e-13;
// A further sweep must bring at least this much.
constexpr double kWorthwhile = 3.0;
constexpr int kMostSweeps = 10;
// What may be known of a pose beside its rows.
enum Known : unsigned { kBiases = 1, kSummedForces = 2 };
constexpr int kMostFactorizations = 5;
// A joint that stays open by more than this (m, rad) after a projection is not closed: a thousand times what rounding
// leaves in a large machine.
constexpr double kStillOpen = 1e-9;

// What subsystems are asked for in a row.
using Step = SubsystemEquations::Step;
using Verb = Step::Verb;
constexpr auto kGaps = static_cast<unsigned>(RightSide::position_gaps);
constexpr auto kRateGaps = static_cast<unsigned>(RightSide::velocity_gaps);
constexpr Step kAccelerations[] = {{Verb::load, kMotion | kForces},
                                   {Verb::factor},
                                   {Verb::right_side, static_cast<unsigned>(RightSide::accelerations)},
                                   {Verb::up}};
constexpr Step kFirstPosition[] = {{Verb::load, kPositions}, {Verb::load, kVelocities}, {Verb::load, kJoints},
                                   {Verb::factor},           {Verb::right_side, kGaps}, {Verb::up}};
constexpr Step kNearPosition[] = {
    {Verb::load, kPositions}, {Verb::load, kVelocities}, {Verb::load, kLaws}, {Verb::right_side, kGaps}, {Verb::up}};
constexpr Step kNextPosition[] = {{Verb::load, kPositions}, {Verb::right_side, kGaps}};
constexpr Step kFirstVelocity[] = {
    {Verb::load, kVelocities}, {Verb::load, kJoints}, {Verb::factor}, {Verb::right_side, kRateGaps}, {Verb::up}};
constexpr Step kNextVelocity[] = {{Verb::load, kVelocities}, {Verb::right_side, kRateGaps}};

mechanics::Ports ports_of(const system::System& system, const system::Params& params, const solve::Plan* plan) {
  if (plan == nullptr) return {};
  solve::Partition partition = plan->partition;
  return find_ports(system, params, partition);
}

}  // namespace

void retract(const system::State& from, std::span<const double> d, system::State& to) {
  for (std::size_t b = 0; b < to.position.size(); ++b) {
    const double* const step = &d[6 * b];
    to.position[b] = from.position[b] + Vector3(step[0], step[1], step[2]);
    to.orientation[b] = turned(from.orientation[b], Vector3(step[3], step[4], step[5]));
  }
}

Equations::Equations(const system::System& system, const system::Params& params, Partitioning partitioning,
                     std::shared_ptr<const solve::Plan> plan, const solve::FlatOptions& flat,
                     std::span<subsystem::Subsystem* const> subsystems)
    : system_(system),
      params_(params),
      plan_(partitioning == Partitioning::none || plan
                ? std::move(plan)
                : make_plan(system, params, partitioning, SubsystemEquations::drawn(subsystems))),
      workspace_(system, ports_of(system, params, plan_.get())),
      subsystems_(system, workspace_.ports, subsystems),
      right_side_(system.row_count(), 0.0) {
  if (partitioning == Partitioning::none) {
    solver_ = std::make_unique<solve::FlatSolver>(system.bodies.size(), system.row_bodies, flat);
  } else {
    // The solver looks at the machine as it is drawn.
    subsystems_.load_drawn();
    auto components = std::make_unique<solve::ComponentSolver>(plan_, subsystems_.functions());
    components_ = components.get();
    solver_ = std::move(components);
  }
  takes_joints_ = solver_->takes_joints();
  if (!system.couplings.empty()) {
    solver_ = std::make_unique<solve::CoupledSolver>(std::move(solver_), system.bodies.size(), system.row_bodies,
                                                     system.couplings.size(),
                                                     subsystems.empty() ? nullptr : &subsystems_.shafts());
  }
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    if (system.rows[i].is_of_velocity()) velocity_rows_.push_back(static_cast<std::int32_t>(i));
  }
}

solve::PoseBlocks Equations::blocks() const {
  return {workspace_.masses,    workspace_.joint_values, workspace_.inverse_masses, workspace_.blocks,
          workspace_.port_arms, workspace_.couplings,    workspace_.coupling_shafts};
}

void Equations::load(const system::State& state) {
  if (!takes_joints_) {
    load_rows(state);
    return;
  }
  const mechanics::Context context{system_, params_, state};
  subsystems_.load(kMotion, workspace_);
  mechanics::update_bodies(context, workspace_);
  mechanics::update_drivers(context, workspace_);
  mechanics::update_joints(context, workspace_, right_side_);
  note_loaded(kBiases);
}

// All of a pose, with its rows; `known`: what else belongs to it.
void Equations::note_loaded(unsigned known) {
  ++loaded_;
  ++rows_;
  if ((known & kBiases) != 0) biases_of_ = loaded_;
  if ((known & kSummedForces) != 0) forces_of_ = loaded_;
}

void Equations::begin(std::span<const Step> steps, Rank rank) {
  subsystems_.begin(steps, {solve::ComponentSolver::used_tolerance(rank_tolerance_), rank == Rank::decide});
}

void Equations::begin_accelerations(Rank rank) { begin(kAccelerations, rank); }

void Equations::load_with_forces(const system::State& state) {
  if (!takes_joints_) {
    load_rows(state);
    return;
  }
  subsystems_.load(kMotion | kForces, workspace_);
  mechanics::update_all({system_, params_, state}, workspace_, right_side_);
  note_loaded(kBiases | kSummedForces);
}

void Equations::load_rows(const system::State& state) {
  const mechanics::Context context{system_, params_, state};
  subsystems_.look(workspace_);
  mechanics::update_positions(context, workspace_);
  mechanics::update_velocities(context, workspace_);
  mechanics::update_drivers(context, workspace_);
  mechanics::update_rows(context, workspace_);
  note_loaded(0);
}

solve::PivotChange Equations::factor(solve::PivotSet& pivots, Rank rank) {
  factored_rows_ = takes_joints_ ? rows_ : 0;
  const bool goes_ahead = components_ != nullptr && components_ == solver_.get() && has_forces() && has_biases();
  ahead_of_ = goes_ahead ? loaded_ : 0;
  if (goes_ahead) {
    return components_->factor_ahead(blocks(), rule(rank), pivots, workspace_.forces, right_side_,
                                     workspace_.port_biases);
  }
  return solver_->factor(blocks(), rule(rank), pivots);
}

solve::PivotChange Equations::refresh(solve::PivotSet& pivots, Rank rank) {
  return takes_joints_ ? factor(pivots, rank) : solver_->refresh(blocks(), pivots);
}

void Equations::complete_forces(const mechanics::Context& context) {
  if (!takes_joints_) {
    mechanics::update_forces(context, workspace_);
    mechanics::row_biases(context, workspace_, right_side_);
    return;
  }
  if (!has_forces()) mechanics::sum_forces(context, workspace_);
  if (!has_biases()) mechanics::update_joints(context, workspace_, right_side_);
  biases_of_ = loaded_;
}

solve::SweepReport Equations::solve_accelerations(const system::State& state, std::span<double> accelerations,
                                                  std::span<double> multipliers) {
  complete_forces({system_, params_, state});
  subsystems_.give_inputs({system_, params_, state}, kForces, workspace_);
  subsystems_.put_right_side(RightSide::accelerations);
  // Only once: the solution takes the place of what went up.
  if (std::exchange(ahead_of_, 0) == loaded_ && has_forces()) {
    return components_->solve_ahead(accelerations, multipliers, workspace_.port_biases);
  }
  return solver_->solve(workspace_.forces, right_side_, accelerations, multipliers, workspace_.port_biases);
}

// Largest of row_values_ on the accepted rows; those of the dropped ones are taken out and kept as drift_.dropped.
double Equations::largest_accepted() {
  drift_.dropped = 0.0;
  for (const std::int32_t row : solver_->dropped_rows()) {
    drift_.dropped = std::max(drift_.dropped, std::abs(row_values_[at(row)]));
    row_values_[at(row)] = 0.0;
  }
  // Side by side: one after another, each would wait for the last.
  double largest[4] = {};
  const std::size_t count = row_values_.size();
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) largest[k] = std::max(largest[k], std::abs(row_values_[i + k]));
  }
  for (; i < count; ++i) largest[0] = std::max(largest[0], std::abs(row_values_[i]));
  largest[0] = std::max(largest[0], gap_of_subsystems_.enforced);
  drift_.dropped = std::max(drift_.dropped, gap_of_subsystems_.dropped);
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

double Equations::good_residual() const {
  return kRoundingOfSolve * std::sqrt(std::clamp(solver_->smallest_pivot(), 1e-14, 1.0));
}

void Equations::load_positions(const mechanics::Context& context) {
  ++loaded_;
  subsystems_.load(kPositions, workspace_);
  if (takes_joints_) {
    mechanics::update_body_motions(context, workspace_);
  } else {
    mechanics::update_positions(context, workspace_);
  }
}

void Equations::load_velocities(const mechanics::Context& context) {
  ++loaded_;
  subsystems_.load(kVelocities, workspace_);
  if (takes_joints_) {
    mechanics::update_body_velocities(context, workspace_);
  } else {
    mechanics::update_velocities(context, workspace_);
  }
}

// Without right sides. Masses come with the joints: until then sweeps go on with all that was factored.
void Equations::load_joints(const mechanics::Context& context) {
  ++loaded_;
  ++rows_;
  subsystems_.load(kJoints, workspace_);
  mechanics::update_drivers(context, workspace_);
  if (takes_joints_) {
    mechanics::update_masses(context, workspace_);
    mechanics::update_joints(context, workspace_);
  } else {
    mechanics::update_rows(context, workspace_);
  }
}

void Equations::position_residuals(const mechanics::Context& context) {
  gap_of_subsystems_ = subsystems_.put_right_side(RightSide::position_gaps);
  if (takes_joints_) {
    mechanics::joint_residuals(context, workspace_, row_values_);
  } else {
    mechanics::row_values(context, workspace_, row_values_);
  }
}

void Equations::rate_residuals(const mechanics::Context& context) {
  gap_of_subsystems_ = subsystems_.put_right_side(RightSide::velocity_gaps);
  if (takes_joints_) {
    mechanics::joint_rates(context, workspace_, row_values_);
  } else {
    mechanics::row_rates(context, workspace_, row_values_);
  }
}

// Newton steps with the factorization at hand (component method, ALGORITHM 4) until rounding is reached. `take` moves
// the state by motion_ and computes row_values_ again. Returns the largest residual that is left.
template <class Take>
double Equations::reduce_residuals(double error, Take&& take) {
  const double good = good_residual();
  biases_of_ = 0;
  for (int sweep = 0; sweep < kMostSweeps && error > 0.0; ++sweep) {
    for (std::size_t i = 0; i < row_values_.size(); ++i) right_side_[i] = -row_values_[i];
    solver_->solve(zeros_, right_side_, motion_, {});
    take();
    const double now = largest_accepted();
    const bool is_done = now <= good || now * kWorthwhile > error;
    error = now;
    if (is_done) break;
  }
  return error;
}

void Equations::project_positions(system::State& state) {
  const mechanics::Context context{system_, params_, state};
  position_residuals(context);
  drift_.position_before = largest_accepted();
  drift_.position_after = reduce_residuals(drift_.position_before, [&] {
    retract(state, motion_, state);
    subsystems_.take(RightSide::position_gaps);
    begin(kNextPosition);
    load_positions(context);
    position_residuals(context);
  });
}

// At a projected pose. True: there are more independent rows, which positions have to fulfill now.
bool Equations::decide_rank(system::State& state, solve::PivotSet& pivots, FactorPose& pose) {
  const std::int32_t rank_before = pivots.rank;
  // A solver that remembers its pose is factored again only if there is something to decide.
  if (pose.is_set && !pivots.dropped.empty()) {
    factor_for_projection(state, Rank::decide, pivots, pose);
    return pivots.rank > rank_before;
  }
  const mechanics::Context context{system_, params_, state};
  begin(kFirstVelocity, Rank::decide);
  load_velocities(context);
  load_joints(context);
  refresh(pivots);
  return pivots.rank > rank_before;
}

// After decide_rank().
bool Equations::project_velocities(system::State& state) {
  const mechanics::Context context{system_, params_, state};
  rate_residuals(context);
  drift_.slip = 0.0;
  for (const std::int32_t row : velocity_rows_) drift_.slip = std::max(drift_.slip, std::abs(row_values_[at(row)]));
  const double dropped = drift_.dropped;  // of the positions
  drift_.velocity_after = reduce_residuals(largest_accepted(), [&] {
    for (std::size_t i = 0; i < motion_.size(); ++i) state.velocity[i] += motion_[i];
    subsystems_.take(RightSide::velocity_gaps);
    begin(kNextVelocity);
    load_velocities(context);
    rate_residuals(context);
  });
  drift_.dropped = dropped;
  settle(state);
  subsystems_.settle();
  return std::isfinite(drift_.velocity_after);
}

void Equations::factor_for_projection(const system::State& state, Rank rank, solve::PivotSet& pivots,
                                      FactorPose& pose) {
  pose.is_set = solver_->remembers_pose();
  if (pose.is_set) {
    pose.position = state.position;
    pose.orientation = state.orientation;
    pose.time = state.time;
    pose.extra.assign(state.extra.data(), state.extra.data() + system_.extra.motion_count());
  }
  const mechanics::Context context{system_, params_, state};
  begin(kFirstPosition, rank);
  load_positions(context);
  load_velocities(context);
  load_joints(context);
  factor(pivots, rank);
}

bool Equations::project(system::State& state, solve::PivotSet& pivots, FactorPose& pose, bool is_near) {
  set_sizes();
  is_near = is_near && factored_rows_ == rows_;
  if (is_near) {
    const mechanics::Context context{system_, params_, state};
    begin(kNearPosition);
    load_positions(context);
    load_velocities(context);
    subsystems_.load(kLaws, workspace_);
    mechanics::update_drivers(context, workspace_);
    pose.is_set = false;
  } else {
    factor_for_projection(state, Rank::keep, pivots, pose);
  }
  project_positions(state);
  // Far from the constraints the factorization of the first pose does not carry all the way.
  const double first_error = drift_.position_before;
  const double good = is_near ? good_residual() : kStillOpen;
  for (int i = 1; i < kMostFactorizations && drift_.position_after > (i == 1 ? good : kStillOpen); ++i) {
    factor_for_projection(state, Rank::keep, pivots, pose);
    project_positions(state);
  }
  while (drift_.position_after <= kStillOpen * std::max(1.0, params_.length) && decide_rank(state, pivots, pose)) {
    project_positions(state);
  }
  drift_.position_before = first_error;
  if (!(drift_.position_after <= kStillOpen * std::max(1.0, params_.length))) return false;
  return project_velocities(state);
}

void Equations::set_sizes() {
  zeros_.resize(6 * system_.bodies.size());
  motion_.resize(zeros_.size());
  row_values_.resize(system_.row_count());
}

void Equations::settle(system::State& state) {
  mechanics::settle_angles(params_, workspace_, state);
  mechanics::settle_nodes({system_, params_, state}, workspace_, state);
  mechanics::balance_nodes({system_, params_, state}, workspace_);  // as from the state alone
  // Their accelerations follow the velocities.
  mechanics::update_drivers({system_, params_, state}, workspace_);
}

void Equations::load_parts(const system::State& state, unsigned parts) {
  if (parts == (kMotion | kForces)) {
    load_with_forces(state);
    return;
  }
  if (parts == kMotion) {
    load(state);
    return;
  }
  const mechanics::Context context{system_, params_, state};
  if ((parts & kPositions) != 0) load_positions(context);
  if ((parts & kVelocities) != 0) load_velocities(context);
  if ((parts & kLaws) != 0) {
    ++loaded_;
    subsystems_.load(kLaws, workspace_);
    mechanics::update_drivers(context, workspace_);
  }
  if ((parts & kJoints) != 0) load_joints(context);
  if ((parts & kForces) != 0) forces_of_ = 0;  // they are summed when they are needed
}

subsystem::Gap Equations::put_right_side(const system::State& state, RightSide kind) {
  const mechanics::Context context{system_, params_, state};
  set_sizes();
  if (kind == RightSide::accelerations) {
    complete_forces(context);
    subsystems_.put_right_side(kind);
    components_->set_right_side(workspace_.forces, right_side_, workspace_.port_biases);
    return {};
  }
  biases_of_ = 0;  // gaps take their place
  forces_of_ = 0;
  subsystem::Gap gap;
  if (kind == RightSide::impulses) {
    subsystems_.put_right_side(kind);
    std::fill(right_side_.begin(), right_side_.end(), 0.0);
  } else {
    if (kind == RightSide::position_gaps) position_residuals(context);
    if (kind == RightSide::velocity_gaps) rate_residuals(context);
    gap.enforced = largest_accepted();
    gap.dropped = drift_.dropped;
    for (std::size_t i = 0; i < row_values_.size(); ++i) right_side_[i] = -row_values_[i];
  }
  components_->set_right_side(zeros_, right_side_, {});
  return gap;
}

void Equations::take_accelerations(std::span<double> accelerations, std::span<double> multipliers) {
  components_->take_result(accelerations, multipliers);
}

void Equations::take_positions(system::State& state) {
  components_->take_result(motion_, {});
  retract(state, motion_, state);
  subsystems_.take(RightSide::position_gaps);
}

void Equations::take_velocities(system::State& state) {
  components_->take_result(motion_, {});
  for (std::size_t i = 0; i < motion_.size(); ++i) state.velocity[i] += motion_[i];
  subsystems_.take(RightSide::velocity_gaps);
}

}  // namespace gelenk::analysis
