#include "gelenk/analysis/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "gelenk/analysis/contact_events.h"
#include "gelenk/analysis/failure.h"
#include "gelenk/analysis/force_ranges.h"
#include "gelenk/analysis/run_books.h"
#include "gelenk/analysis/run_end.h"
#include "gelenk/analysis/run_integrator.h"
#include "gelenk/analysis/simulation.h"
#include "gelenk/analysis/singular_watch.h"
#include "gelenk/analysis/stiffness.h"
#include "gelenk/analysis/taken_branch.h"
#include "gelenk/base/index.h"
#include "gelenk/base/text.h"
#include "gelenk/solve/flat_solver.h"

namespace gelenk::analysis {
namespace {

using integrate::Integrator;
using integrate::Outcome;

// A product of step and rate above this is near the border of stability of every explicit method.
constexpr double kNearStability = 2.0;
// Steps are looked at after so many, and then whenever their number has doubled.
constexpr std::int64_t kFirstStiffnessCheck = 512;
// States of sealed components are asked for after so many steps; fewer would be felt in the speed.
constexpr std::int64_t kRememberEvery = 200;
// Of a pile there are many, and nobody reads them all.
constexpr std::size_t kMostContactEvents = 10'000;

class Run {
 public:
  Run(const system::System& system, const system::Params& params, const Assembly& assembly, const RunOptions& options,
      results::RowSink* recorder, const Checkpointing& checkpointing, std::span<subsystem::Subsystem* const> subsystems)
      : system_(system),
        params_(params),
        options_(options),
        recorder_(recorder),
        checkpointing_(checkpointing),
        rank_tolerance_(run_rank_tolerance(assembly)),
        simulation_(system, params, assembly, options, subsystems),
        books_(system, params, options, problem_, observer_),
        ranges_(system, params) {}

  RunResult run(const Progress& progress) {
    progress_ = &progress;
    try {
      return run_all(progress);
    } catch (const subsystem::Failure& failure) {
      return give_up(failure);
    } catch (const std::bad_alloc&) {
      note_shortage(result_);
      return finish(nullptr);
    }
  }

 private:
  RunResult run_all(const Progress& progress) {
    result_.time = options_.start_time;
    if (!simulation_.start()) {
      fail(integrate::Failure::projection_failed);
      return finish(nullptr);
    }
    Integrator& integrator = simulation_.integrator();
    result_.time_laws = problem_.events().time_law_count();
    start_state_ = problem_.state(Integrator::kCurrentState);
    result_.independent_rows = problem_.slots().rank(Integrator::kCurrentState);
    result_.is_reproducible = integrator.is_exactly_restartable();
    if (checkpointing_.resume_from.empty()) note_rank_changes();
    if (checkpointing_.resume_from.empty() ? !record_start() : !resume(integrator)) return finish(&integrator);
    remember(integrator);
    const double end = options_.end_time();
    while (integrator.time() < end) {
      note_hidden_law(integrator.time());
      const Outcome outcome = integrator.advance(end);
      result_.time = integrator.time();
      result_.counters = integrator.counters();
      if (outcome == Outcome::failed) {
        fail(integrator.failure());
        if (integrator.failure() == integrate::Failure::chattering) blame_switch(integrator);
        if (!options_.is_adaptive()) blame_stiffness(options_.step);
        record_last(integrator);
        break;
      }
      note_step(integrator);
      note_passed_law(integrator);
      note_stiffness(integrator);
      singular_watch_.look(problem_, integrator);
      if (outcome == Outcome::event) note_events(integrator);
      note_contacts();
      note_rank_changes();
      if (!record_until(integrator, integrator.time())) break;
      if (!keep_books()) {
        record_last(integrator);
        break;
      }
      keep_checkpoint(integrator);
      remember(integrator);
      if (progress && !progress(integrator.time())) {
        result_.status = results::RunStatus::stopped;
        keep_checkpoint(integrator, true);
        record_last(integrator);  // not of the run that goes on from the checkpoint
        break;
      }
    }
    if (result_.status == results::RunStatus::done) record_last(integrator);
    return finish(&integrator);
  }

  // Multiplied, never accumulated; the last row is the end of the run exactly.
  double output_time(std::int64_t index) const {
    const double time = options_.start_time + static_cast<double>(index) * options_.output_every;
    const double end = options_.end_time();
    return std::abs(time - end) <= 1e-9 * options_.output_every ? end : time;
  }

  bool record_start() {
    if (!record(options_.start_time, Integrator::kCurrentState)) return false;
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
      if (!is_end && !is_wanted(when)) return false;
    }
    return true;
  }

