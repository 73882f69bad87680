#include "gelenk/integrate/integrator.h"

#include <algorithm>
#include <cmath>

#include "gelenk/integrate/cvode_stepper.h"
#include "gelenk/integrate/generalized_alpha.h"
#include "gelenk/integrate/nordsieck.h"
#include "gelenk/integrate/runge_kutta.h"
#include "gelenk/integrate/time_stepping.h"

namespace gelenk::integrate {
namespace {

// Two times that should be equal but come from different formulas (n·h, k·output_every) differ by this many roundings,
// or by this share of a step, and are not worth a step of their own.
constexpr double kSnapUlps = 8.0 * std::numeric_limits<double>::epsilon();
constexpr double kSnapShare = 1e-9;
// An adaptive step may be stretched so much to end on its target.
constexpr double kStretch = 1.05;
// The dense output gives the event to its own order; secant steps on the step itself end after one or two.
constexpr int kMaxEventRefinements = 4;
// As far ahead as a law counts where no longest step is given, in steps.
constexpr double kAhead = 100.0;
// A law that a step has jumped over counts as so large an error ...
constexpr double kErrorOfHiddenLaw = 1000.0;
// ... for so many tries: what is still hidden then is rounding.
constexpr int kMostTriesWithHiddenLaw = 12;

std::unique_ptr<Stepper> make_stepper(Problem& problem, const Options& options) {
  switch (options.method) {
    case Method::rk4:
      return std::make_unique<RungeKutta>(problem, rk4(), options.tolerance);
    case Method::generalized_alpha:
      return std::make_unique<GeneralizedAlpha>(problem, options.spectral_radius);
    case Method::adams:
      return std::make_unique<Nordsieck>(problem, Multistep::adams, options.tolerance);
    case Method::bdf:
      return std::make_unique<Nordsieck>(problem, Multistep::bdf, options.tolerance);
    case Method::moreau:
      return std::make_unique<TimeStepping>(problem);
    case Method::cvode:
      return std::make_unique<CvodeStepper>(problem, CvodeStepper::Limits{.first_step = options.first_step,
                                                                          .max_step = options.max_step,
                                                                          .smallest_step = options.smallest_step});
    case Method::dopri5:
      break;
  }
  return std::make_unique<RungeKutta>(problem, dopri5(), options.tolerance);
}

}  // namespace

Integrator::Integrator(Problem& problem, const Options& options, double start_time)
    : problem_(problem),
      options_(options),
      stepper_(make_stepper(problem, options)),
      search_(problem, *stepper_, options.event_tolerance),
      laws_(problem.watched_laws(), *stepper_),
      slacks_before_(problem.switch_count()),
      slacks_after_(problem.switch_count()) {
  memory_.time = memory_.grid_start = memory_.chatter_start = start_time;
  events_.reserve(problem.switch_count() + 1);
}

void Integrator::save(ByteWriter& out) const {
  const Counters& c = memory_.counters;
  out.put(memory_.time);
  out.put(memory_.grid_start);
  out.put(memory_.grid_index);
  out.put(memory_.next_step);
  out.put(memory_.chatter_start);
  out.put(memory_.chatter_count);
  for (const std::int64_t count :
       {c.accepted, c.rejected, c.evaluations, c.newton_iterations, c.newton_factorizations, c.projections, c.events}) {
    out.put(count);
  }
  stepper_->save(out);
  problem_.save_state(kCurrentState, out);
}

void Integrator::load(ByteReader& in) {
  Counters& c = memory_.counters;
  in.get(memory_.time);
  in.get(memory_.grid_start);
  in.get(memory_.grid_index);
  in.get(memory_.next_step);
  in.get(memory_.chatter_start);
  in.get(memory_.chatter_count);
  for (std::int64_t* count : {&c.accepted, &c.rejected, &c.evaluations, &c.newton_iterations, &c.newton_factorizations,
                              &c.projections, &c.events}) {
    in.get(*count);
  }
  stepper_->load(in);
  problem_.load_state(kCurrentState, in);
  failure_ = Failure::none;
  last_step_ = 0.0;
  step_is_dense_ = false;
  events_.clear();
}

bool Integrator::interpolate(double time) {
  if (time == memory_.time) {
    problem_.copy(kCurrentState, kOutputState);
    return true;
  }
  if (!step_is_dense_ || !(time >= stepper_->start_time() && time < memory_.time)) return false;
  stepper_->interpolate(time, kOutputState);
  return problem_.project(kOutputState);
}

Outcome Integrator::advance(double limit) {
  failure_ = Failure::none;
  events_.clear();
  if (!(limit > memory_.time)) return Outcome::ok;
  step_is_dense_ = false;
  const Target target = next_target(limit);
  failure_ = target.time > memory_.time ? step_towards(target) : Failure::step_too_small;
  const Stepper::Effort effort = stepper_->take_effort();
  memory_.counters.evaluations += effort.evaluations;
  memory_.counters.newton_iterations += effort.newton_iterations;
  memory_.counters.newton_factorizations += effort.newton_factorizations;
  memory_.counters.rejected += effort.rejected;
  if (failure_ != Failure::none) return Outcome::failed;
  return events_.empty() ? Outcome::ok : Outcome::event;
}

Integrator::Target Integrator::next_target(double limit) {
  Target target{limit};
  double snap = 0.0;
  if (!adaptive()) {
    const double grid = memory_.grid_start + static_cast<double>(memory_.grid_index + 1) * options_.step;
    snap = std::max(kSnapShare * options_.step, kSnapUlps * std::abs(grid));
    target.grid = grid <= limit + snap;
    if (!(grid >= limit - snap)) target.time = grid;  // also where the step is not a number
  }
  if (adaptive() && stepper_->has_own_control()) target.time = memory_.time + visible_step(limit - memory_.time);
  const double jump = problem_.next_discontinuity(memory_.time);
  const bool is_before_end = jump < options_.end_time - kSnapUlps * std::abs(jump);
  if (jump > memory_.time && is_before_end && jump <= std::min(limit, target.time + snap)) {
    target.grid = target.grid && jump >= target.time - snap;
    target.time = jump;
    target.discontinuity = true;
  }
  return target;
}

Failure Integrator::step_towards(const Target& target) {
  // The current state is given: no shorter step could help.
  if (!stepper_->begin(memory_.time)) return Failure::evaluation_failed;
  search_.begin();
  const bool tries_lengths = adaptive() && !stepper_->has_own_control();
  const Failure failure = tries_lengths ? adaptive_step(target) : try_step(target.time);
  if (failure == Failure::none) return arrive(target);
  problem_.copy(Stepper::kStartState, kCurrentState);
  return failure;
}

Failure Integrator::adaptive_step(const Target& target) {
  wanted_step_ = proposed_step(target.time);
  int failures = 0;
  tries_with_hidden_law_ = 0;
  for (was_rejected_ = false;; was_rejected_ = true) {
    wanted_step_ = std::min(wanted_step_, options_.max_step);
    const double end = step_end(wanted_step_, target.time);
    const double length = end - memory_.time;
    if (!(length > 0.0)) return Failure::step_too_small;
    const Failure failure = try_step(end);
    if (failure == Failure::none) return failure;
    ++memory_.counters.rejected;
    if (failure == Failure::step_too_small) {
      // A law may hide in what an event has left of the step.
      const double tried = hidden_law_ >= 0 ? stepper_->end_time() - stepper_->start_time() : length;
      wanted_step_ = stepper_->shorter_step(tried, error_);
    } else {
      wanted_step_ = stepper_->shorter_step_after_failure(length, failures++);
    }
    if (!(wanted_step_ >= options_.smallest_step * std::max(1.0, std::abs(memory_.time)))) return failure;
  }
}

double Integrator::proposed_step(double target) {
  if (memory_.next_step > 0.0) return memory_.next_step;
  if (options_.first_step > 0.0) return visible_step(options_.first_step);
  return visible_step(stepper_->first_step(std::min(target - memory_.time, options_.max_step)));
}

double Integrator::visible_step(double step) {
  const double wanted = std::min(step, options_.max_step);
  return problem_.longest_step(kCurrentState, wanted, std::min(options_.max_step, kAhead * wanted));
}

// A step just a little too long sees a law all the same: where it cannot be shortened, each half of it counts. What is
// hidden in a very short step, such as a root at zero or a jump inside of a formula, is left to the error. Switches
// that move too often to be searched are hidden, too.
std::int32_t Integrator::find_hidden_law() {
  constexpr double kShortest = 1e-5;  // of the longest step
  const double length = stepper_->end_time() - stepper_->start_time();
  const bool can_shorten = adaptive() && !stepper_->has_own_control();
  // Not of this step: where it becomes short, a law still counts beside what it does far around.
  const double ahead = std::isfinite(options_.max_step) ? options_.max_step : kAhead * length;
  const double longest = adaptive() ? ahead : length;
  const double smallest = options_.smallest_step * std::max(1.0, std::abs(memory_.time));
  if (adaptive() && length <= std::max(kShortest * longest, smallest / kShortest)) return -1;
  if (search_.unsearched_law() >= 0) return search_.unsearched_law();
  return laws_.hidden(longest, can_shorten ? 1 : 2);
}

// What a method has learned from long steps says little about something that happens in a short one.
void Integrator::fit_next_step() {
  constexpr double kMuchShorter = 0.5;
  const double visible = visible_step(memory_.next_step);
  const bool is_much_shorter = visible < kMuchShorter * std::min(memory_.next_step, options_.max_step);
  memory_.next_step = is_much_shorter && stepper_->restart() ? 0.0 : visible;
}

// A step that ends just before its target would leave a sliver: the last one is stretched a little, or the last two
// share what is left.
double Integrator::step_end(double step, double target) const {
  const double left = target - memory_.time;
  const double stretched = std::max(step * (1.0 + kSnapShare), std::min(step * kStretch, options_.max_step));
  if (left <= stretched) return target;
  return memory_.time + (left < 2.0 * step ? 0.5 * left : step);
}

// On success the current state is the end of the step, projected; search_.found() are the switches to flip there.
Failure Integrator::try_step(double end) {
  hidden_law_ = -1;
  if (!stepper_->take(end)) {
    return stepper_->has_failed_to_project() ? Failure::projection_failed : Failure::evaluation_failed;
  }
  error_ = adaptive() ? stepper_->error() : 0.0;
  if (!(error_ <= 1.0)) return Failure::step_too_small;
  const std::optional<double> event = search_.find();
  event_at_start_ = event && *event <= stepper_->start_time();
  if (event_at_start_) return Failure::none;
  if (event && !take_step_to_event(*event)) return Failure::evaluation_failed;
  hidden_law_ = find_hidden_law();
  if (hidden_law_ >= 0 && adaptive() && !stepper_->has_own_control() &&
      ++tries_with_hidden_law_ <= kMostTriesWithHiddenLaw) {
    error_ = kErrorOfHiddenLaw;
    return Failure::step_too_small;
  }
  problem_.copy(Stepper::kEndState, kCurrentState);
  ++memory_.counters.projections;
  return problem_.project(kCurrentState) ? Failure::none : Failure::projection_failed;
}

// Takes the step again with exactly the length to the event, so that the state there has the full order of the method;
// the time is corrected until the slack of that state, and not only of the dense output, is zero.
bool Integrator::take_step_to_event(double time) {
  const double last = stepper_->end_time();
  EventSearch::Point previous;
  for (int refinement = 0;; ++refinement) {
    if (!stepper_->take(time)) return false;
    const EventSearch::Point here = search_.at_step_end();
    const double slope =
        refinement == 0 ? search_.slope_to(here) : (here.value - previous.value) / (here.time - previous.time);
    const double correction = -here.value / slope;
    if (!(slope < 0.0) || std::abs(correction) <= search_.location_tolerance(time)) return true;
    if (refinement == kMaxEventRefinements) return true;
    if (!(time + correction > stepper_->start_time() && time + correction <= last)) return true;
    time += correction;
    previous = here;
  }
}

Failure Integrator::arrive(const Target& target) {
  const double time = event_at_start_ ? memory_.time : stepper_->end_time();
  const bool reached = time == target.time;
  if (reached && target.discontinuity) events_.push_back({time, Event::kDiscontinuity});
  for (const std::size_t which : search_.found()) events_.push_back({time, which});
  if (!events_.empty() && !apply_events(time)) {
    problem_.copy(Stepper::kStartState, kCurrentState);
    events_.clear();
    return Failure::projection_failed;
  }
  if (reached && target.grid) ++memory_.grid_index;
  last_step_ = time - memory_.time;
  memory_.time = time;
  step_is_dense_ = !event_at_start_;
  if (!event_at_start_) note_accepted();
  if (!events_.empty() && stepper_->restart()) memory_.next_step = 0.0;
  if (adaptive() && !stepper_->has_own_control() && memory_.next_step > 0.0) fit_next_step();
  return chatters() ? Failure::chattering : Failure::none;
}

void Integrator::note_accepted() {
  ++memory_.counters.accepted;
  stepper_->accept();
  if (!adaptive()) return;
  double next = stepper_->next_step(last_step_, error_);
  if (last_step_ < wanted_step_) next = std::max(next, wanted_step_);  // cut by its target: the error says little
  memory_.next_step = was_rejected_ ? std::min(next, wanted_step_) : next;
}

// Jumps and flips may push further switches over their edge at once; each of them flips once at most.
bool Integrator::apply_events(double time) {
  problem_.slacks(kCurrentState, slacks_before_);
  for (std::size_t done = 0; done < events_.size();) {
    for (; done < events_.size(); ++done) {
      const std::size_t which = events_[done].which;
      if (which == Event::kDiscontinuity) {
        problem_.cross(kCurrentState);
      } else {
        problem_.flip(kCurrentState, which);
      }
    }
    ++memory_.counters.projections;
    if (!problem_.project(kCurrentState)) return false;
    problem_.slacks(kCurrentState, slacks_after_);
    for (std::size_t i = 0; i < slacks_after_.size(); ++i) {
      const bool flipped = std::ranges::find(events_, i, &Event::which) != events_.end();
      if (!flipped && slacks_before_[i] >= 0.0 && slacks_after_[i] < 0.0) events_.push_back({time, i});
    }
  }
  memory_.counters.events += static_cast<std::int64_t>(events_.size());
  return true;
}

bool Integrator::chatters() {
  const bool flipped = !events_.empty() && events_.back().which != Event::kDiscontinuity;
  if (!flipped) return false;
  if (memory_.time - memory_.chatter_start > options_.chatter_window) {
    memory_.chatter_start = memory_.time;
    memory_.chatter_count = 0;
  }
  return ++memory_.chatter_count > options_.chatter_events;
}

}  // namespace gelenk::integrate
