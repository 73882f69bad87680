#include "gelenk/analysis/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gelenk/analysis/failure.h"
#include "gelenk/analysis/observer.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {
namespace {

using integrate::Integrator;
using integrate::Outcome;

integrate::Options integrator_options(const RunOptions& options) {
  integrate::Options result;
  result.method = options.method;
  if (!options.is_adaptive()) result.step = options.step;
  result.tolerance = options.tolerance;
  if (options.max_step > 0.0) result.max_step = options.max_step;
  return result;
}

// The rank tolerance of the assembly tells rows apart that contradict each other. Where none do, it can be as fine as
// the solver allows: the machine then passes closer to a singular pose before a row is let go.
double run_rank_tolerance(const Assembly& assembly) {
  constexpr double kExact = 1e-11;  // what remains open is rounding
  return assembly.residual < kExact ? solve::FlatSolver::kSmallestRankTolerance : assembly.rank_tolerance;
}

// Weights of the error of a fixed-step method are never asked for, but must be numbers.
double weight(const RunOptions& options) { return options.is_adaptive() ? options.tolerance : 1.0; }

class Run {
 public:
  Run(const system::System& system, const system::Params& params, const Assembly& assembly, const RunOptions& options,
      results::Recorder* recorder)
      : system_(system),
        params_(params),
        options_(options),
        recorder_(recorder),
        problem_(system, params, run_rank_tolerance(assembly), weight(options), options.is_adaptive()),
        observer_(system, params) {
    problem_.set_state(Integrator::kCurrentState, assembly.state);
  }

  RunResult run(const Progress& progress) {
    result_.time = options_.start_time;
    // The assembled state is closed to the accuracy of the assembly; the run starts from rounding.
    if (!problem_.project(Integrator::kCurrentState)) {
      fail(integrate::Failure::projection_failed);
      return finish(nullptr);
    }
    Integrator integrator(problem_, integrator_options(options_), options_.start_time);
    if (!record_start()) return finish(&integrator);
    const double end = options_.end_time();
    while (integrator.time() < end) {
      const Outcome outcome = integrator.advance(end);
      result_.time = integrator.time();
      if (outcome == Outcome::failed) {
        fail(integrator.failure());
        record_last(integrator);
        break;
      }
      note_step(integrator);
      if (outcome == Outcome::event) note_events(integrator);
      if (!record_until(integrator, integrator.time())) break;
      if (progress && !progress(integrator.time())) {
        result_.status = results::RunStatus::stopped;
        break;
      }
    }
    return finish(&integrator);
  }

 private:
  // Multiplied, never accumulated; the last row is the end of the run exactly.
  double output_time(std::int64_t index) const {
    const double time = options_.start_time + static_cast<double>(index) * options_.output_every;
    const double end = options_.end_time();
    return std::abs(time - end) <= 1e-9 * options_.output_every ? end : time;
  }

  bool record_start() {
    if (!record(options_.start_time, Integrator::kCurrentState)) return false;
    result_.start_energy = observer_.energy();
    ++next_output_;
    return true;
  }

  bool record_until(Integrator& integrator, double time) {
    while (output_time(next_output_) <= time) {
      const double when = output_time(next_output_);
      // The end of a step is there already, with the factorization that the next step will use.
      const bool is_end = when == integrator.time();
      if (!is_end && !integrator.interpolate(when)) {
        fail(integrate::Failure::projection_failed);
        return false;
      }
      if (!record(when, is_end ? Integrator::kCurrentState : Integrator::kOutputState)) return false;
      ++next_output_;
    }
    return true;
  }

  // The last good state, for who looks for the reason.
  void record_last(const Integrator& integrator) {
    if (recorder_ == nullptr || integrator.time() <= output_time(next_output_ - 1)) return;
    if (observer_.fill(problem_, Integrator::kCurrentState, recorder_->row(integrator.time()))) recorder_->commit();
  }

