#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gelenk/analysis/simulate.h"
#include "gelenk/model/machine.h"
#include "gelenk/results/certificate.h"
#include "gelenk/results/recorder.h"

namespace gelenk::app {

// What a more exact repetition of a run changes.
struct Confirmation {
  std::vector<results::Certificate::Change> changes;
  std::string error;  // why it could not be found out
};

using FinerRun = std::function<analysis::RunResult(const analysis::RunOptions&, results::Recorder&)>;

// Half the step, or a tenth of the tolerance. Compared are the outputs of the model, each by itself, and its state: of
// joint coordinates and places of parts the one that changes most for each unit. Both runs have a row at their end. The
// repetition is recorded in a file beside that of the run, which is removed again. What is rounding beside the size of
// the machine (m) and what else there is in the run does not change.
Confirmation confirm_run(const std::string& file, const model::Machine& machine, const analysis::RunOptions& options,
                         const results::RunInfo& info, double machine_size, const FinerRun& simulate);

}  // namespace gelenk::app
