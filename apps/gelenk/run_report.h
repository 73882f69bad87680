#pragma once

#include <cstddef>
#include <string>

#include "apps/gelenk/run_model.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/results/certificate.h"

namespace gelenk::app {

struct RunOutcome {
  analysis::RunResult result;
  results::Certificate certificate;
  std::string file;
  std::size_t rows = 0;
  double wall_seconds = 0.0;
  double machine_size = 1.0;  // m, to distinguish a distance from rounding
};

// How far a part was moved from where it is drawn: "0.0259 m and 9.59 deg". What is only rounding is left out.
std::string moved_text(const model::Machine& machine, const analysis::MovedPart& moved, double machine_size);

// "2 of 3 parts were moved to close the joints", or what else moved them from where they are drawn.
std::string moved_count_text(const model::Machine& machine, std::size_t moved);

// Says in at most eight lines how the run went, with one verdict; with --json as an object.
ExitCode report_run(const RunRequest& request, ModelInput& input, const system::System& system,
                    const analysis::Assembly& assembly, const analysis::RunOptions& options, const RunOutcome& outcome,
                    Console& console);

}  // namespace gelenk::app