  bool record(double time, int slot) {
    note_speed(problem_.state(slot));
    if (recorder_ == nullptr) {
      if (observer_.fill(problem_, slot, {})) return true;
      fail(integrate::Failure::evaluation_failed);
      return false;
    }
    if (!observer_.fill(problem_, slot, recorder_->row(time))) {
      fail(integrate::Failure::evaluation_failed);
      return false;
    }
    if (recorder_->commit()) return true;
    result_.file_error = recorder_->error();
    result_.status = results::RunStatus::failed;
    return false;
  }

  void note_speed(const system::State& state) {
    for (std::size_t i = 0; i < state.velocity.size(); ++i) {
      const double size = i % 6 < 3 ? 1.0 : params_.length;
      result_.largest_speed = std::max(result_.largest_speed, std::abs(state.velocity[i]) * size);
    }
  }

  void note_step(const Integrator& integrator) {
    const double step = integrator.last_step();
    if (!(step > 0.0)) return;
    result_.largest_step = std::max(result_.largest_step, step);
    result_.smallest_step = result_.smallest_step == 0.0 ? step : std::min(result_.smallest_step, step);
  }

  void note_events(const Integrator& integrator) {
    for (const integrate::Event& event : integrator.events()) {
      RunEvent told;
      told.time = event.time;
      if (event.which == integrate::Event::kDiscontinuity) {
        told.element = element_jumping_at(event.time);
        told.text = "its formula jumps or kinks at this time";
        note_impact(told);
      } else {
        const auto number = static_cast<std::size_t>(system_.state_switches[event.which]);
        told.element = element_of_signal(system_, system_.switches[number].signal);
        told.text = fmt::format("its formula changes sides, switch {}", event.which);
      }
      ++result_.event_count;
      if (recorder_ != nullptr) {
        recorder_->event(
            {told.time, event.which == integrate::Event::kDiscontinuity ? "time" : "switch", told.element, told.text});
      }
      if (result_.events.size() < kMostKeptEvents) result_.events.push_back(std::move(told));
    }
  }

  void note_impact(RunEvent& told) {
    const MachineProblem::LawJump& jump = problem_.law_jump();
    if (jump.driver < 0) return;
    told.element = system_.drivers[static_cast<std::size_t>(jump.driver)].path;
    told.text = fmt::format("its rate jumps by {}: an impact, the energy changes", format_rounded(jump.rate, 4));
    if (result_.impact.empty()) {
      result_.impact = fmt::format("the rate of driver '{}' jumps at {} s", told.element, format_rounded(told.time, 6));
    }
  }

  // The first element whose formula has a discontinuity there.
  std::string element_jumping_at(double time) const {
    const double just_before = time - 1e-9 * std::max(1.0, std::abs(time));
    for (std::size_t i = 0; i < system_.signals.size(); ++i) {
      if (system::next_discontinuity(system_.signals[i], params_.signals[i], just_before) == time) {
        return element_of_signal(system_, static_cast<std::int32_t>(i));
      }
    }
    return {};
  }

  void fail(integrate::Failure failure) {
    result_.status = results::RunStatus::failed;
    result_.failure = explain_failure(system_, params_, problem_, failure, result_.time, options_);
  }

  RunResult finish(const Integrator* integrator) {
    if (integrator != nullptr) result_.counters = integrator->counters();
    result_.statistics = problem_.statistics();
    result_.end_energy = observer_.energy();
    return std::move(result_);
  }

  const system::System& system_;
  const system::Params& params_;
  const RunOptions& options_;
  results::Recorder* recorder_;
  MachineProblem problem_;
  Observer observer_;
  RunResult result_;
  std::int64_t next_output_ = 0;
};

}  // namespace

RunResult simulate(const system::System& system, const system::Params& params, const Assembly& assembly,
                   const RunOptions& options, results::Recorder* recorder, const Progress& progress) {
  return Run(system, params, assembly, options, recorder).run(progress);
}

}  // namespace gelenk::analysis
