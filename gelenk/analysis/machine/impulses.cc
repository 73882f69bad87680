#include "gelenk/analysis/machine/impulses.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "gelenk/analysis/machine/contact_channels.h"
#include "gelenk/base/index.h"
#include "gelenk/math/rotation.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

constexpr int kMostSweeps = 200;
// Parts shorter than this share of the rest of the step are not worth a step of their own.
constexpr double kShortestPart = 1e-9;
// Of the machine's size: gaps that count as closed, and overlaps that nobody corrects.
constexpr double kTouching = 1e-9;
constexpr double kAllowedOverlap = 1e-6;
// How much of the rest of an overlap one step takes away, and how fast at most (m/s), contact.md (3.5).
constexpr double kCorrected = 0.2;
constexpr double kFastestCorrection = 1.0;
constexpr int kCorrectionSweeps = 5;
// Approaches slower than this, times √(g L), do not bounce.
constexpr double kSlowestBounce = 1e-3;
// Of that: the natural map that impacts are solved to.
constexpr double kImpactTolerance = 1e-3;
// Slower than this part of √(g L), a contact sticks: for the names of modes alone.
constexpr double kSticks = 1e-5;
// Friction above this part of its limit is at its limit.
constexpr double kAtLimit = 0.999;

double gravity_of(const system::Params& params) {
  if (const auto* uniform = std::get_if<model::UniformGravity>(&params.gravity)) return uniform->acceleration.norm();
  return 0.0;
}

Vector3 velocity_at(std::span<const double> twists, std::int32_t body, const Vector3& arm) {
  if (body < 0) return Vector3::Zero();
  const double* const v = &twists[6 * at(body)];
  return Vector3(v[0], v[1], v[2]) + Vector3(v[3], v[4], v[5]).cross(arm);
}

// γ_N at a point for these velocities, or its rate for accelerations, less what the turning of the bodies adds.
double normal_velocity(const system::State& state, const FoundPoint& found, std::span<const double> twists) {
  const Vector3 place = 0.5 * (found.point.on_a + found.point.on_b);
  const auto arm = [&](std::int32_t body) {
    return body < 0 ? place : Vector3(place - system::place_of(state, at(body)));
  };
  return found.point.normal.dot(velocity_at(twists, found.body_b, arm(found.body_b)) -
                                velocity_at(twists, found.body_a, arm(found.body_a)));
}

bool is_before(const ContactMemory::Point& p, std::int32_t a, std::int32_t b, std::int32_t feature) {
  if (p.a != a) return p.a < a;
  if (p.b != b) return p.b < b;
  return p.feature < feature;
}

// What a point carried in the last step; null: nothing.
const ContactMemory::Point* find_point(const std::vector<ContactMemory::Point>& points, const FoundPoint& found) {
  const auto it = std::partition_point(points.begin(), points.end(), [&](const ContactMemory::Point& p) {
    return is_before(p, found.contour_a, found.contour_b, found.point.feature);
  });
  const bool is_it =
      it != points.end() && it->a == found.contour_a && it->b == found.contour_b && it->feature == found.point.feature;
  return is_it ? &*it : nullptr;
}

}  // namespace

MachineImpulses::MachineImpulses(const system::System& system, const system::Params& params, MachineSlots& slots,
                                 MachineDynamics& dynamics)
    : system_(system),
      params_(params),
      slots_(slots),
      dynamics_(dynamics),
      finder_(system, params),
      nodes_(system, params),
      hard_(system, params),
      has_changed_(system.bodies.size(), 0),
      multipliers_(system.row_count(), 0.0) {
  const double gravity = gravity_of(params);
  scale_ = gravity > 0.0 ? gravity : params.length;
  slowest_bounce_ = kSlowestBounce * std::sqrt(scale_ * params.length);
  touching_ = kTouching * params.length;
  sticking_speed_ = kSticks * std::sqrt(scale_ * params.length);
  for (std::vector<double>* six : {&accelerations_, &smooth_, &velocities_, &changes_, &loads_, &shifts_}) {
    six->assign(6 * system.bodies.size(), 0.0);
  }
  kept_.laws.resize(system.hard_laws.size());
  kept_.contacts.assign(model::kContactNumbers * system.contacts.size(), 0.0);
  hard_channels_.assign(hard_.is_empty() ? 0 : system.force_channels, 0.0);
}

void MachineImpulses::use_slots(int first_state, int first_rate) {
  first_state_ = first_state;
  first_rate_ = first_rate;
}

