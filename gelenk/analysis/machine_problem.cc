#include "gelenk/analysis/machine_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gelenk/analysis/singular_limits.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

bool same_pose(const FactorPose& a, const FactorPose& b) {
  if (!a.is_set || !b.is_set || a.time != b.time) return false;
  const auto same_turn = [](const Quaternion& p, const Quaternion& q) { return p.coeffs() == q.coeffs(); };
  return a.position == b.position && a.extra == b.extra &&
         std::equal(a.orientation.begin(), a.orientation.end(), b.orientation.begin(), b.orientation.end(), same_turn);
}

// The quaternion (0, half_turn) q, w x y z: the rate of q when the body turns with 2 half_turn.
void put_quaternion(const Vector3& half_turn, const Quaternion& q, double* out) {
  const Quaternion rate = Quaternion(0.0, half_turn.x(), half_turn.y(), half_turn.z()) * q;
  out[0] = rate.w();
  out[1] = rate.x();
  out[2] = rate.y();
  out[3] = rate.z();
}

}  // namespace

MachineProblem::MachineProblem(const system::System& system, const system::Params& params, double rank_tolerance,
                               double tolerance, bool refuses_singular_stages, Partitioning partitioning,
                               const solve::FlatOptions& flat, std::span<component::Carrier* const> sealed)
    : system_(system),
      params_(params),
      tolerance_(tolerance),
      refuses_singular_stages_(refuses_singular_stages),
      sealed_(sealed),
      time_laws_(system, params),
      equations_(system, params, partitioning, nullptr, flat, sealed),
      output_equations_(system, params, partitioning, equations_.plan(), flat, sealed),
      offset_(12 * system.bodies.size() + system.extra.size(), 0.0),
      multipliers_(system.rows.size(), 0.0),
      no_motion_(system.rows.size(), 0.0),
      state_newton_(system, params) {
  equations_.set_rank_tolerance(rank_tolerance);
  output_equations_.set_rank_tolerance(rank_tolerance);
  statistics_.rank_history.reserve(kMostKeptRankChanges);
}

void MachineProblem::reserve(int states, int rates, integrate::Chart chart) {
  sealed_.reserve(states, rates, chart, keeps_multipliers_);
  if (chart != chart_) rates_.clear();
  chart_ = chart;
  sum_.assign(rate_size(), 0.0);
  const auto state_count = static_cast<std::size_t>(states);
  const auto rate_count = static_cast<std::size_t>(rates);
  if (slots_.size() < state_count) slots_.resize(state_count);
  if (rates_.size() < rate_count) rates_.resize(rate_count, std::vector<double>(rate_size(), 0.0));
}

void MachineProblem::set_state(int index, const system::State& state, std::span<const std::string> sealed) {
  reserve(index + 1, 0, chart_);
  sealed_.start(index, sealed);
  Slot& target = slot(index);
  target.state = state;
  target.turn.assign(3 * system_.bodies.size(), 0.0);
  target.is_base = true;
  if (index == loaded_slot_) loaded_slot_ = -1;
  held_stage_.is_set = false;
  start_position_.clear();
  for (std::size_t b = 0; b < state.position.size(); ++b) start_position_.push_back(system::place_of(state, b));
}

void MachineProblem::copy(int from, int to) {
  sealed_.copy(from, to);
  slot(to) = slot(from);
  if (to == loaded_slot_) loaded_slot_ = -1;
}

void MachineProblem::count(solve::PivotChange change) {
  ++statistics_.factorizations;
  if (change != solve::PivotChange::none) ++statistics_.pivot_changes;
  if (change == solve::PivotChange::rank_changed) ++statistics_.rank_changes;
}

