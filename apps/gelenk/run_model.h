#pragma once

#include <string>

#include "apps/gelenk/machine_overrides.h"
#include "apps/gelenk/model_input.h"

namespace gelenk::app {

struct RunRequest {
  ModelRequest model;
  MachineOverrides overrides;
  std::string output;  // empty: NAME.h5 in the current folder, or the next free one
  bool force = false;
  bool keep_welds = false;
  bool at_rest = false;       // it starts where it rests under its loads
  bool has_no_limit = false;  // as many steps and rows as asked for
  std::string duration, step, tolerance, max_step, output_every, method, partition, threads, spectral_radius;
  std::string reactions;
  std::string checkpoint;           // simulated time between checkpoints
  std::string resume;               // file of results to go on with; everything else comes from there
  bool has_view = false;            // shown in the browser while it goes on
  bool without_browser = false;     // the user opens it himself
  bool confirm = false;             // repeat it more exactly and say what changes
  bool without_estimate = false;    // fixed steps: do not repeat it with twice the step
  std::vector<std::string> record;  // patterns of channels; empty: everything
};

void add_run_options(Options& options, RunRequest& request);
// `file`, where given, says where the results are.
ExitCode run_model(const RunRequest& request, Console& console, std::string* file = nullptr);

}  // namespace gelenk::app