bool MachineImpulses::take_step(int from, double end, int to) {
  tried_ = kept_;
  tried_.loads.assign(loads_.size(), 0.0);
  for (ContactMemory::Law& law : tried_.laws) law.force = law.power = 0.0;
  std::fill(tried_.contacts.begin(), tried_.contacts.end(), 0.0);
  events_.clear();
  divisions_ = 0;
  const double start = slots_[from].state.time;
  Part part{start, end - start, first_state_, first_state_ + 1};
  slots_.copy(from, part.from);
  while (part.start < end) {
    if (!take_part(part, end)) return false;
    part.start = slots_[part.to].state.time;
    std::swap(part.from, part.to);
  }
  slots_.copy(part.from, to);
  for (double& load : tried_.loads) load /= end - start;
  finish_channels(end - start);
  note_modes(end);
  note_laws(end);
  return true;
}

// Sets the length of the part, and makes its end. Three rates: at the start, in the middle, and that of the whole part.
bool MachineImpulses::take_part(Part& part, double step_end) {
  const double rest = step_end - part.start;
  const auto evaluate = [&] {
    if (!dynamics_.evaluate(part.from, first_rate_)) return false;
    const std::span<const double> rates = velocity_rates(first_rate_);
    std::copy(rates.begin(), rates.end(), accelerations_.begin());
    find_approach(slots_[part.from], rest);
    if (!hard_.is_empty()) hard_.find(context_of(part.from), workspace(), accelerations_, rest, tried_.laws);
    return true;
  };
  if (!evaluate()) return false;
  if (bounce(part.from, part.start) && !evaluate()) return false;
  part.length = rest;
  const double arrival = next_arrival(rest);
  if (arrival < rest && divisions_ < kMostDivisions) {
    ++divisions_;
    part.length = std::max(arrival, kShortestPart * rest);
  }
  const bool is_last = part.length >= (1.0 - kShortestPart) * rest;
  if (is_last) part.length = rest;
  if (!move_smoothly(part)) return false;
  choose_points(part.length);
  solve_contacts(part);
  find_velocities(part.length);
  put_works(part);
  hard_.remember(problem_, part.length, sticking_speed_ + tolerance(part.length), tried_.laws);
  correct_overlap(part.length);
  put_motion(part);
  remember(part.length);
  const integrate::Term term{part.length, first_rate_ + 2};
  slots_.combine(part.from, is_last ? step_end : part.start + part.length, std::span(&term, 1), part.to);
  return dynamics_.project(part.to);
}

// Points, and how fast they approach.
void MachineImpulses::find_approach(const MachineSlot& slot, double length) {
  points_ = finder_.find(slot.state, accelerations_, length);
  approach_.resize(points_.size());
  acceleration_.resize(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    approach_[i] = normal_velocity(slot.state, points_[i], slot.state.velocity);
    acceleration_[i] = normal_velocity(slot.state, points_[i], accelerations_);
  }
}

bool MachineImpulses::is_bouncing(std::size_t point) const {
  return params_.contacts[at(points_[point].contact)].restitution > 0.0 && approach_[point] < -slowest_bounce_;
}

// Contacts with restitution that are closed and approach: an impact at this instant, contact.md (3.4). Returns whether
// there was one.
bool MachineImpulses::bounce(int index, double time) {
  bool is_any = false;
  chosen_.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!(points_[i].point.gap <= touching_)) continue;
    chosen_.push_back(static_cast<std::int32_t>(i));
    is_any = is_any || is_bouncing(i);
  }
  is_any = hard_.choose_closed(touching_, slowest_bounce_) || is_any;
  if (!is_any) return false;
  MachineSlot& slot = slots_[index];
  Equations& equations = dynamics_.prepare(index);
  const std::span<const RowOnBodies> rows = hard_.on_bodies(context_of(index), workspace());
  nodes_.build(slot.state, slot.state.velocity, points_, chosen_, rows, equations, problem_);
  if (!solve_bounce(slot, true)) {
    nodes_.build(slot.state, slot.state.velocity, points_, chosen_, rows, equations, problem_);
    solve_bounce(slot, false);
    ++tried_.report.lost_bounces;
  }
  nodes_.spread(problem_, equations, loads_, changes_, multipliers_);
  for (std::size_t i = 0; i < loads_.size(); ++i) tried_.loads[i] += loads_[i];
  impact_work_ = 0.0;
  note_impacts(time);
  note_law_impacts(time);
  add_contact_impulses(system_, points_, chosen_, problem_, tried_.contacts);
  slot.state.extra[system_.work_place(system::Work::impacts)] += impact_work_;
  slot.state.extra[system_.work_place(system::Work::drivers)] += work_of_drivers();
  slots_.touch(index);
  for (std::size_t i = 0; i < changes_.size(); ++i) slot.state.velocity[i] += changes_[i];
  return true;
}

