#include "apps/gelenk/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/gelenk/machine_overrides.h"
#include "apps/gelenk/run_files.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/formats/model_writer.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

// The model's own file: where it was seen from the folder in which the run was started, or from that of the results.
std::string file_of_model(const results::Reader& reader, const std::string& file) {
  std::error_code problem;
  const fs::path beside = fs::path(reader.path()).parent_path() / file;
  return !fs::exists(file, problem) && fs::exists(beside, problem) ? beside.string() : file;
}

bool means_the_same(ModelRequest request, const results::Reader& reader, Console& console) {
  std::error_code problem;
  if (!fs::exists(request.file, problem)) return false;
  ModelInput input;
  request.text.reset();
  const bool is_read = !read_model(request, console, input) && input.loaded.is_read;
  return is_read && !input.diagnostics.has_errors() &&
         formats::write_model(input.loaded.model) == reader.header().resolved_model;
}

}  // namespace

std::optional<ExitCode> rebuild_run(const results::Reader& reader, Console& console, StoredRun& stored,
                                    ModelSource source) {
  const auto fail = [&](const std::string& why) {
    return console.fail(ExitCode::file_error,
                        fmt::format("the machine of '{}' cannot be rebuilt: {}", reader.path(), why));
  };
  std::string error;
  const std::optional<JsonValue> options = read_json(reader.header().options, error);
  if (!options) return fail("its options cannot be read: " + error);

  ModelRequest request;
  request.file = options->text_or("file", "model.yaml");
  request.text = reader.header().resolved_model;
  request.settings = options->texts("set");
  request.allow_outside = true;  // what it uses was allowed when it ran
  if (source == ModelSource::own_files_where_unchanged) {
    request.file = file_of_model(reader, request.file);
    stored.is_from_own_files = means_the_same(request, reader, console);
    if (stored.is_from_own_files) request.text.reset();
  }
  request.stored = stored_files(reader, request.file);
  if (const std::optional<ExitCode> failed = read_model(request, console, stored.input)) return failed;
  stored.request = request;
  const Diagnostics& diagnostics = stored.input.diagnostics;
  if (diagnostics.has_errors() || !stored.input.machine) {
    const auto& all = diagnostics.all();
    const auto worst =
        std::find_if(all.begin(), all.end(), [](const Diagnostic& one) { return one.severity == Severity::error; });
    return fail("its model has errors" + (worst == all.end() ? std::string() : ": " + worst->message));
  }
  MachineOverrides overrides;
  overrides.starts = options->texts("start");
  overrides.drives = options->texts("drive");
  overrides.gravity = options->text_or("gravity", "");
  if (const std::optional<ExitCode> failed = apply_overrides(overrides, *stored.input.machine, console)) return failed;
  stored.record = options->texts("record");
  stored.keep_welds = options->truth_or("keepWelds", false);
  stored.at_rest = options->truth_or("atRest", false);
  return std::nullopt;
}

}  // namespace gelenk::app
