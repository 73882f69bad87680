#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/published_outputs.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {

// A machine with mounts, which an owner leads piece by piece. All references must stay.
struct InteriorMachine {
  const system::System& system;
  system::Params& params;  // whose inputs are what the machine hears
  MachineProblem& problem;
  PublishedOutputs& outputs;
  std::vector<std::int32_t> signals;  // of the system, that others hear
  std::size_t input_count = 0;
  system::State start;
  std::vector<std::string> start_of_subsystems;
  double start_time = 0.0;
};

// A machine as a subsystem of its owner's: the mounts are its ports.
std::unique_ptr<subsystem::Subsystem> as_subsystem(InteriorMachine machine);

}  // namespace gelenk::analysis
