#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gelenk/integrate/event_search.h"
#include "gelenk/integrate/law_watch.h"
#include "gelenk/integrate/problem.h"
#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

enum class Method { rk4, dopri5, adams, bdf, generalized_alpha, cvode, moreau };

struct Options {
  Method method = Method::dopri5;
  // Fixed-step methods: grid t0 + n·step (s), > 0.
  double step = 1e-3;
  // Adaptive methods. The tolerance itself is in the weights of the problem; here it only helps to guess a first step.
  double tolerance = 1e-6;
  double max_step = std::numeric_limits<double>::infinity();  // s
  double first_step = 0.0;                                    // s; 0: chosen from the first two rates
  // An adaptive step that would have to be shorter fails: s, times |t| where that is more than 1 s.
  double smallest_step = 1e-12;
  // State-dependent switches are located to this time (s), and those within it count as simultaneous.
  double event_tolerance = 1e-10;
  // generalized_alpha: how much of the fastest oscillations is left after a step, from 0 (none) to 1 (all).
  double spectral_radius = 0.8;
  // Where the whole integration ends: a law that jumps just there is not followed to its other side.
  double end_time = std::numeric_limits<double>::infinity();
  // More instants with flips than this within the window (s) are chattering.
  int chatter_events = 100;
  double chatter_window = 1e-6;
};

struct Event {
  static constexpr std::size_t kDiscontinuity = static_cast<std::size_t>(-1);

  double time = 0.0;
  std::size_t which = kDiscontinuity;  // number of the switch, or kDiscontinuity: known time at which a law jumps
};

enum class Outcome {
  ok,
  event,  // the step ended on a discontinuity or on a switch; see events()
  failed  // see failure()
};

enum class Failure {
  none,
  step_too_small,     // the error asks for steps below the smallest one (or the fixed step is lost in rounding)
  evaluation_failed,  // a rate could not be evaluated; adaptive: not even with the smallest step
  projection_failed,  // the constraints could not be met; adaptive: not even with the smallest step
  chattering,         // switches flip again and again without time going on
};

struct Counters {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::int64_t evaluations = 0;
  std::int64_t newton_iterations = 0;
  std::int64_t newton_factorizations = 0;
  std::int64_t projections = 0;  // without those of interpolate(), which are no part of the motion
  std::int64_t events = 0;
};

// Integration with step control, dense output and events, by any method.
//
//   Integrator integrator(problem, options, t0);       // the start state is in slot kCurrentState, on its constraints
//   while (integrator.time() < end) {
//     if (integrator.advance(end) == Outcome::failed) ...
//     while (next_output <= integrator.time()) integrator.interpolate(next_output) ... slot kOutputState
//   }
//
// advance() allocates nothing.
class Integrator {
 public:
  static constexpr int kCurrentState = Stepper::kCurrentState;
  static constexpr int kOutputState = Stepper::kOutputState;

  // What all methods remember.
  struct Memory {
    double time = 0.0;
    double grid_start = 0.0;      // fixed step: t = grid_start + grid_index·step, never accumulated
    std::int64_t grid_index = 0;  // last grid point that was reached
    double next_step = 0.0;       // adaptive: proposal, 0: none yet
    double chatter_start = 0.0;   // time of the first of the events counted in chatter_count
    int chatter_count = 0;
    Counters counters;
  };

  // Reserves the slots. `problem` must outlive the integrator. Implicit methods need a problem that has implicit(),
  // cvode one that has flat(), too, moreau one that has jumps().
  Integrator(Problem& problem, const Options& options, double start_time);
  Integrator(const Integrator&) = delete;  // its parts refer to each other; save() is what can be kept
  Integrator& operator=(const Integrator&) = delete;

  // One accepted step, never beyond `limit` and exactly on it at the end; it also ends exactly on discontinuities and
  // events, which are passed before it returns. Does nothing if the time is there already. After a failure the current
  // state is still the last good one.
  Outcome advance(double limit);

  // What rates depend on has changed, and the state has not: methods that remember earlier steps start anew.
  void restart() {
    if (stepper_->restart()) memory_.next_step = 0.0;
  }

  double time() const { return memory_.time; }
  double last_step() const { return last_step_; }
  Failure failure() const { return failure_; }
  // What happened at the end of the last step, in the order in which it was applied.
  std::span<const Event> events() const { return events_; }
  const Counters& counters() const { return memory_.counters; }

  // The state at a time inside the last accepted step -> slot kOutputState, projected. At the end of the step it is the
  // current state, after events. False: no such step, or the projection failed.
  bool interpolate(double time);

  // The law of the motion that does something in the last step which the step does not see; -1: none. Adaptive methods
  // have none, as long as a shorter step helps.
  std::int32_t hidden_law() const { return hidden_law_; }

  double next_step() const { return memory_.next_step; }  // adaptive: what it would like
  int order() const { return stepper_->order(); }
  bool is_exactly_restartable() const { return stepper_->is_exactly_restartable(); }

  // All that a continuation bit for bit needs, the current state included. Between two steps.
  void save(ByteWriter& out) const;
  // With the same problem and options. What is missing is left as a failure in the reader.
  void load(ByteReader& in);

 private:
  struct Target {
    double time = 0.0;  // the next step must not go beyond
    bool discontinuity = false;
    bool grid = false;  // fixed step: it completes a grid step
  };

  bool adaptive() const { return stepper_->is_adaptive(); }
  Target next_target(double limit);
  Failure step_towards(const Target& target);
  Failure adaptive_step(const Target& target);
  double proposed_step(double target);
  double step_end(double step, double target) const;
  // What laws of time leave of a step
  double visible_step(double step);
  void fit_next_step();
  std::int32_t find_hidden_law();
  Failure try_step(double end);
  bool take_step_to_event(double time);
  Failure arrive(const Target& target);
  void note_accepted();
  bool apply_events(double time);
  bool chatters();

  Problem& problem_;
  Options options_;
  std::unique_ptr<Stepper> stepper_;
  EventSearch search_;
  LawWatch laws_;
  Memory memory_;
  Failure failure_ = Failure::none;
  double last_step_ = 0.0;
  double error_ = 0.0;            // of the step tried last, in units of the tolerance
  double wanted_step_ = 0.0;      // adaptive: length of the step tried last before its target cut it
  bool was_rejected_ = false;     // adaptive: a try of this step was
  std::int32_t hidden_law_ = -1;  // of the step tried last
  int tries_with_hidden_law_ = 0;
  bool event_at_start_ = false;  // the step tried last found switches to flip before it
  bool step_is_dense_ = false;   // the rates of the last accepted step are still there
  std::vector<Event> events_;
  std::vector<double> slacks_before_;
  std::vector<double> slacks_after_;
};

}  // namespace gelenk::integrate