Equations& MachineProblem::prepare(int index) {
  Slot& s = slot(index);
  const bool is_output = index == integrate::Integrator::kOutputState;
  Equations& equations = equations_of(index);
  equations.set_slot(index);
  if (index == loaded_slot_) return equations;
  if (!is_output) loaded_slot_ = -1;
  if (!s.is_base || !s.factor_pose.is_set) {
    const Equations::Rank rank = s.is_base ? Equations::Rank::decide : Equations::Rank::keep;
    equations.begin_accelerations(rank);
    equations.load_with_forces(s.state);
    count(equations.factor(s.pivots, rank));
    if (!is_output) {
      held_pose_.is_set = false;
      held_stage_ = {s.base_time, s.state.time, !s.is_base};
    }
    return equations;
  }
  if (!is_output) held_stage_.is_set = false;
  // A projected state goes on with the factorization that projected it. If others came between, it is made again, at
  // the same pose, so that the result does not depend on them.
  if (is_output || !same_pose(held_pose_, s.factor_pose)) {
    system::State& there = factor_state_;
    there = s.state;
    there.position = s.factor_pose.position;
    there.orientation = s.factor_pose.orientation;
    there.time = s.factor_pose.time;
    std::copy(s.factor_pose.extra.begin(), s.factor_pose.extra.end(), there.extra.begin());
    equations.load(there);
    count(equations.factor(s.pivots));
    if (!is_output) held_pose_ = s.factor_pose;
  }
  equations.load(s.state);
  equations.refresh(s.pivots);
  return equations;
}

bool MachineProblem::accelerations(int index, std::span<double> accelerations, std::span<double> multipliers) {
  Equations& equations = prepare(index);
  const Slot& s = slot(index);
  smallest_stage_pivot_ = std::min(smallest_stage_pivot_, equations.solver().smallest_pivot());
  if (is_too_singular(s.pivots, s)) return false;
  equations.solve_accelerations(s.state, accelerations, multipliers);
  if (equations.sealed().has_failed()) return false;
  if (!multipliers.empty()) slot(index).multipliers.assign(multipliers.begin(), multipliers.end());
  bad_body_ = first_bad_body(accelerations);
  if (bad_body_ < 0) return true;
  // A trial step may look beyond a border that guards a formula, `if(x > 0, sqrt(x), 0)`. There the side that the state
  // asks for serves as well: the border will be found, and the step taken again up to it.
  if (system_.switches.empty()) return false;
  if (index == loaded_slot_) loaded_slot_ = -1;
  system::State& state = slot(index).state;
  held_sides_ = state.sides;
  mechanics::set_all_sides(system_, params_, equations.workspace(), state);
  equations.load(state);
  equations.refresh(slot(index).pivots, s.is_base ? Equations::Rank::decide : Equations::Rank::keep);
  equations.solve_accelerations(state, accelerations, multipliers);
  state.sides = held_sides_;
  bad_body_ = first_bad_body(accelerations);
  return bad_body_ < 0;
}

std::int32_t MachineProblem::first_bad_body(std::span<const double> accelerations) {
  // 0 x is not zero where x is not finite: all at once, which is the rule.
  double sums[6] = {};
  for (std::size_t i = 0; i < accelerations.size(); i += 6) {
    for (std::size_t k = 0; k < 6; ++k) sums[k] += 0.0 * accelerations[i + k];
  }
  if ((sums[0] + sums[1] + sums[2]) + (sums[3] + sums[4] + sums[5]) == 0.0) return -1;
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    if (!std::isfinite(accelerations[i])) return static_cast<std::int32_t>(i / 6);
  }
  return -1;
}

bool MachineProblem::evaluate(int state, int rate) {
  const std::size_t bodies = system_.bodies.size();
  std::vector<double>& out = rates_[static_cast<std::size_t>(rate)];
  const std::size_t width = position_width();
  const std::span<double> velocity_rates = std::span(out).subspan(width * bodies, 6 * bodies);
  const bool wants_multipliers = keeps_multipliers_ || !system_.drivers.empty();
  const std::span<double> multipliers = wants_multipliers ? std::span(multipliers_) : std::span<double>{};
  SealedEnds& ends = equations_of(state).sealed();
  ends.expect_rate(rate);
  is_stage_open_ = false;
  const bool is_beside = is_beside_singular_pose(slot(state));
  const bool is_solved = is_beside ? accelerations_on_constraints(state, velocity_rates, multipliers)
                                   : accelerations(state, velocity_rates, multipliers);
  ends.expect_rate(-1);
  if (!is_solved) return false;
  ends.take_accelerations(rate);
  if (ends.has_failed()) return false;
  return put_rates(state, is_beside ? on_constraints_.state : slot(state).state, out);
}

