#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/live_view.h"
#include "apps/gelenk/model_bench.h"
#include "apps/gelenk/results_input.h"
#include "apps/gelenk/view_server.h"
#include "apps/gelenk/viewed_files.h"

namespace gelenk::app {

ExitCode view_files(ViewRequest request, Console& console) {
  request.show.is_with_errors = true;
  std::optional<view::LiveControl> control;
  if (const std::optional<ExitCode> failed = attach_to_run(control, console)) return *failed;
  view::ViewerData data;
  const bool has_browser = !request.without_browser;
  if (!is_run_file(request.show.model.file)) {
    ModelBench bench(request, data);
    if (const std::optional<ExitCode> failed = bench.open(console)) return *failed;
    if (const std::optional<ExitCode> failed = open_viewed_runs(request, console, data)) return *failed;
    return serve_viewer(data, {.has_browser = has_browser, .bench = &bench}, console);
  }
  if (const std::optional<ExitCode> failed = read_viewed(request, console, data)) return *failed;
  for (const view::Message& message : data.messages) {
    if (!control && message.severity == "note") console.message(fmt::format("note: {}\n", message.text));
  }
  return serve_viewer(data, {.has_browser = has_browser, .control = control ? &*control : nullptr}, console);
}

Action describe_view(Options& options) {
  const auto shared = std::make_shared<ViewRequest>();
  ViewRequest& request = *shared;
  add_shown_file(options, request.show);
  options.arguments.push_back({.name = "RUN",
                               .doc = "further runs, to compare with",
                               .list = &request.other,
                               .is_required = false,
                               .completion = Completion::run_files});
  add_pose_options(options, request.show);
  options.flags.push_back({"--no-browser", "print the address only", &request.without_browser});
  options.details =
      "examples:\n"
      "  gelenk view crank_slider.yaml\n"
      "  gelenk view crank_slider.h5\n"
      "  gelenk view before.h5 after.h5\n"
      "\n"
      "The page is served on this computer only, to anyone who has the address. A run in progress is followed.\n"
      "\n"
      "The page of a model follows its files: what is saved is shown within a second, errors of a change that is half\n"
      "done in place, while the last machine without errors stays. Run, Stop, parameters, start values and the "
      "duration\n"
      "are on the page; each run is compared with the one before. Results files are removed when the viewer ends,\n"
      "unless you keep them on the page: then they are next to the model.\n"
      "A model with errors is shown as far as it can be, with its errors in place.\n";
  return [shared](Console& console) { return view_files(*shared, console); };
}

}  // namespace gelenk::app
