#include "apps/gelenk/viewed_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "apps/gelenk/results_input.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

std::string name_alone(const std::string& file) { return std::filesystem::path(file).filename().string(); }

void forget_folders(exporting::Scene& scene) {
  const auto forget = [](auto& elements) {
    for (exporting::SceneElement& element : elements) element.file = name_alone(element.file);
  };
  forget(scene.assemblies);
  forget(scene.parts);
  forget(scene.joints);
  forget(scene.forces);
  forget(scene.drivers);
}

view::Message damage_message(const std::string& file, const std::vector<std::string>& damage) {
  return view::note_message(fmt::format("'{}' is damaged: {}", name_alone(file), join(damage, "; ")));
}

std::optional<ExitCode> add_run(const std::string& file, Console& console, view::ViewerData& data) {
  if (!is_run_file(file)) {
    return console.fail(ExitCode::usage_error, fmt::format("'{}' is not a results file", file),
                        "after the first file only runs can be shown: gelenk view A.h5 B.h5");
  }
  std::unique_ptr<results::Reader> reader = open_run(file, console);
  if (!reader) return ExitCode::file_error;
  data.runs.push_back(std::make_unique<view::RunData>(std::move(reader)));
  return std::nullopt;
}

}  // namespace

std::optional<ExitCode> read_viewed_machine(const ViewRequest& request, Console& console, ViewedMachine& viewed) {
  ShownMachine shown;
  ShowRequest show = request.show;
  show.has_free_motions = true;
  const std::optional<ExitCode> failed = show_machine(show, console, shown);
  const SourceMap& sources = shown.stored.input.loaded.sources;
  viewed.messages = view::messages_of(shown.stored.input.diagnostics, sources);
  if (request.without_folders) {
    for (view::Message& message : viewed.messages) message.file = name_alone(message.file);
  }
  viewed.is_incomplete = shown.is_incomplete;
  if (failed) return failed;
  if (request.without_folders) forget_folders(shown.scene);
  viewed.scene = scene_json(shown.scene);
  viewed.name = shown.machine().name;
  viewed.settings = view::settings_of(shown.machine(), sources, analysis::RunOptions{}.duration);
  for (const std::string& note : shown.notes) viewed.messages.push_back(view::note_message(note));
  if (!shown.damage.empty()) viewed.messages.push_back(damage_message(request.show.model.file, shown.damage));
  return std::nullopt;
}

std::optional<ExitCode> open_viewed_runs(const ViewRequest& request, Console& console, view::ViewerData& data) {
  const std::string& file = request.show.model.file;
  if (is_run_file(file)) {
    if (const std::optional<ExitCode> failed = add_run(file, console, data)) return failed;
  }
  for (const std::string& other : request.other) {
    if (const std::optional<ExitCode> failed = add_run(other, console, data)) return failed;
    const std::vector<std::string> damage = warn_of_damage(data.runs.back()->reader(), console);
    if (!damage.empty()) data.messages.push_back(damage_message(other, damage));
  }
  if (data.runs.size() < 2) return std::nullopt;
  const std::string& name = data.runs.front()->reader().header().model_name;
  for (const std::unique_ptr<view::RunData>& run : data.runs) {
    if (run->reader().header().model_name == name) continue;
    data.messages.push_back(view::note_message(
        fmt::format("'{}' is a run of another model: elements with other names are not shown", run->reader().path())));
  }
  return std::nullopt;
}

std::optional<ExitCode> read_viewed(const ViewRequest& request, Console& console, view::ViewerData& data) {
  ViewedMachine viewed;
  if (const std::optional<ExitCode> failed = read_viewed_machine(request, console, viewed)) return failed;
  data.scene = std::move(viewed.scene);
  data.messages = std::move(viewed.messages);
  return open_viewed_runs(request, console, data);
}

}  // namespace gelenk::app