// All but the accelerations, which are there. `there`: where they were found.
bool MachineProblem::put_rates(int state, const system::State& there, std::vector<double>& out) {
  const std::size_t bodies = system_.bodies.size();
  const std::size_t width = position_width();
  const Slot& s = slot(state);
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const v = &there.velocity[6 * b];
    double* const to = &out[width * b];
    for (std::size_t i = 0; i < 3; ++i) to[i] = v[i];
    Vector3 turn_rate(v[3], v[4], v[5]);
    if (chart_ == integrate::Chart::linear) {
      put_quaternion(0.5 * turn_rate, s.state.orientation[b], to + 3);
      continue;
    }
    if (!s.is_base) turn_rate = rotation_vector_rate(Vector3::Map(&s.turn[3 * b]), turn_rate);
    for (std::size_t i = 0; i < 3; ++i) to[3 + i] = turn_rate[static_cast<Eigen::Index>(i)];
  }
  mechanics::extra_rates({system_, params_, there}, equations_of(state).workspace(), multipliers_,
                         std::span(out).subspan((width + 6) * bodies));
  return std::all_of(out.begin() + static_cast<std::ptrdiff_t>((width + 6) * bodies), out.end(),
                     [](double x) { return std::isfinite(x); });
}

void MachineProblem::sum_rates(std::span<const integrate::Term> terms, std::span<double> sum) const {
  if (terms.empty()) std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const double factor = terms[t].coefficient;
    const double* const rate = rates_[static_cast<std::size_t>(terms[t].rate)].data();
    if (t == 0) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = factor * rate[i];
    } else {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * rate[i];
    }
  }
}

void MachineProblem::combine_rates(std::span<const integrate::Term> terms, int to) {
  sealed_.combine_rates(terms, to);
  sum_rates(terms, sum_);
  rates_[static_cast<std::size_t>(to)] = sum_;
}

void MachineProblem::to_tangent(const system::State& state, std::span<const double> linear,
                                std::span<double> tangent) const {
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    const double* const from = &linear[7 * b];
    const Quaternion change(from[3], from[4], from[5], from[6]);
    const Vector3 turn = 2.0 * (change * state.orientation[b].conjugate()).vec();
    std::copy_n(from, 3, &tangent[6 * b]);
    std::copy_n(turn.data(), 3, &tangent[6 * b + 3]);
  }
}

void MachineProblem::to_linear(const system::State& state, std::span<const double> tangent,
                               std::span<double> linear) const {
  for (std::size_t b = 0; b < state.position.size(); ++b) {
    std::copy_n(&tangent[6 * b], 3, &linear[7 * b]);
    put_quaternion(0.5 * Vector3::Map(&tangent[6 * b + 3]), state.orientation[b], &linear[7 * b + 3]);
  }
}

void MachineProblem::combine(int from, double time, std::span<const integrate::Term> terms, int to) {
  sealed_.combine(from, time, terms, to);
  if (chart_ == integrate::Chart::exponential) {
    sum_rates(terms, offset_);
    move(from, time, to);
    return;
  }
  // Positions and velocities by move(), orientations as sums of quaternions.
  sum_rates(terms, sum_);
  const std::size_t bodies = system_.bodies.size();
  std::copy(sum_.begin() + static_cast<std::ptrdiff_t>(7 * bodies), sum_.end(),
            offset_.begin() + static_cast<std::ptrdiff_t>(6 * bodies));
  for (std::size_t b = 0; b < bodies; ++b) {
    std::copy_n(&sum_[7 * b], 3, &offset_[6 * b]);
    std::fill_n(&offset_[6 * b + 3], 3, 0.0);
  }
  move(from, time, to);
  system::State& state = slot(to).state;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* const change = &sum_[7 * b + 3];
    Quaternion& q = state.orientation[b];
    q = Quaternion(q.w() + change[0], q.x() + change[1], q.y() + change[2], q.z() + change[3]).normalized();
  }
}

void MachineProblem::move(int from, double time, int to) {
  const std::size_t bodies = system_.bodies.size();
  const Slot& base = slot(from);
  Slot& target = slot(to);
  if (to != from) {
    if (target.state.extra.size() != base.state.extra.size()) target.state = base.state;  // the slot is new
    target.state.sides = base.state.sides;
    target.state.origin = base.state.origin;
    target.pivots = base.pivots;
    target.base_pivot = base.base_pivot;
    target.usual_pivot = base.usual_pivot;
    target.base_rank = base.base_rank;
    target.base_time = base.base_time;
  }
  if (to == loaded_slot_) loaded_slot_ = -1;
  target.factor_pose.is_set = false;
  target.is_base = false;
  target.is_at_event = false;
  target.turn.resize(3 * bodies);
  target.state.time = time;
  retract(base.state, std::span(offset_).first(6 * bodies), target.state);
  for (std::size_t b = 0; b < bodies; ++b) {
    for (std::size_t i = 0; i < 3; ++i) target.turn[3 * b + i] = offset_[6 * b + 3 + i];
  }
  const auto add = [&](const std::vector<double>& before, std::size_t first, std::vector<double>& after) {
    for (std::size_t i = 0; i < after.size(); ++i) after[i] = before[i] + offset_[first + i];
  };
  add(base.state.velocity, 6 * bodies, target.state.velocity);
  add(base.state.extra, 12 * bodies, target.state.extra);
}

