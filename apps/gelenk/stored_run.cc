#include "apps/gelenk/stored_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/gelenk/machine_overrides.h"
#include "gelenk/base/json_reader.h"

namespace gelenk::app {

std::optional<ExitCode> rebuild_run(const results::Reader& reader, Console& console, StoredRun& stored) {
  const auto fail = [&](const std::string& why) {
    return console.fail(ExitCode::file_error,
                        fmt::format("the machine of '{}' cannot be made anew: {}", reader.path(), why));
  };
  std::string error;
  const std::optional<JsonValue> options = read_json(reader.header().options, error);
  if (!options) return fail("its options cannot be read: " + error);

  ModelRequest request;
  request.file = options->text_or("file", "model.yaml");
  request.text = reader.header().resolved_model;
  request.settings = options->texts("set");
  request.allow_outside = true;  // what it uses was allowed when it ran
  if (const std::optional<ExitCode> failed = read_model(request, console, stored.input)) return failed;
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
  return std::nullopt;
}

}  // namespace gelenk::app
