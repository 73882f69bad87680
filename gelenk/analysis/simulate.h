#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/run_audit.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/mechanics/quantities.h"
#include "gelenk/results/row_sink.h"

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
  MachineStatistics statistics;
  mechanics::Energy start_energy, end_energy;
  mechanics::Work work;  // until the end
  RunAudit audit;
  ContactReport contacts;
  std::size_t independent_rows = 0;  // at the start
  system::State end_state;
  double largest_speed = 0.0;  // m/s or machine lengths per second of turning: whether anything moves at all
  double smallest_step = 0.0, largest_step = 0.0;
  std::size_t time_laws = 0;  // formulas of time that steps are fitted to
  std::string hidden_law;     // one that does something within less than a fixed step, and when
  // When steps of an explicit method were found to be bounded by stability, and the force that does it.
  struct Stiff {
    double time = 0.0, rate = 0.0;  // s, 1/s
    std::string element;
  };
  std::optional<Stiff> stiff;
  std::vector<double> resumed_at;  // times at which it was continued
  bool is_reproducible = true;     // false: the method starts anew at checkpoints
  std::string checkpoint_error;    // the last checkpoint that could not be kept
  std::size_t event_count = 0;
  std::string branch;            // the way that was taken from a singular pose at the start, and why
  std::string impact;            // a driver whose rate jumped, and when: the energy changes there as in an impact
  std::vector<RunEvent> events;  // the first kMostKeptEvents
  std::string file_error;        // the results could not be written
  std::optional<Diagnostic> failure{};  // why the run ended early
  bool has_component_failed = false;    // a sealed component was the reason
};
inline constexpr std::size_t kMostKeptEvents = 1000;

// Rows nearer to each other than this count as one during the run.
double run_rank_tolerance(const Assembly& assembly);

// How a run survives: bytes that it can be continued from, bit for bit, with the same machine and options.
struct Checkpoint {
  double time = 0.0;
  std::size_t rows = 0, events = 0;  // recorded until then
  std::string bytes;
};
struct Checkpointing {
  double every = 0.0;  // s of simulated time; 0: never
  // Keeps a checkpoint; what went wrong, or nothing. A run goes on without.
  std::function<std::string(const Checkpoint&)> store;
  std::string resume_from;  // the bytes of one; empty: from the start
};

// Called after every step, and after every row inside of one, with the time reached; false stops the run.
using Progress = std::function<bool(double time)>;

// From an assembled machine to its motion. Without somewhere to put rows nothing is recorded. When one of its sealed
// components, which are mounted, fails, the last state that was well is kept as a checkpoint.
RunResult simulate(const system::System& system, const system::Params& params, const Assembly& assembly,
                   const RunOptions& options, results::RowSink* recorder, const Progress& progress,
                   const Checkpointing& checkpointing = {}, std::span<subsystem::Subsystem* const> subsystems = {});

}  // namespace gelenk::analysis
