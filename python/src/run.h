#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/run_options.h"
#include "gelenk/model/machine.h"
#include "python/src/machine.h"
#include "python/src/messages.h"
#include "python/src/recorded.h"

namespace gelenk::python {

// What is asked for; what is left open is decided as by `gelenk run`.
struct RunRequest {
  model::SimulationSettings simulation;
  std::vector<std::string> record;  // patterns of channels; empty: everything
  std::string output;               // file of results; empty: in memory
  bool is_forced = false;           // a file that exists is overwritten
  double checkpoint_every = 0.0;    // s of simulated time; 0: never. Only with a file
};

struct RunOutcome {
  std::shared_ptr<Recorded> recorded;
  std::optional<Message> failure;  // why it ended early
  bool is_interrupted = false;
  double time = 0.0;  // reached, s
};

// How the machine will be simulated, or a Failure that says what does not fit.
analysis::RunOptions decide(const Machine& machine, const model::SimulationSettings& wanted);

// Only earlier results and empty files are overwritten, and only when that is asked for; otherwise a Failure.
void check_output(const std::string& file, bool is_forced);

// `progress` is called after every step; false ends the run.
RunOutcome run(const Machine& machine, const RunRequest& request, const std::function<bool(double time)>& progress);

}  // namespace gelenk::python