// False: it would have gained energy, as Newton's coefficient may with friction.
bool MachineImpulses::solve_bounce(const MachineSlot& slot, bool has_restitution) {
  constexpr double kRounding = 1e-12;
  before_.clear();
  double gained = 0.0;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    contact::PointProblem& point = problem_.points()[k];
    before_.push_back(problem_.velocity_of(point));
    if (has_restitution && is_bouncing(at(chosen_[k]))) {
      point.target = params_.contacts[at(points_[at(chosen_[k])].contact)].restitution * before_[k][0];
    }
  }
  hard_.begin_impact(has_restitution, slowest_bounce_, problem_);
  // Between what is aimed at and what is noted as not reached there is a factor, as in steps.
  const double wanted = kImpactTolerance * slowest_bounce_;
  const contact::SolveReport solved =
      problem_.solve({.tolerance = wanted, .least_sweeps = 1, .most_sweeps = 5 * kMostSweeps});
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const contact::PointProblem& point = problem_.points()[k];
    gained += 0.5 * point.impulse.dot(before_[k] + problem_.velocity_of(point));
  }
  for (std::size_t k = 0; k < problem_.rows().size(); ++k) {
    const contact::RowProblem& row = problem_.rows()[k];
    gained += 0.5 * row.impulse * (hard_.before(k) + problem_.velocity_of(row));
  }
  const double kinetic = mechanics::kinetic_energy(params_, slot.state);
  if (has_restitution && gained > kRounding * kinetic) return false;
  note_solve(solved, wanted, slot.state.time);
  return true;
}

// When the first contact with restitution closes; the length when none does.
double MachineImpulses::next_arrival(double length) {
  double first = hard_.next_arrival(touching_, slowest_bounce_, length);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double gap = points_[i].point.gap;
    if (!(params_.contacts[at(points_[i].contact)].restitution > 0.0) || gap <= touching_) continue;
    // g + γ t + ½ a t² = 0, the smaller positive root.
    const double speed = approach_[i];
    const double a = acceleration_[i];
    const double discriminant = speed * speed - 2.0 * a * gap;
    if (!(discriminant >= 0.0)) continue;
    const double root = std::sqrt(discriminant);
    const double time = 2.0 * gap / (root - speed);
    if (!(time > 0.0 && speed + a * time < -slowest_bounce_)) continue;
    first = std::min(first, time);
  }
  return first;
}

// In the middle of a part bodies are as fast as friction lets them: what depends on that is then of second order, too.
void MachineImpulses::expect_friction(const Part& part) {
  std::fill(loads_.begin(), loads_.end(), 0.0);
  if (!hard_.add_last_friction(context_of(part.from), workspace(), tried_.laws, loads_)) return;
  multipliers_.assign(multipliers_.size(), 0.0);
  dynamics_.equations().solver().solve(loads_, multipliers_, changes_, {});
  double* const accelerations = &slots_.rate(first_rate_)[changes_.size()];
  for (std::size_t i = 0; i < changes_.size(); ++i) accelerations[i] += changes_[i];
}

// The motion without contacts by the midpoint rule: its velocities.
bool MachineImpulses::move_smoothly(const Part& part) {
  if (!hard_.is_empty()) expect_friction(part);
  const int middle = first_state_ + 2;
  const integrate::Term half{0.5 * part.length, first_rate_};
  slots_.combine(part.from, part.start + 0.5 * part.length, std::span(&half, 1), middle);
  if (!dynamics_.evaluate(middle, first_rate_ + 1)) return false;
  const std::vector<double>& rate = slots_.rate(first_rate_ + 1);
  const std::vector<double>& start = slots_[part.from].state.velocity;
  for (std::size_t i = 0; i < smooth_.size(); ++i) smooth_[i] = start[i] + part.length * rate[smooth_.size() + i];
  return true;
}

// All but those with restitution that are on their way: the part ends where the first of them closes, and they bounce
// there.
void MachineImpulses::choose_points(double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool has_restitution = params_.contacts[at(points_[i].contact)].restitution > 0.0;
    const bool approaches = approach_[i] + acceleration_[i] * length < -slowest_bounce_;
    const bool is_left_out = has_restitution && points_[i].point.gap > touching_ && approaches;
    if (!is_left_out) chosen_.push_back(static_cast<std::int32_t>(i));
  }
  hard_.choose_for_step(touching_, slowest_bounce_, length);
}

