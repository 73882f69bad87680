#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine_problem.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/results/recorder.h"

namespace gelenk::analysis {

struct RunEvent {
  double time = 0.0;
  std::string element;  // whose law or force switched; empty for what is known beforehand
  std::string text;
};

struct RunResult {
  results::RunStatus status = results::RunStatus::done;
  double time = 0.0;  // reached
  integrate::Counters counters;
  MachineProblem::Statistics statistics;
  mechanics::Energy start_energy, end_energy;
  double largest_speed = 0.0;  // m/s or machine lengths per second of turning: whether anything moves at all
  double smallest_step = 0.0, largest_step = 0.0;
  std::size_t event_count = 0;
  std::string impact;            // a driver whose rate jumped, and when: the energy changes there as in an impact
  std::vector<RunEvent> events;  // the first kMostKeptEvents
  std::string file_error;        // the results could not be written
  std::optional<Diagnostic> failure{};  // why the run ended early
};
inline constexpr std::size_t kMostKeptEvents = 1000;

// Called after every step with the time reached; false stops the run.
using Progress = std::function<bool(double time)>;

// From an assembled machine to its motion. Without a recorder nothing is recorded.
RunResult simulate(const system::System& system, const system::Params& params, const Assembly& assembly,
                   const RunOptions& options, results::Recorder* recorder, const Progress& progress);

}  // namespace gelenk::analysis
