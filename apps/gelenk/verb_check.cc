#include <memory>

#include "apps/gelenk/check_model.h"
#include "gelenk/model/summary.h"

namespace gelenk::app {
namespace {

void print_json(const CheckRequest& request, const ModelInput& input, bool is_good, Console& console) {
  JsonWriter json;
  json.begin_object().member("file", request.model.file);
  write_report_json(json, input.diagnostics, input.loaded.sources, request.model.warnings_are_errors);
  json.key("summary");
  if (is_good) {
    json.begin_object();
    model::write_summary_json(json, *input.machine);
    json.end_object();
  } else {
    json.null();
  }
  console.out(json.end_object().take());
}

}  // namespace

void add_check_options(Options& options, CheckRequest& request) {
  add_file_options(options, request.model);
  add_settings_option(options, request.model);
  options.flags.push_back({"--details", "counts of constraint rows, rank and motions, too", &request.details});
  options.flags.push_back({"--werror", "warnings are errors", &request.model.warnings_are_errors});
}

ExitCode check_model(const CheckRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  const ExitCode code = exit_code_of(input.diagnostics, request.model.warnings_are_errors);
  if (console.json) {
    print_json(request, input, code == ExitCode::ok, console);
    return code;
  }
  print_to_stderr(input.diagnostics, input.loaded.sources, console, request.model.warnings_are_errors);
  if (code == ExitCode::ok && !console.quiet) {
    console.out(model::summary_text(*input.machine, {.details = request.details}));
  }
  return code;
}

Action describe_check(Options& options) {
  const auto request = std::make_shared<CheckRequest>();
  add_check_options(options, *request);
  options.details =
      "examples:\n"
      "  gelenk check crank_slider.yaml\n"
      "  gelenk check crank_slider.yaml --set crank_length=\"60 mm\" --details\n";
  return [request](Console& console) { return check_model(*request, console); };
}

}  // namespace gelenk::app
