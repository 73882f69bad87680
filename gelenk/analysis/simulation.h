#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/observer.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/results/row_sink.h"

namespace gelenk::analysis {

// A machine in motion, as far as somebody wants it to be: for those who have the loop themselves. simulate() is one of
// them.
//
//   Simulation simulation(system, params, assembly, endless(options));
//   if (!simulation.start()) ...
//   while (simulation.time() < 2.0) {
//     simulation.set_input(0, controller(simulation.state()));
//     if (simulation.advance(simulation.time() + 1e-3) == integrate::Outcome::failed) ...
//   }
//
// `system` and `params` must outlive it. It cannot be moved: its parts refer to each other.
class Simulation {
 public:
  Simulation(const system::System& system, const system::Params& params, const Assembly& assembly,
             const RunOptions& options, std::span<subsystem::Subsystem* const> subsystems = {});

  // Onto the constraints to rounding, and the books of work are opened. False: the state cannot be projected; nothing
  // else may be called then but failure().
  bool start();

  // Steps until this time is reached; the last one ends on it. With a method of a fixed step, a time that differs from
  // one of its own by rounding is that one. The first failure ends it, and the state is the last good one; so does
  // `stop`, where given, which is asked after every step.
  integrate::Outcome advance(double until, const std::function<bool()>& stop = {});
  // One step, as long as the method wants.
  integrate::Outcome step();
  // Why, where and what to try. After a failure.
  Diagnostic failure();

  // Fills a row from the current state. It leaves no trace in the motion. False: a value that is wanted is not finite.
  bool observe(const results::Row& row);
  // The slot that the observer may work on to see this one.
  int slot_to_observe(int slot);

  // What the machine is given from now on: to be called whenever numbers of Params::inputs have changed. Methods that
  // remember earlier steps start anew.
  void note_inputs();

  // All that a continuation needs, inputs included; bit for bit, but with cvode, which starts anew.
  std::string save() const;
  // False: the bytes are not of a simulation of such a machine with such a method; then nothing has changed. `inputs`
  // gets what the machine was given.
  bool load(std::string_view bytes, std::span<double> inputs);

  double time() const { return integrator_->time(); }
  const system::State& state() const { return problem_.state(integrate::Integrator::kCurrentState); }
  integrate::Integrator& integrator() { return *integrator_; }
  MachineProblem& problem() { return problem_; }
  Observer& observer() { return observer_; }

 private:
  integrate::Outcome step_towards(double limit);
  void note_loads();  // what contacts do, for rows
  std::string kind() const;
  bool load_state(std::string_view bytes, std::span<double> inputs);

  const system::System& system_;
  const system::Params& params_;
  const RunOptions options_;
  MachineProblem problem_;
  Observer observer_;
  std::optional<integrate::Integrator> integrator_;
  integrate::Failure failure_ = integrate::Failure::none;
};

}  // namespace gelenk::analysis
