#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "apps/gelenk/analyses/inverse.h"
#include "apps/gelenk/analyses/kinematics.h"
#include "apps/gelenk/analyses/linearize.h"
#include "apps/gelenk/analyze.h"
#include "apps/gelenk/rest.h"
#include "apps/gelenk/run_report.h"
#include "gelenk/base/text.h"
#include "gelenk/component/host.h"

namespace gelenk::app {
namespace {

using Analysis = ExitCode (*)(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                              Console& console);

// Where the machine rests, or its start pose where that is wanted.
ExitCode analyze_rest(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                      Console& console) {
  const bool wants_modes = request.kind == "modes";
  const bool at_start = wants_modes && request.at == "start";
  ExitCode code = ExitCode::ok;
  const std::optional<analysis::Equilibrium> found =
      at_start ? hold_start(machine.system, machine.params, machine.assembly, console, code)
               : find_rest(machine.system, machine.params, machine.assembly, console, code);
  if (!found) return code;
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("file", request.model.file).member("ok", true);
    if (!at_start) write_equilibrium_json(json, machine, *found);
    if (wants_modes) write_modes_json(json, machine, found->state);
    console.out(json.end_object().take());
    return ExitCode::ok;
  }
  console.out(wants_modes ? modes_text(machine, found->state) : equilibrium_text(input, machine, *found));
  return ExitCode::ok;
}

struct Kind {
  std::string_view name, doc;
  Analysis analyze;
  std::string_view options;      // those of its own
  bool has_open_inputs = false;  // it asks what inputs of the model do
};
constexpr Kind kKinds[] = {
    {"equilibrium", "where the machine rests", analyze_rest, ""},
    {"modes", "how it swings about that", analyze_rest, "--at"},
    {"linearize", "A, B, C, D and Bode plots about that", analyze_linearize,
     "--at --bode --frequencies --output --force", true},
    {"kinematics", "how it moves where a coordinate is led", analyze_kinematics,
     "--sweep --count --rate --path --output --force"},
    {"inverse", "what drives must do for a motion", analyze_inverse,
     "--motion --by --without --duration --output-every --output --force"},
};

const Kind* find_kind(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& one) { return one.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

std::string docs_of_kinds() {
  std::string text;
  for (const Kind& kind : kKinds) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kind.name, kind.doc);
  return text;
}

// An option that this kind does not have, or nothing.
std::string foreign_option(const AnalyzeRequest& request, const Kind& kind) {
  const std::pair<std::string_view, bool> given[] = {
      {"--at", !request.at.empty()},
      {"--sweep", !request.sweep.empty()},
      {"--count", !request.count.empty()},
      {"--rate", !request.rate.empty()},
      {"--path", !request.paths.empty()},
      {"--output", !request.output.empty()},
      {"--force", request.force},
      {"--motion", !request.motion.empty()},
      {"--by", !request.by.empty()},
      {"--without", !request.without.empty()},
      {"--duration", !request.duration.empty()},
      {"--output-every", !request.output_every.empty()},
      {"--bode", !request.bode.empty()},
      {"--frequencies", !request.frequencies.empty()},
  };
  const std::vector<std::string> own = split(kind.options, ' ');
  for (const auto& [name, is_given] : given) {
    if (is_given && std::find(own.begin(), own.end(), name) == own.end()) return std::string(name);
  }
  return {};
}

ExitCode analyze(const AnalyzeRequest& request, Console& console) {
  const Kind* const kind = find_kind(request.kind);
  if (kind == nullptr) {
    return console.fail(ExitCode::usage_error, fmt::format("analyze: there is no analysis '{}'", request.kind),
                        docs_of_kinds());
  }
  if (const std::string option = foreign_option(request, *kind); !option.empty()) {
    return console.fail(ExitCode::usage_error, fmt::format("analyze {} has no option {}", kind->name, option),
                        "'gelenk analyze --help' says which analysis has which");
  }
  if (!request.at.empty() && request.at != "rest" && request.at != "start") {
    return console.fail(ExitCode::usage_error, fmt::format("--at is rest or start, not '{}'", request.at));
  }
  ModelInput input;
  ModelRequest model = request.model;
  model.has_open_inputs = kind->has_open_inputs;
  if (const std::optional<ExitCode> usage = read_model(model, console, input)) return *usage;
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
  return kind->analyze(request, input, *machine, console);
}

}  // namespace