  // A step may have any number of rows. Who stops between them keeps these, but no checkpoint: a run goes on from the
  // end of a step that has all of its rows.
  bool is_wanted(double time) {
    if (!*progress_ || (*progress_)(time)) return true;
    result_.status = results::RunStatus::stopped;
    result_.time = time;
    return false;
  }

  // The state that a run ends with has a row, also where none is due: of a failed run it is the last good one.
  void record_last(const Integrator& integrator) {
    if (integrator.time() <= output_time(next_output_ - 1)) return;
    const bool has_failed = result_.status == results::RunStatus::failed;
    const std::optional<Diagnostic> reason = result_.failure;
    record(integrator.time(), Integrator::kCurrentState);
    if (has_failed) result_.failure = reason;  // the first one counts
  }

  bool record(double time, int of_slot) {
    const results::Row row = recorder_ != nullptr ? recorder_->row(time) : results::Row{};
    const int slot = simulation_.slot_to_observe(of_slot);
    if (!observer_.fill(problem_, slot, row)) {
      fail(integrate::Failure::evaluation_failed);
      return false;
    }
    books_.note_row(slot);
    if (recorder_ == nullptr || recorder_->commit()) return true;
    result_.file_error = recorder_->error();
    result_.status = results::RunStatus::failed;
    return false;
  }

  bool keep_books() {
    if (!books_.note_step()) {
      fail(integrate::Failure::evaluation_failed);
      return false;
    }
    if (ranges_.is_empty()) return true;
    const mechanics::Context context{system_, params_, problem_.state(Integrator::kCurrentState)};
    std::optional<Diagnostic> left = ranges_.find_left(context, problem_.dynamics().place(Integrator::kCurrentState));
    if (!left) return true;
    result_.status = results::RunStatus::failed;
    result_.failure = std::move(left);
    return false;
  }

  void note_step(const Integrator& integrator) {
    const double step = integrator.last_step();
    if (!(step > 0.0)) return;
    result_.largest_step = std::max(result_.largest_step, step);
    result_.smallest_step = result_.smallest_step == 0.0 ? step : std::min(result_.smallest_step, step);
  }

  // A step that is given cannot be fitted to the laws: too long a one is reported, for laws of the motion after it.
  void note_hidden_law(double time) {
    if (options_.is_adaptive() || !result_.hidden_law.empty()) return;
    const std::int32_t signal = problem_.events().law_hidden_by(Integrator::kCurrentState, options_.step);
    if (signal >= 0) result_.hidden_law = hidden_law_text(system_, signal, time, time + options_.step);
  }

  void note_passed_law(const Integrator& integrator) {
    if (integrator.hidden_law() < 0 || !result_.hidden_law.empty()) return;
    const double end = integrator.time();
    result_.hidden_law = hidden_law_text(system_, integrator.hidden_law(), end - integrator.last_step(), end);
  }

  void note_stiffness(const Integrator& integrator) {
    const std::int64_t steps = integrator.counters().accepted;
    const bool is_time = steps >= kFirstStiffnessCheck && (steps & (steps - 1)) == 0;
    if (!is_time || result_.stiff || !is_explicit(options_.method) || !system_.sealed.empty()) return;
    const Stiffness found = stiffness_now();
    if (found.element.empty() || integrator.last_step() * found.rate() < kNearStability) return;
    result_.stiff = {integrator.time(), found.rate(), found.element};
  }

  void keep_checkpoint(Integrator& integrator, bool is_stopped = false) {
    if (!(checkpointing_.every > 0.0)) return;
    const double periods = (integrator.time() - options_.start_time) / checkpointing_.every;
    const auto index = static_cast<std::int64_t>(std::floor(periods * (1.0 + 1e-12)));
    if (index <= checkpoint_index_ && !is_stopped) return;
    checkpoint_index_ = index;
    result_.checkpoint_error = checkpointing_.store(checkpoint_of(integrator));
  }

  Checkpoint checkpoint_of(Integrator& integrator) const {
    ByteWriter out;
    save(integrator, out);
    const bool is_recorded = recorder_ != nullptr;
    return {integrator.time(), is_recorded ? recorder_->row_count() : 0, is_recorded ? recorder_->event_count() : 0,
            out.bytes()};
  }

  // A component that crashes takes its state along: the last one that all could save is kept, every so many steps.
  void remember(Integrator& integrator) {
    if ((system_.sealed.empty() && system_.codes.empty()) || !checkpointing_.store) return;
    if (integrator.counters().accepted < remembered_steps_ + kRememberEvery && !remembered_.bytes.empty()) return;
    remembered_steps_ = integrator.counters().accepted;
    remembered_ = checkpoint_of(integrator);
  }

