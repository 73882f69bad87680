#include "gelenk/analysis/kinematic/driven_poses.h"

#include <algorithm>
#include <cmath>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/switches.h"
#include "gelenk/system/origins.h"

namespace gelenk::analysis {
namespace {

// Lengths of the machine and rad. What was foreseen, and where the joints have taken it:
constexpr double kForeseen = 1e-6;     // nothing else can be meant
constexpr double kLongestStep = 0.3;   // no part moves further at once
constexpr double kStraightness = 0.2;  // of the way
constexpr double kSameVelocity = 0.5;  // of the velocity: on another branch it is a different one
constexpr double kOffTheLaw = 1e-9;    // of a driver

double size_of_motion(std::span<const double> motion, double length) {
  double largest = 0.0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    largest = std::max(largest, std::abs(motion[i]) / (i % 6 < 3 ? length : 1.0));
  }
  return largest;
}

double distance_of(const system::State& a, const system::State& b, double length) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    largest = std::max(largest, (a.position[i] - b.position[i]).norm() / length);
    largest = std::max(largest, 2.0 * (a.orientation[i].conjugate() * b.orientation[i]).vec().norm());
  }
  return largest;
}

}  // namespace

DrivenPoses::DrivenPoses(const system::System& system, const system::Params& params, double rank_tolerance,
                         double smallest_step)
    : system_(system),
      params_(params),
      smallest_step_(smallest_step),
      equations_(system, params),
      way_(6 * system.bodies.size(), 0.0),
      multipliers_(system.row_count(), 0.0) {
  equations_.set_rank_tolerance(rank_tolerance);
}

// Whether the joints let the drivers be where their laws say: next to a lock-up a row of theirs may be dropped as one
// that depends on others.
bool DrivenPoses::meets_laws(const system::State& state) {
  const mechanics::View<double> now = mechanics::view({system_, params_, state}, equations_.workspace());
  return std::all_of(system_.drivers.begin(), system_.drivers.end(), [&](const system::Driver& driver) {
    const bool slides =
        system_.coordinates[at(driver.coordinate)].type->motion == model::Coordinate::Motion::translation;
    const double off = now.coordinate(driver.coordinate) - now.signal(driver.law);
    return std::abs(off) <= kOffTheLaw * (slides ? params_.length : 1.0);
  });
}

// Onto the joints and drivers: positions, velocities, accelerations.
bool DrivenPoses::settle(Place& place) {
  factor_pose_.is_set = false;
  if (!equations_.project(place.state, place.pivots, factor_pose_) || !meets_laws(place.state)) return false;
  place.accelerations.resize(way_.size());
  equations_.solve_accelerations(place.state, place.accelerations, multipliers_);
  return std::all_of(place.accelerations.begin(), place.accelerations.end(), [](double a) { return std::isfinite(a); });
}

bool DrivenPoses::start(const system::State& state) {
  here_.state = state;
  std::fill(here_.state.velocity.begin(), here_.state.velocity.end(), 0.0);
  equations_.load_rows(here_.state);
  mechanics::set_all_sides(system_, params_, equations_.workspace(), here_.state);
  if (!settle(here_)) return false;
  undetermined_ = 6 * system_.bodies.size() - equations_.solver().rank();
  return true;
}

void DrivenPoses::go_back(const Place& place) {
  here_ = place;
  equations_.load(here_.state);
}

PointMotion DrivenPoses::point(std::size_t part, const Vector3& p_P) {
  const std::int32_t body = system_.parts[part].body;
  const Vector3 p_B = params_.parts[part].X_BP * p_P;
  if (body == system::kGround) return {p_B, Vector3::Zero(), Vector3::Zero()};
  const mechanics::Motion<double>& B = equations_.workspace().bodies[at(body)];
  const Vector3 arm = B.R * p_B;
  const double* const a = &here_.accelerations[6 * at(body)];
  const Vector3 turning(a[3], a[4], a[5]);
  const Vector3 spin = B.w.cross(arm);
  return {system::origin_of(here_.state, at(body)) + B.p + arm, B.v + spin,
          Vector3(a[0], a[1], a[2]) + turning.cross(arm) + B.w.cross(spin)};
}

bool DrivenPoses::try_step(double time) {
  const double dt = time - here_.state.time;
  const bool is_determined = undetermined_ == 0;
  next_.state = here_.state;
  next_.pivots = here_.pivots;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    const double bend = is_determined ? 0.5 * dt * here_.accelerations[i] : 0.0;
    way_[i] = dt * (here_.state.velocity[i] + bend);
    next_.state.velocity[i] = is_determined ? here_.state.velocity[i] + dt * here_.accelerations[i] : 0.0;
  }
  const double motion = size_of_motion(way_, params_.length);
  if (!(motion <= kLongestStep)) return false;
  retract(here_.state, way_, next_.state);
  next_.state.time = time;
  const mechanics::View<double> now = view();
  for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
    const std::int32_t tracked = system_.coordinates[i].tracked;
    if (tracked >= 0) next_.state.extra[at(tracked)] += dt * now.rate(static_cast<std::int32_t>(i));
  }
  velocity_ = next_.state.velocity;
  const system::State foreseen = next_.state;
  if (!settle(next_)) return false;
  const double correction = distance_of(foreseen, next_.state, params_.length);
  if (correction <= kForeseen) return true;
  if (!(correction <= kStraightness * motion)) return false;
  if (!is_determined) return true;
  double largest = size_of_motion(velocity_, params_.length);
  for (std::size_t i = 0; i < velocity_.size(); ++i) velocity_[i] -= next_.state.velocity[i];
  largest = std::max(largest, size_of_motion(next_.state.velocity, params_.length));
  return size_of_motion(velocity_, params_.length) <= kSameVelocity * largest;
}

bool DrivenPoses::lead_to(double time) {
  double step = time - here_.state.time;
  while (here_.state.time != time) {
    const double left = time - here_.state.time;
    const bool is_last = std::abs(step) >= std::abs(left);
    if (try_step(is_last ? time : here_.state.time + step)) {
      std::swap(here_, next_);
      step *= 2.0;
      continue;
    }
    if (is_last) step = left;
    step *= 0.5;
    equations_.load(here_.state);
    if (!(std::abs(step) >= smallest_step_)) return false;
  }
  return true;
}

system::State state_for(const system::System& other, const system::Params& params, const system::System& system,
                        const system::State& state) {
  system::State result = state;
  result.extra.assign(other.extra.size(), 0.0);
  for (std::size_t s = 0; s < other.states.size(); ++s) {
    result.extra[at(other.states[s].place)] = state.extra[at(system.states[s].place)];
  }
  for (std::size_t c = 0; c < other.coordinates.size(); ++c) {
    const std::int32_t to = other.coordinates[c].tracked, from = system.coordinates[c].tracked;
    if (to >= 0 && from >= 0) result.extra[at(to)] = state.extra[at(from)];
  }
  result.sides.assign(other.switches.size(), 0);
  mechanics::set_time_sides(other, params, result);
  return result;
}

}  // namespace gelenk::analysis
