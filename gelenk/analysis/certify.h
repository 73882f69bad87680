#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/analysis/simulate.h"
#include "gelenk/results/certificate.h"

namespace gelenk::analysis {

// What a certificate is made from.
struct CertifiedRun {
  const model::Machine& machine;
  const system::System& system;
  const system::Params& params;
  const Assembly& assembly;
  const RunOptions& options;
  const RunResult& result;
  std::string_view resolved_model;  // as in the file of results
  std::string_view option_text;     // likewise, JSON
  std::string program_version;
  std::string build;  // compiler and kind of build
  // Diagonal of the box around all that is seen of the machine at the start, m. Asked for only where something has left
  // it; nobody to ask: its size for the solver.
  std::function<double()> seen_size = {};
};

// What is known about the error of the time steps, from repetitions of the run; as in the certificate.
struct StepAccuracy {
  std::optional<std::vector<results::Certificate::Change>> confirmation, doubled_step;
  std::string unknown;
};

// Everything about a run, and the verdict.
results::Certificate certify(const CertifiedRun& run, StepAccuracy accuracy = {});

// What the numbers take for granted, as sentences for people.
std::vector<std::string> assumptions(const CertifiedRun& run, bool is_step_error_estimated);

// SHA-256 of everything that moves: time, positions, orientations (w x y z), velocities, extra states as doubles, sides
// as 32-bit numbers, each list after its length, little-endian. Two runs with the same hash ended in the same bits.
std::string state_hash(const system::State& state);

}  // namespace gelenk::analysis