  RunResult give_up(const subsystem::Failure& failure) {
    note_failure(system_, failure, result_);
    if (!remembered_.bytes.empty()) result_.checkpoint_error = checkpointing_.store(remembered_);
    return finish(nullptr);
  }

  void save(Integrator& integrator, ByteWriter& out) const {
    integrator.save(out);
    out.put(next_output_);
    out.put(checkpoint_index_);
    out.put(static_cast<std::uint64_t>(result_.independent_rows));
    for (const double number : {result_.smallest_step, result_.largest_step}) out.put(number);
    out.put(static_cast<std::uint64_t>(result_.event_count));
    if (system_.has_jumps()) out.put(static_cast<std::uint64_t>(contact_events_));
    out.put(result_.impact);
    out.put(result_.branch);
    out.put(result_.hidden_law);
    out.put(result_.resumed_at);
    out.put(result_.stiff.has_value());
    const RunResult::Stiff stiff = result_.stiff.value_or(RunResult::Stiff{});
    out.put(stiff.time);
    out.put(stiff.rate);
    out.put(stiff.element);
    books_.save(out);
    singular_watch_.save(out);
    problem_.dynamics().statistics().save(out);
    if (system_.holds_velocities()) out.put(problem_.dynamics().statistics().largest_slip);
  }

  // False: the bytes do not belong to this machine and these options.
  bool resume(Integrator& integrator) {
    ByteReader in(checkpointing_.resume_from);
    integrator.load(in);
    in.get(next_output_);
    in.get(checkpoint_index_);
    result_.independent_rows = in.get<std::uint64_t>();
    for (double* number : {&result_.smallest_step, &result_.largest_step}) in.get(*number);
    result_.event_count = in.get<std::uint64_t>();
    if (system_.has_jumps()) contact_events_ = in.get<std::uint64_t>();
    in.get(result_.impact);
    in.get(result_.branch);
    in.get(result_.hidden_law);
    in.get(result_.resumed_at);
    const bool is_stiff = in.get<bool>();
    RunResult::Stiff stiff;
    in.get(stiff.time);
    in.get(stiff.rate);
    in.get(stiff.element);
    if (is_stiff) result_.stiff = stiff;
    books_.load(in);
    singular_watch_.load(in);
    MachineStatistics statistics;
    statistics.load(in, element_count(system_));
    if (system_.holds_velocities()) in.get(statistics.largest_slip);
    problem_.dynamics().statistics() = statistics;
    reported_rank_changes_ = statistics.rank_history.size();
    if (!in.is_complete()) {
      result_.status = results::RunStatus::failed;
      result_.file_error = "the checkpoint does not belong to this machine and these options";
      return false;
    }
    result_.time = integrator.time();
    result_.resumed_at.push_back(integrator.time());
    note_contacts();
    return observer_.fill(problem_, Integrator::kCurrentState, {});
  }

  void note_events(const Integrator& integrator) {
    for (const integrate::Event& event : integrator.events()) {
      RunEvent found;
      found.time = event.time;
      if (event.which == integrate::Event::kDiscontinuity) {
        found.element = element_jumping_at(event.time);
        found.text = "its formula jumps or kinks at this time";
        note_impact(found);
      } else if (event.which >= system_.state_switches.size()) {
        found.text = "a sealed component switches";
      } else {
        const auto number = static_cast<std::size_t>(system_.state_switches[event.which]);
        found.element = element_of_signal(system_, system_.switches[number].signal);
        found.text = fmt::format("its formula changes branches, switch {}", event.which);
      }
      add_event(event.which == integrate::Event::kDiscontinuity ? "time" : "switch", std::move(found));
    }
  }

  // Singular poses: joints by their names, in the events of the run.
  void note_rank_changes() {
    const std::vector<RankChange>& history = problem_.dynamics().statistics().rank_history;
    for (; reported_rank_changes_ < history.size(); ++reported_rank_changes_) {
      const RankChange& change = history[reported_rank_changes_];
      if (reported_rank_changes_ == 0 && change.after > change.before) {
        const system::State& now = problem_.state(Integrator::kCurrentState);
        result_.branch = taken_branch(system_, params_, start_state_, now);
      }
      std::string element;
      for (const auto* elements : {&change.lost, &change.regained, &change.locked}) {
        if (element.empty() && !elements->empty()) element = element_path(system_, elements->front());
      }
      add_event("rank", {change.time, std::move(element), rank_change_text(system_, change)});
    }
  }

  void add_event(std::string_view kind, RunEvent event) {
    ++result_.event_count;
    if (recorder_ != nullptr) recorder_->event({event.time, std::string(kind), event.element, event.text});
    if (result_.events.size() < kMostKeptEvents) result_.events.push_back(std::move(event));
  }