void MachineImpulses::solve_contacts(const Part& part) {
  const MachineSlot& slot = slots_[part.from];
  before_.clear();
  if (is_free()) return;
  const mechanics::Context middle = context_of(first_state_ + 2);
  nodes_.build(slot.state, slot.state.velocity, points_, chosen_, hard_.on_bodies(middle, workspace()),
               dynamics_.equations(), problem_);
  for (std::size_t k = 0; k < chosen_.size(); ++k) before_.push_back(problem_.velocity_of(problem_.points()[k]));
  start_smoothly();
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const FoundPoint& found = points_[at(chosen_[k])];
    contact::PointProblem& point = problem_.points()[k];
    point.target = std::max(found.point.gap, 0.0) / part.length;
    if (const ContactMemory::Point* last = find_point(tried_.points, found)) {
      point.impulse = part.length * (point.directions.transpose() * Vector3::Map(last->force.data()));
    }
  }
  hard_.begin_step(middle, workspace(), velocity_rates(first_rate_ + 1), part.length, tried_.laws, problem_);
  const contact::SweepSettings settings{
      .tolerance = tolerance(part.length), .least_sweeps = 1, .most_sweeps = kMostSweeps};
  contact::SolveReport solved = problem_.solve(settings);
  while (hard_.break_away(problem_)) {
    start_smoothly();
    solved = problem_.solve(settings);
  }
  note_solve(solved, tolerance(part.length), part.start + part.length);
}

// The nodes have the velocities without contacts.
void MachineImpulses::start_smoothly() {
  for (std::size_t n = 0; n < problem_.velocities().size(); ++n) {
    std::copy_n(&smooth_[6 * at(nodes_.body_of(static_cast<std::int32_t>(n)))], 6, problem_.velocities()[n].begin());
  }
}

void MachineImpulses::find_velocities(double length) {
  const double slip = sticking_speed_ + tolerance(length);
  std::fill(changes_.begin(), changes_.end(), 0.0);
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  std::fill(loads_.begin(), loads_.end(), 0.0);
  std::fill(has_changed_.begin(), has_changed_.end(), 0);
  if (!is_free()) nodes_.spread(problem_, dynamics_.equations(), loads_, changes_, multipliers_);
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    tried_.loads[i] += loads_[i];
    velocities_[i] = smooth_[i] + changes_[i];
  }
  carried_.clear();
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const FoundPoint& found = points_[at(chosen_[k])];
    const contact::PointProblem& point = problem_.points()[k];
    if (point.impulse[0] > 0.0) {
      const Vector3 velocity = problem_.velocity_of(point);
      const double most = point.friction * point.impulse[0];
      const bool is_at_limit = std::hypot(point.impulse[1], point.impulse[2]) >= kAtLimit * most;
      const bool is_slipping = std::hypot(velocity[1], velocity[2]) > slip;
      carried_.push_back({chosen_[k], point.directions * point.impulse, is_at_limit && is_slipping});
    }
    const ContactMemory::Point* last = find_point(tried_.points, found);
    if ((problem_.points()[k].impulse[0] > 0.0) == (last != nullptr)) continue;
    for (const std::int32_t body : {found.body_a, found.body_b}) {
      if (body >= 0) has_changed_[at(nodes_.group_of(body))] = 1;
    }
  }
  hard_.mark_changed(problem_, length, tried_.laws, nodes_, has_changed_);
}

// Of positions alone: overlaps are taken away without friction, and without a trace in the velocities, contact.md
// (3.5).
void MachineImpulses::correct_overlap(double length) {
  std::fill(shifts_.begin(), shifts_.end(), 0.0);
  const double allowed = kAllowedOverlap * params_.length;
  bool is_any = false;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    contact::PointProblem& point = problem_.points()[k];
    const double gap = points_[at(chosen_[k])].point.gap;
    is_any = is_any || gap < -allowed;
    point.target = gap < -allowed ? kCorrected * (gap + allowed) : std::max(gap, 0.0);
    point.friction = 0.0;
    point.impulse = Vector3::Zero();
  }
  is_any = hard_.begin_correction(allowed, kCorrected, problem_) || is_any;
  if (!is_any) return;
  for (contact::Twist& velocity : problem_.velocities()) velocity = {};
  problem_.solve({.tolerance = 0.0, .least_sweeps = kCorrectionSweeps, .most_sweeps = kCorrectionSweeps});
  nodes_.spread(problem_, dynamics_.equations(), loads_, shifts_, multipliers_);
  double largest = 0.0;
  for (const double shift : shifts_) largest = std::max(largest, std::abs(shift));
  const double most = kFastestCorrection * length;
  if (largest > most) {
    for (double& shift : shifts_) shift *= most / largest;
  }
}

