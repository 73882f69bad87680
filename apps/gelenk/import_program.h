#pragma once

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

// Starts gelenk-cad, shows on stderr how far it is, and returns its report. OpenCASCADE can crash or hang on a file;
// this program never does. Nothing, with the reason in `failure`.
std::optional<JsonValue> run_import_program(const formats::ImportRequest& request, double time_limit,
                                            const Console& console, ImportFailure& failure);

}  // namespace gelenk::app