  void note_contacts() {
    if (problem_.impulses() == nullptr) return;
    observer_.set_loads(problem_.impulses()->loads());
    for (const ContactEvent& event : problem_.impulses()->events()) {
      if (++contact_events_ > kMostContactEvents) continue;
      add_event("contact", {event.time, contact_event_element(system_, event), contact_event_text(system_, event)});
    }
  }

  void note_impact(RunEvent& found) {
    const LawJump& jump = problem_.events().law_jump();
    if (jump.driver < 0) return;
    found.element = system_.drivers[static_cast<std::size_t>(jump.driver)].path;
    found.text = fmt::format("its rate jumps by {}: an impact, the energy changes", format_rounded(jump.rate, 4));
    if (result_.impact.empty()) {
      result_.impact =
          fmt::format("the rate of driver '{}' jumps at {} s", found.element, format_rounded(found.time, 6));
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

  // Not a part, which only moves as the law wants.
  void blame_switch(const Integrator& integrator) {
    for (const integrate::Event& event : integrator.events()) {
      if (event.which >= system_.state_switches.size()) continue;
      const auto number = static_cast<std::size_t>(system_.state_switches[event.which]);
      result_.failure = explain_chattering(system_, system_.switches[number].signal, result_.time);
    }
  }

  // An explicit step that was too long for a stiff force ends in nonsense: the force is the reason, not what flew off.
  void blame_stiffness(double step) {
    if (!is_explicit(options_.method) || !result_.failure || problem_.events().law_jump().is_impossible()) return;
    if (!system_.sealed.empty()) return;
    const Stiffness found = stiffness_now();
    if (found.element.empty() || step * found.rate() < kNearStability) return;
    result_.failure->hint = fmt::format(
        "force '{}' changes the motion at {} per second, too fast for this step: try method bdf or generalized_alpha",
        found.element, format_rounded(found.rate(), 2));
  }

  Stiffness stiffness_now() const {
    return estimate_stiffness(system_, params_, problem_.state(Integrator::kCurrentState), rank_tolerance_);
  }

  RunResult finish(const Integrator* integrator) {
    if (integrator != nullptr) result_.counters = integrator->counters();
    result_.statistics = problem_.dynamics().statistics();
    result_.audit = books_.audit();
    if (problem_.impulses() != nullptr) result_.contacts = problem_.impulses()->report();
    result_.largest_speed = books_.largest_speed();
    result_.start_energy = result_.audit.start_energy;
    result_.end_energy = observer_.energy();
    result_.work = observer_.work();
    result_.end_state = problem_.state(Integrator::kCurrentState);
    return std::move(result_);
  }

  const system::System& system_;
  const system::Params& params_;
  const RunOptions& options_;
  results::RowSink* recorder_;
  const Checkpointing& checkpointing_;
  double rank_tolerance_;
  Simulation simulation_;
  MachineProblem& problem_ = simulation_.problem();
  Observer& observer_ = simulation_.observer();
  RunBooks books_;
  SingularWatch singular_watch_;
  system::State start_state_;
  ForceRanges ranges_;
  RunResult result_;
  std::int64_t next_output_ = 0;
  std::int64_t checkpoint_index_ = 0;  // of the last period that has one
  std::size_t reported_rank_changes_ = 0;
  const Progress* progress_ = nullptr;
  Checkpoint remembered_;
  std::int64_t remembered_steps_ = 0;
  std::size_t contact_events_ = 0;
};

}  // namespace

// The rank tolerance of the assembly distinguishes rows that contradict each other. Where none do, it can be as fine as
// the solver allows: the machine then passes closer to a singular pose before a row is let go.
double run_rank_tolerance(const Assembly& assembly) {
  constexpr double kExact = 1e-11;  // what remains open is rounding
  return assembly.residual < kExact ? solve::FlatSolver::kSmallestRankTolerance : assembly.rank_tolerance;
}

RunResult simulate(const system::System& system, const system::Params& params, const Assembly& assembly,
                   const RunOptions& options, results::RowSink* recorder, const Progress& progress,
                   const Checkpointing& checkpointing, std::span<subsystem::Subsystem* const> subsystems) {
  RunResult result;  // when there is no run
  result.time = options.start_time;
  try {
    return Run(system, params, assembly, options, recorder, checkpointing, subsystems).run(progress);
  } catch (const subsystem::Failure& failure) {
    note_failure(system, failure, result);
  } catch (const std::bad_alloc&) {
    note_shortage(result);
  }
  result.end_state = assembly.state;
  return result;
}

}  // namespace gelenk::analysis
