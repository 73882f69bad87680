#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gelenk/analysis/simulate.h"
#include "gelenk/model/machine.h"
#include "gelenk/results/certificate.h"
#include "gelenk/results/recorder.h"

namespace gelenk::app {

// A file that is gone when this is.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile();
};

// What a repetition of a run with another step or tolerance changes.
struct Repetition {
  std::vector<results::Certificate::Change> changes;
  std::string error;  // why it could not be found out
};

using RepeatedRun = std::function<analysis::RunResult(const analysis::RunOptions&, results::Recorder&)>;

// A run that is repeated, and what its file says.
struct RunToRepeat {
  const std::string& file;
  const model::Machine& machine;
  const analysis::RunOptions& options;
  const results::RunInfo& info;
  double machine_size = 1.0;  // m
};

// Both compare the state: of joint coordinates, places of parts and states of assemblies the one that changes most for
// each unit. Both runs have a row at their end. The repetition is recorded in a file beside that of the run, which is
// removed again. What is rounding beside the size of the machine and what else there is in the run does not change.

// Half the step, or a tenth of the tolerance; compares the outputs of the model as well, each by itself.
Repetition repeat_finer(const RunToRepeat& run, const RepeatedRun& simulate);
// Twice the step, at times at which steps of both runs end, where there are such rows. No outputs: one that should stay
// as it is has no range but its error.
Repetition repeat_with_twice_the_step(const RunToRepeat& run, const RepeatedRun& simulate);

}  // namespace gelenk::app
