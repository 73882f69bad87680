#pragma once

#include <optional>
#include <string>

#include "gelenk/analysis/partition.h"
#include "gelenk/analysis/reaction_split.h"
#include "gelenk/analysis/stiffness.h"
#include "gelenk/integrate/integrator.h"
#include "gelenk/model/machine.h"
#include "gelenk/system/system.h"

namespace gelenk::analysis {

// How to simulate, with everything decided but, maybe, the method.
struct RunOptions {
  double start_time = 0.0;
  double duration = 5.0;
  integrate::Method method = integrate::Method::dopri5;
  bool is_auto = false;          // the method is to be chosen for the machine: choose_method()
  bool asks_for_auto = false;    // the user wants to know what was chosen
  std::string method_reason;     // why it was chosen; empty: the user did
  double step = 0.0;             // fixed-step methods
  double tolerance = 1e-6;       // adaptive methods
  double max_step = 0.0;         // adaptive methods; 0: no bound
  double spectral_radius = 0.8;  // generalized_alpha
  double output_every = 0.0;     // s
  Partitioning partition = Partitioning::automatic;
  ReactionSplit split = ReactionSplit::by_mass;
  bool is_default = false;  // nothing was asked for: the summary says what was chosen

  double end_time() const { return start_time + duration; }
  bool is_adaptive() const { return is_adaptive(method); }
  static bool is_adaptive(integrate::Method method);
};

std::string method_name(integrate::Method method);
std::optional<integrate::Method> method_of_name(const std::string& name);
// "adams|bdf|...", for messages.
std::string method_names(std::string_view separator);

// What the model says, overridden by what the user says. Returns what does not fit, as a sentence, in `error`.
std::optional<RunOptions> decide_options(const model::SimulationSettings& model, const model::SimulationSettings& user,
                                         std::string& error);

// The settings of a model, with what contacts need where nothing is said: their method, and its step.
model::SimulationSettings settings_with_contacts(const model::Machine& machine, const model::SimulationSettings& user);

// What the method cannot do for this machine, as a sentence; empty: nothing.
std::string method_problem(const system::System& system, const RunOptions& options);

// Chooses the method where that was left to us, from how stiff the machine is at the start.
void choose_method(const Stiffness& stiffness, bool has_switches, RunOptions& options);

}  // namespace gelenk::analysis
