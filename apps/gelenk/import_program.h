#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/formats/import_request.h"

namespace gelenk::app {

struct ImportFailure {
  ExitCode code = ExitCode::file_error;
  std::string message, hint;
};

// What gelenk-cad took.
struct ImportCost {
  double seconds = 0.0;
  std::size_t peak_memory = 0;  // bytes
};

// A request for gelenk-cad.
struct CadJob {
  std::string request;      // JSON
  std::string file;         // what it is about, for messages
  std::string_view verb;    // "imported": what cannot be done with the file
  double time_limit = 0.0;  // s
};

struct CadOutcome {
  std::vector<std::string> notes;  // what it reports
  ImportCost cost;
};

// Starts gelenk-cad and shows on stderr how far it is. OpenCASCADE can crash or hang; this program never does.
// False, with the reason in `failure`.
bool run_cad_program(const CadJob& job, const Console& console, CadOutcome& outcome, ImportFailure& failure);

// Has a file imported, and returns the report. Nothing, with the reason in `failure`.
std::optional<JsonValue> run_import_program(const formats::ImportRequest& request, double time_limit,
                                            const Console& console, ImportCost& cost, ImportFailure& failure);

// The report of the import that is in the folder; nothing when there is none, with a reason in `error`.
std::optional<JsonValue> read_import_report(const formats::ImportRequest& request, std::string& error);

}  // namespace gelenk::app
