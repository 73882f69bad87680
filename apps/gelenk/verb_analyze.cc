#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/gelenk/analyze.h"
#include "apps/gelenk/rest.h"
#include "apps/gelenk/run_report.h"
#include "gelenk/component/host.h"

namespace gelenk::app {
namespace {

constexpr const char* kEquilibrium = "equilibrium";
constexpr const char* kModes = "modes";

ExitCode analyze(const AnalyzeRequest& request, Console& console) {
  if (request.kind != kEquilibrium && request.kind != kModes) {
    return console.fail(ExitCode::usage_error, fmt::format("analyze: there is no analysis '{}'", request.kind),
                        "equilibrium: where the machine rests; modes: how it swings about that");
  }
  if (!request.at.empty() && request.at != "rest" && request.at != "start") {
    return console.fail(ExitCode::usage_error, fmt::format("--at is rest or start, not '{}'", request.at));
  }
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  if (exit_code_of(input.diagnostics) != ExitCode::ok) return fail_with_diagnostics(input, console);
  if (const std::optional<ExitCode> bad = apply_overrides(request.overrides, *input.machine, console)) return *bad;
  warn_about_bare_overrides(request.overrides, *input.machine, console);
  std::optional<AssembledMachine> machine;
  try {
    machine = assemble_machine(input);
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  if (!machine) return fail_with_diagnostics(input, console);
  if (!console.json) print_to_stderr(input.diagnostics, input.loaded.sources, console);
  const bool at_start = request.kind == kModes && request.at == "start";
  ExitCode code = ExitCode::ok;
  const std::optional<analysis::Equilibrium> found =
      at_start ? hold_start(machine->system, machine->params, machine->assembly, console, code)
               : find_rest(machine->system, machine->params, machine->assembly, console, code);
  if (!found) return code;
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("file", request.model.file).member("ok", true);
    if (!at_start) write_equilibrium_json(json, *machine, *found);
    if (request.kind == kModes) write_modes_json(json, *machine, found->state);
    console.out(json.end_object().take());
    return ExitCode::ok;
  }
  if (request.kind == kEquilibrium) console.out(equilibrium_text(input, *machine, *found));
  if (request.kind == kModes) console.out(modes_text(*machine, found->state));
  return ExitCode::ok;
}

}  // namespace

Action describe_analyze(Options& options) {
  const auto request = std::make_shared<AnalyzeRequest>();
  options.arguments.push_back({.name = "KIND",
                               .doc = "equilibrium: where the machine rests; modes: how it swings about that",
                               .target = &request->kind,
                               .completion = Completion::words,
                               .words = {kEquilibrium, kModes}});
  add_file_options(options, request->model);
  add_settings_option(options, request->model);
  add_override_options(options, request->overrides);
  options.values.push_back({.names = "--at",
                            .value_name = "rest|start",
                            .doc = "modes: about which pose; default rest",
                            .target = &request->at});
  options.details =
      "examples:\n"
      "  gelenk analyze equilibrium car.yaml\n"
      "  gelenk analyze modes car.yaml --set stiffness=\"30 kN/m\"\n";
  return [request](Console& console) { return analyze(*request, console); };
}

}  // namespace gelenk::app
