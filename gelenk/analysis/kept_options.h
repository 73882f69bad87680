#pragma once

#include <optional>
#include <string>

#include "gelenk/analysis/run_options.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"

// How a run was made, as its file keeps it: enough to make it again. Members of an object that others add to.
namespace gelenk::analysis {

// All but the time at which it started.
void write_options(const RunOptions& options, JsonWriter& json);
// Nothing, and a sentence in `error`, when something that is needed is not there.
std::optional<RunOptions> read_options(const JsonValue& json, std::string& error);

}  // namespace gelenk::analysis
