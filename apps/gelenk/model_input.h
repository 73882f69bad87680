#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/sealed_parts.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/base/file_watch.h"
#include "gelenk/base/json.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/machine.h"

namespace gelenk::app {

// What every verb that reads a model takes.
struct ModelRequest {
  std::string file;
  std::optional<std::string> text{};  // of the file, where it is known already: then only what it uses is read
  std::vector<std::string> settings;  // "path=value"
  bool allow_outside = false;
  bool warnings_are_errors = false;
  bool has_open_inputs = false;  // somebody else will give them: see model::ExpandOptions
  bool trust_once = false;       // untrusted sealed components may run where the system has no sandbox for them
  bool trust_code = false;       // code in C of the model runs in this process
  HostChoice host = HostChoice::by_trust;
  // Files that are known already, by their paths: nothing for others, which are on the disk.
  std::function<std::optional<std::string>(const std::string& path)> stored{};
  FileWatch* watch = nullptr;  // gets every file that is read or looked for
};

// FILE and --allow-outside
void add_file_options(Options& options, ModelRequest& request);
// --trust-code, of verbs that run code in C
void add_code_option(Options& options, ModelRequest& request);
// --set
void add_settings_option(Options& options, ModelRequest& request);

// A model that was read and written out. The machine points into the model: it stays where it was made.
struct ModelInput {
  Diagnostics diagnostics;
  formats::LoadedModel loaded;
  std::unique_ptr<SealedParts> sealed;    // its sealed components, at work
  std::optional<model::Machine> machine;  // fit for use only when there are no errors

  ModelInput() = default;
  ModelInput(const ModelInput&) = delete;
  ModelInput& operator=(const ModelInput&) = delete;
};

// Reads a file that the model names; who watches its files hears of it first.
ReadResult read_watched(const ModelRequest& request, const std::string& path, std::size_t max_bytes);

// Reads and expands; everything wrong is in the diagnostics. Returns a usage error when a setting cannot be understood.
std::optional<ExitCode> read_model(const ModelRequest& request, Console& console, ModelInput& input);

// ExitCode::file_error when the file itself cannot be read, ExitCode::model_error when something is wrong in it.
ExitCode exit_code_of(const Diagnostics& diagnostics, bool warnings_are_errors = false);
// The same, or ExitCode::component_failed when that is what is wrong.
ExitCode exit_code_of(const ModelInput& input, bool warnings_are_errors = false);

// Prints the diagnostics and their count to stderr. With -q warnings are kept to oneself, unless they are errors.
void print_to_stderr(const Diagnostics& diagnostics, const SourceMap& sources, const Console& console,
                     bool warnings_are_errors = false);

// The members "ok", "errors", "warnings", "diagnostics" of a JSON report.
void write_report_json(JsonWriter& json, const Diagnostics& diagnostics, const SourceMap& sources,
                       bool warnings_are_errors = false);

// For a model that cannot be used: prints the diagnostics, as text or as JSON, and returns the exit code.
ExitCode fail_with_diagnostics(const ModelInput& input, Console& console);

}  // namespace gelenk::app