// The rate of the whole part: positions go with the mean velocity, or with that of the end where contacts have changed.
void MachineImpulses::put_motion(const Part& part) {
  std::vector<double>& rate = slots_.rate(first_rate_ + 2);
  const std::vector<double>& start = slots_[part.from].state.velocity;
  const std::size_t count = velocities_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_changed = has_changed_[at(nodes_.group_of(static_cast<std::int32_t>(i / 6)))] != 0;
    const double way = has_changed ? velocities_[i] : 0.5 * (start[i] + velocities_[i]);
    rate[i] = way + shifts_[i] / part.length;
    rate[count + i] = (velocities_[i] - start[i]) / part.length;
  }
}

// Of the impulses that contacts ask of them.
double MachineImpulses::work_of_drivers() {
  double work = 0.0;
  for (std::size_t d = 0; d < system_.drivers.size(); ++d) {
    work += multipliers_[at(system_.drivers[d].row)] * workspace().drivers[d].rate;
  }
  return work;
}

// Powers are those of the middle without contacts; what contacts change of the velocities counts, too.
void MachineImpulses::put_works(const Part& part) {
  std::vector<double>& rate = slots_.rate(first_rate_ + 2);
  const std::vector<double>& of_middle = slots_.rate(first_rate_ + 1);
  const std::size_t count = velocities_.size();
  std::copy(of_middle.begin() + std::ssize(velocities_) * 2, of_middle.end(),
            rate.begin() + std::ssize(velocities_) * 2);
  const std::vector<double>& start = slots_[part.from].state.velocity;
  const std::vector<double>& middle = slots_[first_state_ + 2].state.velocity;
  const mechanics::Workspace& workspace = dynamics_.equations().workspace();
  double missing = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    missing += workspace.forces[i] * (0.5 * (start[i] + velocities_[i]) - middle[i]);
  }
  const double driven = work_of_drivers();
  double normal = 0.0;
  double friction = 0.0;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const contact::PointProblem& point = problem_.points()[k];
    const Vector3 mean = 0.5 * (before_[k] + problem_.velocity_of(point));
    normal += point.impulse[0] * mean[0];
    friction += point.impulse[1] * mean[1] + point.impulse[2] * mean[2];
  }
  hard_.take(problem_, tried_.laws, normal, friction);
  add_contact_impulses(system_, points_, chosen_, problem_, tried_.contacts);
  tried_.report.work_normal += normal;
  tried_.report.work_friction += friction;
  rate[2 * count + system_.work_place(system::Work::forces)] += missing;
  rate[2 * count + system_.work_place(system::Work::drivers)] += driven / part.length;
  rate[2 * count + system_.work_place(system::Work::impacts)] = (normal + friction) / part.length;
}

void MachineImpulses::mean_rate(int from, int to, int index) {
  const system::State& start = slots_[from].state;
  const system::State& end = slots_[to].state;
  std::vector<double>& rate = slots_.rate(index);
  const double length = end.time - start.time;
  const std::size_t count = start.velocity.size();
  for (std::size_t b = 0; b < start.position.size(); ++b) {
    const Vector3 way = system::place_of(end, b) - system::place_of(start, b);
    Quaternion turn = end.orientation[b] * start.orientation[b].conjugate();
    if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
    const double sine = turn.vec().norm();
    const double factor = sine > 0.0 ? 2.0 * std::atan2(sine, turn.w()) / sine : 2.0;
    for (int i = 0; i < 3; ++i) {
      rate[6 * b + static_cast<std::size_t>(i)] = way[i] / length;
      rate[6 * b + static_cast<std::size_t>(i) + 3] = factor * turn.vec()[i] / length;
    }
  }
  for (std::size_t i = 0; i < count; ++i) rate[count + i] = (end.velocity[i] - start.velocity[i]) / length;
  for (std::size_t i = 0; i < start.extra.size(); ++i) rate[2 * count + i] = (end.extra[i] - start.extra[i]) / length;
}

}  // namespace gelenk::analysis
