#include "apps/gelenk/shown_machine.h"

#include <fmt/format.h>

#include <utility>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/machine_overrides.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/component/host.h"
#include "gelenk/geometry/mesh_reader.h"

namespace gelenk::app {
namespace {

std::optional<ExitCode> start_poses(ModelInput& input, Console& console, std::vector<Pose>& poses) {
  try {
    const std::optional<AssembledMachine> assembled = assemble_machine(input);
    if (!assembled) return fail_with_diagnostics(input, console);
    poses = assembled->part_poses();
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  return std::nullopt;
}

// What cannot be put together is shown where the parts were when that was given up, or else as drawn.
std::optional<ExitCode> open_with_errors(const ShowRequest& request, Console& console, ShownMachine& shown) {
  ModelInput& input = shown.stored.input;
  shown.is_incomplete = input.diagnostics.has_errors();
  if (!input.machine) return fail_with_diagnostics(input, console);
  MachineOverrides overrides;
  overrides.starts = request.starts;
  if (shown.is_incomplete) return std::nullopt;
  if (const std::optional<ExitCode> failed = apply_overrides(overrides, *input.machine, console)) return failed;
  warn_about_bare_overrides(overrides, *input.machine, console);
  try {
    const std::optional<AssembledMachine> assembled = assemble_machine(input, &shown.poses);
    if (assembled) shown.poses = assembled->part_poses();
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  return std::nullopt;
}

std::optional<ExitCode> open_model(const ShowRequest& request, Console& console, ShownMachine& shown) {
  ModelInput& input = shown.stored.input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return usage;
  if (request.is_with_errors) return open_with_errors(request, console, shown);
  if (exit_code_of(input) != ExitCode::ok || !input.machine) return fail_with_diagnostics(input, console);
  MachineOverrides overrides;
  overrides.starts = request.starts;
  if (const std::optional<ExitCode> failed = apply_overrides(overrides, *input.machine, console)) return failed;
  warn_about_bare_overrides(overrides, *input.machine, console);
  if (const std::optional<ExitCode> failed = start_poses(input, console, shown.poses)) return failed;
  if (!console.json) print_to_stderr(input.diagnostics, input.loaded.sources, console);
  return std::nullopt;
}

// The start pose is that of the first row; what was not recorded stays where it was put together.
std::optional<ExitCode> open_recorded(const ShowRequest& request, Console& console, ShownMachine& shown,
                                      std::vector<Pose>& start) {
  shown.run = open_run(request.model.file, console);
  if (!shown.run) return ExitCode::file_error;
  shown.damage = warn_of_damage(*shown.run, console);
  if (const std::string note = unclosed_note(*shown.run); !note.empty()) shown.notes.push_back(note);
  if (const std::optional<ExitCode> failed =
          rebuild_run(*shown.run, console, shown.stored, ModelSource::own_files_where_unchanged)) {
    return failed;
  }
  std::vector<std::string> paths;
  std::vector<Pose> otherwise;
  for (const model::PartNode& part : shown.machine().parts) paths.push_back(part.path);
  shown.recorded = std::make_unique<exporting::RecordedPoses>(*shown.run, paths, std::vector<Pose>());
  if (!shown.recorded->missing().empty()) {
    if (const std::optional<ExitCode> failed = start_poses(shown.stored.input, console, otherwise)) return failed;
    const std::vector<std::size_t> missing = shown.recorded->missing();
    shown.notes.push_back(fmt::format("the motion of {} is not in the run (--record): {} where the run began",
                                      missing.size() == 1 ? fmt::format("'{}'", paths[missing.front()])
                                                          : fmt::format("{} of {} parts", missing.size(), paths.size()),
                                      missing.size() == 1 ? "it stays" : "they stay"));
    shown.recorded = std::make_unique<exporting::RecordedPoses>(*shown.run, paths, std::move(otherwise));
  }
  double first = 0.0;
  std::vector<double> times;
  if (std::string error = shown.run->read_times(times); !error.empty())
    return console.fail(ExitCode::file_error, error);
  if (!times.empty()) first = times.front();
  if (times.empty() && request.is_with_errors) {
    // A run that has only just begun.
    const std::optional<ExitCode> failed = start_poses(shown.stored.input, console, start);
    shown.poses = start;
    return failed;
  }
  std::string error = shown.recorded->read_pose(first, start);
  if (!error.empty()) return console.fail(ExitCode::file_error, error);
  shown.poses = start;
  if (!request.time) return std::nullopt;
  error = shown.recorded->read_pose(*request.time, shown.poses);
  return error.empty() ? std::nullopt : std::optional(console.fail(ExitCode::usage_error, "--time: " + error));
}

}  // namespace

void add_shown_file(Options& options, ShowRequest& request) {
  add_file_options(options, request.model);
  options.arguments.front().doc = "model (YAML or JSON), or results file (.h5)";
  options.arguments.front().completion = Completion::known_files;
}

void add_pose_options(Options& options, ShowRequest& request) {
  add_settings_option(options, request.model);
  options.values.push_back({.names = "--start",
                            .value_name = "JOINT.COORDINATE=VALUE",
                            .doc = "of a model: start value of a joint coordinate; may be repeated",
                            .list = &request.starts});
}

std::optional<ExitCode> show_machine(const ShowRequest& request, Console& console, ShownMachine& shown) {
  const bool is_run = is_run_file(request.model.file);
  std::vector<Pose> start;
  if (is_run) {
    if (!request.starts.empty() || !request.model.settings.empty()) {
      return console.fail(ExitCode::usage_error,
                          "a run has its start values already: --start and --set are for models");
    }
    if (const std::optional<ExitCode> failed = open_recorded(request, console, shown, start)) return failed;
  } else {
    if (request.time) return console.fail(ExitCode::usage_error, "--time needs a run; a model has its start pose only");
    if (const std::optional<ExitCode> failed = open_model(request, console, shown)) return failed;
    start = shown.poses;
  }
  const formats::LoadedModel& loaded = shown.stored.input.loaded;
  const bool has_places = !is_run || shown.stored.is_from_own_files;
  shown.scene =
      exporting::make_scene({.machine = shown.machine(),
                             .model = loaded.model,
                             .sources = has_places ? &loaded.sources : nullptr,
                             .poses = start,
                             .read_picture = [&](const std::string& path, const SourceRange& where) {
                               return read_watched(is_run ? shown.stored.request : request.model,
                                                   loaded.model.resolve_path(path, where), geometry::kMaxMeshBytes);
                             }});
  if (request.has_free_motions && !shown.stored.input.diagnostics.has_errors()) {
    exporting::add_free_motions(shown.machine(), shown.scene);
  }
  shown.notes.insert(shown.notes.end(), shown.scene.notes.begin(), shown.scene.notes.end());
  return std::nullopt;
}

}  // namespace gelenk::app