Action describe_analyze(Options& options) {
  const auto request = std::make_shared<AnalyzeRequest>();
  Argument kind{.name = "KIND", .doc = docs_of_kinds(), .target = &request->kind, .completion = Completion::words};
  for (const Kind& one : kKinds) kind.words.emplace_back(one.name);
  options.arguments.push_back(std::move(kind));
  add_file_options(options, request->model);
  add_settings_option(options, request->model);
  add_override_options(options, request->overrides);
  options.flags.push_back({"--force", "overwrite files that exist", &request->force});
  options.values.insert(
      options.values.end(),
      {{.names = "--at",
        .value_name = "rest|start",
        .doc = "modes, linearize: about which pose; default rest",
        .target = &request->at},
       {.names = "--sweep",
        .value_name = "NAME=FROM..TO",
        .doc = "kinematics: the joint coordinate or driver that is led, or `time`",
        .target = &request->sweep},
       {.names = "--count", .value_name = "N", .doc = "kinematics: poses; default 361", .target = &request->count},
       {.names = "--rate",
        .value_name = "RATE",
        .doc = "kinematics: how fast it is led; default 1 rad/s or 1 m/s",
        .target = &request->rate},
       {.names = "--path",
        .value_name = "POINT=FILE",
        .doc = "kinematics: curve of a part or frame to a .csv, .svg or .dxf file; may be repeated",
        .list = &request->paths},
       {.names = "--motion",
        .value_name = "RUN.h5",
        .doc = "inverse: the motion as it was recorded; default: as the drivers say",
        .target = &request->motion,
        .completion = Completion::run_files},
       {.names = "--by",
        .value_name = "COORDINATE",
        .doc = "inverse: drive this joint coordinate, too, with --motion; may be repeated",
        .list = &request->by},
       {.names = "--without",
        .value_name = "FORCE",
        .doc = "inverse: leave this force out, as the drives take its place; may be repeated",
        .list = &request->without},
       {.names = "--duration", .value_name = "TIME", .doc = "inverse: of the motion", .target = &request->duration},
       {.names = "--output-every",
        .value_name = "TIME",
        .doc = "inverse: time between rows",
        .target = &request->output_every},
       {.names = "--bode",
        .value_name = "FILE",
        .doc = "linearize: how outputs answer to inputs, to a .csv, .png, .svg or .pdf file",
        .target = &request->bode},
       {.names = "--frequencies",
        .value_name = "FROM..TO",
        .doc = "linearize: of the Bode plot; default around the motions of the machine",
        .target = &request->frequencies},
       {.names = "-o,--output",
        .value_name = "FILE",
        .doc = "kinematics, inverse: results file; inverse: table of efforts (.csv); linearize: matrices (.mat, .csv)",
        .target = &request->output}});
  options.details =
      "examples:\n"
      "  gelenk analyze equilibrium car.yaml\n"
      "  gelenk analyze modes car.yaml --set stiffness=\"30 kN/m\"\n"
      "  gelenk analyze linearize servo.yaml --bode bode.png -o servo.mat\n"
      "  gelenk analyze kinematics four_bar.yaml --sweep crank_bearing=0..360deg --path coupler.pin=pin.svg\n"
      "  gelenk analyze inverse arm.yaml --drive \"elbow.angle==30 deg * sin(2 (rad/s) * time)\" -o efforts.csv\n";
  return [request](Console& console) { return analyze(*request, console); };
}

}  // namespace gelenk::app