// Scales: lengths are compared with the size of the machine and the way it has gone since the start, so that neither
// the place of the world's origin nor the unit counts; velocities likewise with a second.
// Summed by component, owners last: a component that is somebody else's adds the same number.
integrate::Norm MachineProblem::weighted_norm(const system::State& state) {
  const std::size_t bodies = system_.bodies.size();
  norms_.assign(system_.components.size(), 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    double& sum = norms_[static_cast<std::size_t>(system_.bodies[b].component)];
    const auto add = [&](std::size_t first, double scale) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double relative = offset_[first + k] / (tolerance_ * scale);
        sum += relative * relative;
      }
    };
    const double* const v = &state.velocity[6 * b];
    add(6 * b, params_.length + (system::place_of(state, b) - start_position_[b]).norm());
    add(6 * b + 3, 1.0);
    add(6 * bodies + 6 * b, params_.length + Vector3(v[0], v[1], v[2]).norm());
    add(6 * bodies + 6 * b + 3, 1.0 + Vector3(v[3], v[4], v[5]).norm());
  }
  // Tracked angles only count turns, works only keep the books: their error is not an error of the motion.
  for (const system::StateEntry& entry : system_.extra.first_order()) {
    for (std::size_t i = entry.begin(); i < entry.end(); ++i) {
      const double scale = params_.extra_scales[i] + std::abs(state.extra[i]);
      const double relative = offset_[12 * bodies + i] / (tolerance_ * scale);
      norms_[at(entry.component)] += relative * relative;
    }
  }
  integrate::Norm norm;
  norm.count = 12 * bodies + system_.extra.count(system::StateKind::first_order);
  return norm;
}

integrate::Norm MachineProblem::sum_norms(integrate::Norm norm) {
  for (std::size_t c = norms_.size(); c-- > 1;) norms_[at(system_.components[c].owner)] += norms_[c];
  norm.sum = norms_.front();
  return norm;
}

integrate::Norm MachineProblem::error_norm(int from, int to, std::span<const integrate::Term> error) {
  const std::size_t bodies = system_.bodies.size();
  const system::State& state = slot(to).state;
  if (chart_ == integrate::Chart::linear) {
    sum_rates(error, sum_);
    to_tangent(state, sum_, offset_);
    std::copy(sum_.begin() + static_cast<std::ptrdiff_t>(7 * bodies), sum_.end(),
              offset_.begin() + static_cast<std::ptrdiff_t>(6 * bodies));
  } else {
    sum_rates(error, offset_);
  }
  integrate::Norm norm = weighted_norm(state);
  for (std::size_t s = 0; s < system_.sealed.size(); ++s) {
    const integrate::Norm inside = sealed_.error_norm(s, from, to, error);
    norms_[at(system_.sealed[s].component)] = inside.sum;
    norm.count += inside.count;
  }
  norm = sum_norms(norm);
  // Neither what is inside nor what an owner does can be looked at as below.
  if (!system_.sealed.empty() || !system_.mounts.empty()) return norm;
  const double error_squared = norm.sum / static_cast<double>(norm.count);
  const bool is_small = error_squared * tolerance_ * tolerance_ < kSurelyProjected * kSurelyProjected;
  if (error_squared <= 1.0 || !is_small || system_.rows.empty()) return norm;
  // Near a singular pose stages err across the constraints, in directions that the end of the step does not allow.
  // Before a step is refused there, only that part of the error counts that the projection at its end will leave.
  Equations& equations = prepare(to);
  const Slot& end = slot(to);
  const double pivot = std::min(end.base_pivot, equations.solver().smallest_pivot()) / end.usual_pivot;
  if (!(pivot < kNearSingular)) return norm;
  std::fill(no_motion_.begin(), no_motion_.end(), 0.0);
  const std::span<double> positions = std::span(offset_).first(6 * bodies);
  const std::span<double> velocities = std::span(offset_).subspan(6 * bodies, 6 * bodies);
  equations.solver().project(positions, no_motion_, positions, {});
  equations.solver().project(velocities, no_motion_, velocities, {});
  integrate::Norm along = sum_norms(weighted_norm(state));
  if (along.sum > norm.sum) along = norm;
  // What rounding does to the error there cannot be made smaller by shorter steps.
  const double rounding = rounding_near(state, pivot, state.time - slot(from).state.time) / tolerance_;
  const double no_growth = std::min(along.sum, 0.25 * static_cast<double>(along.count));
  along.sum = std::max(no_growth, along.sum / (1.0 + rounding * rounding));
  return along;
}

