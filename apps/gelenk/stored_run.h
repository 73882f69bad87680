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
  bool at_rest = false;
  ModelRequest request;            // how the model was read; it needs the reader
  bool is_from_own_files = false;  // the model's files still say what they said; places in them mean something
};

// Where the model is taken from: the text in the run alone, or its own files where these still mean the same.
enum class ModelSource { run, own_files_where_unchanged };

// Says what is wrong when that is not possible: the texts were damaged, or a mesh that the model needs is gone.
std::optional<ExitCode> rebuild_run(const results::Reader& reader, Console& console, StoredRun& stored,
                                    ModelSource source = ModelSource::run);

}  // namespace gelenk::app
