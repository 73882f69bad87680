#pragma once

#include <optional>
#include <string>

#include "gelenk/integrate/integrator.h"
#include "gelenk/model/machine.h"

namespace gelenk::analysis {

// How to simulate, with everything decided.
struct RunOptions {
  double start_time = 0.0;
  double duration = 5.0;
  integrate::Method method = integrate::Method::dopri5;
  double step = 0.0;          // fixed-step methods
  double tolerance = 1e-6;    // adaptive methods
  double max_step = 0.0;      // adaptive methods; 0: no bound
  double output_every = 0.0;  // s
  bool is_default = false;    // nothing was asked for: the summary says what was chosen

  double end_time() const { return start_time + duration; }
  bool is_adaptive() const { return method != integrate::Method::rk4; }
};

std::string method_name(integrate::Method method);

// What the model says, overridden by what the user says. Returns what does not fit, as a sentence, in `error`.
std::optional<RunOptions> decide_options(const model::SimulationSettings& model, const model::SimulationSettings& user,
                                         std::string& error);

}  // namespace gelenk::analysis