// The last stage of a step is an estimate of its end, wrong by a power of the step: its factorization takes the
// positions there as well as their own would. What is held depends on the step alone, as outputs have their own
// equations.
bool MachineProblem::is_near_held_stage(const Slot& s) const {
  const solve::MotionSolver& solver = equations_.solver();
  return held_stage_.is_set && !s.is_base && !s.is_at_event && held_stage_.base_time == s.base_time &&
         held_stage_.time == s.state.time && !solver.remembers_pose() && !solver.is_corrected() &&
         static_cast<std::int32_t>(solver.rank()) == s.pivots.rank &&
         solver.smallest_pivot() > kNearSingular * s.usual_pivot;
}

bool MachineProblem::project(int index) {
  Slot& s = slot(index);
  if (law_jump_.is_impossible() && s.state.time == law_jump_.time) return false;
  const bool is_output = index == integrate::Integrator::kOutputState;
  // Before the joints are closed, so that they are with all digits.
  if (index == integrate::Integrator::kCurrentState && !keeps_origins_) {
    system::move_origins(system_, params_, s.state);
  }
  Equations& equations = equations_of(index);
  pivots_before_ = s.pivots;
  if (!is_output) loaded_slot_ = -1;
  const double kinetic_before = s.is_at_event ? mechanics::kinetic_energy(params_, s.state) : 0.0;
  const bool is_near = !is_output && is_near_held_stage(s);
  held_stage_.is_set = is_output && held_stage_.is_set;
  equations.set_slot(index);
  const bool is_closed = equations.project(s.state, s.pivots, s.factor_pose, is_near);
  if (equations.sealed().has_failed() || !is_closed) return false;
  if (!is_output && lands_on_singular_pose(s)) return false;
  if (std::exchange(s.is_at_event, false)) {
    s.state.extra[system_.work_place(system::Work::impacts)] +=
        mechanics::kinetic_energy(params_, s.state) - kinetic_before;
  }
  const Equations::Drift& drift = equations.drift();
  statistics_.largest_residual = std::max(statistics_.largest_residual, drift.position_after);
  statistics_.largest_rate_residual = std::max(statistics_.largest_rate_residual, drift.velocity_after);
  statistics_.largest_dropped = std::max(statistics_.largest_dropped, drift.dropped);
  s.is_base = true;
  s.base_pivot = equations.solver().smallest_pivot();
  s.usual_pivot = std::max(s.usual_pivot, s.base_pivot);
  s.base_rank = s.pivots.rank;
  s.base_time = s.state.time;
  std::fill(s.turn.begin(), s.turn.end(), 0.0);
  if (is_output) return true;
  loaded_slot_ = index;
  held_pose_ = s.factor_pose;
  ++statistics_.factorizations;
  if (!s.pivots.has_stamp_of(pivots_before_) && s.pivots.accepted != pivots_before_.accepted)
    ++statistics_.pivot_changes;
  // Work states of a method are projected too; what counts is where a step ends.
  if (index == integrate::Integrator::kCurrentState) note_rank(s);
  statistics_.largest_drift = std::max(statistics_.largest_drift, drift.position_before);
  statistics_.largest_slip = std::max(statistics_.largest_slip, drift.slip);
  return true;
}

void MachineProblem::note_rank(const Slot& s) {
  std::optional<RankChange> change =
      find_rank_change(system_, equations_.workspace().joints.layout, s.state.time, pivots_before_, s.pivots);
  if (!change) return;
  if (change->is_rank_change()) {
    ++statistics_.rank_changes;
    ++statistics_.rank_change_count;
  }
  if (statistics_.rank_history.size() == kMostKeptRankChanges) return;
  statistics_.rank_history.push_back(std::move(*change));
}

}  // namespace gelenk::analysis
