#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/gelenk/console.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/formats/import_request.h"

namespace gelenk::app {

struct ImportFailure {
  ExitCode code = ExitCode::file_error;
  std::string message, hint;
};

// What the reading took.
struct ImportCost {
  double seconds = 0.0;
  std::size_t peak_memory = 0;  // bytes
};

// Starts gelenk-cad, shows on stderr how far it is, and returns its report. OpenCASCADE can crash or hang on a file;
// this program never does. Nothing, with the reason in `failure`.
std::optional<JsonValue> run_import_program(const formats::ImportRequest& request, double time_limit,
                                            const Console& console, ImportCost& cost, ImportFailure& failure);

// The report of the import that is in the folder; nothing when there is none, with a reason in `error`.
std::optional<JsonValue> read_import_report(const formats::ImportRequest& request, std::string& error);

}  // namespace gelenk::app
