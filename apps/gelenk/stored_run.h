#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/model_input.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {

// The machine of a file of results, made anew from what the file itself says: its resolved model, and the options that
// changed the machine.
struct StoredRun {
  ModelInput input;
  std::vector<std::string> record;  // patterns of channels
  bool keep_welds = false;
};

// Says what is wrong when that is not possible: the texts were damaged, or a mesh that the model needs is gone.
std::optional<ExitCode> rebuild_run(const results::Reader& reader, Console& console, StoredRun& stored);

}  // namespace gelenk::app
