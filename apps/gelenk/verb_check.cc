#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/check_model.h"
#include "apps/gelenk/component_text.h"
#include "apps/gelenk/reaction_text.h"
#include "apps/gelenk/run_report.h"
#include "apps/gelenk/viewed_files.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/text.h"
#include "gelenk/model/summary.h"

namespace gelenk::app {
namespace {

// What the machine is when its joints are closed.
struct AssembledModel {
  model::MobilityReport mobility;
  analysis::Assembly assembly;
  std::size_t bodies = 0;
  double size = 1.0;  // m
  system::System system;
  system::Params params;
  analysis::SharedDirections reactions;
};

std::optional<AssembledModel> assemble(ModelInput& input) {
  const model::Machine& machine = *input.machine;
  std::optional<AssembledMachine> assembled = assemble_machine(input);
  if (!assembled) return std::nullopt;
  AssembledModel result;
  const analysis::Assembly& assembly = assembled->assembly;
  // What an inside lets move, and which loads it shares, nobody outside can count.
  if (machine.sealed.empty()) {
    result.mobility = analysis::mobility_at(assembled->system, assembled->params, machine, assembly.state);
    result.reactions = analysis::shared_directions(assembled->system, assembled->params, assembly.state,
                                                   analysis::run_rank_tolerance(assembly));
  }
  result.bodies = assembled->system.bodies.size();
  result.size = assembled->params.length;
  result.assembly = std::move(assembled->assembly);
  result.system = std::move(assembled->system);
  result.params = std::move(assembled->params);
  return result;
}

std::string assembly_text(const model::Machine& machine, const AssembledModel& model, bool details) {
  std::string text;
  if (!model.assembly.moved.empty()) {
    text += machine.parts.size() == 1
                ? "assembled     the part starts away from where it is drawn\n"
                : fmt::format("assembled     {} of {} parts start away from where they are drawn\n",
                              model.assembly.moved.size(), machine.parts.size());
    if (!details) return text;
    for (const analysis::MovedPart& moved : model.assembly.moved) {
      text += fmt::format("moved         {} by {}\n", machine.parts[static_cast<std::size_t>(moved.part)].path,
                          moved_text(moved, model.size));
    }
  }
  return text;
}

void print_json(const CheckRequest& request, const ModelInput& input, const std::optional<AssembledModel>& assembled,
                bool is_good, Console& console) {
  JsonWriter json;
  json.begin_object().member("file", request.model.file);
  write_report_json(json, input.diagnostics, input.loaded.sources, request.model.warnings_are_errors);
  json.key("summary");
  if (is_good && assembled) {
    json.begin_object();
    const bool is_sealed = !input.machine->sealed.empty();
    model::write_summary_json(json, *input.machine, {.mobility = &assembled->mobility});
    json.key("assembly").begin_object();
    json.member("bodies", assembled->bodies).member("residual", assembled->assembly.residual);
    json.member("rankTolerance", assembled->assembly.rank_tolerance).key("moved").begin_array();
    for (const analysis::MovedPart& moved : assembled->assembly.moved) {
      json.begin_object().member("part", input.machine->parts[static_cast<std::size_t>(moved.part)].path);
      json.member("distance", moved.distance).member("angle", moved.angle).end_object();
    }
    json.end_array().key("jointResiduals").begin_object();
    for (std::size_t j = 0; j < assembled->assembly.joint_gap.size(); ++j) {
      json.member(input.machine->joints[j].path, assembled->assembly.joint_gap[j]);
    }
    json.end_object().end_object();
    if (!is_sealed) {
      json.key("reactions");
      write_reactions_json(json, assembled->system, assembled->reactions);
    }
    if (request.components && !is_sealed) {
      json.key("components");
      write_components_json(json, assembled->system, assembled->params);
    }
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
  options.flags.push_back(
      {"--components", "how the equations are divided: sizes, borders, loops, operations", &request.components});
  options.flags.push_back(
      {"--view", "show it in the browser, too, with errors and open joints in place", &request.has_view});
  options.flags.push_back({"--no-browser", "with --view: print the address only", &request.without_browser});
  options.flags.push_back({"--werror", "warnings are errors", &request.model.warnings_are_errors});
}

namespace {

ExitCode say_what_it_is(const CheckRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  std::optional<AssembledModel> assembled;
  try {
    if (input.machine && !input.diagnostics.has_errors()) assembled = assemble(input);
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  const ExitCode code = exit_code_of(input, request.model.warnings_are_errors);
  if (console.json) {
    print_json(request, input, assembled, code == ExitCode::ok, console);
    return code;
  }
  print_to_stderr(input.diagnostics, input.loaded.sources, console, request.model.warnings_are_errors);
  if (code == ExitCode::ok && assembled && !console.quiet) {
    console.out(model::summary_text(*input.machine, {.details = request.details, .mobility = &assembled->mobility}));
    console.out(assembly_text(*input.machine, *assembled, request.details));
    if (!input.machine->sealed.empty()) return code;
    console.out(reactions_text(assembled->system, assembled->reactions, request.details));
    if (request.components) console.out(components_text(assembled->system, assembled->params));
  }
  return code;
}

}  // namespace

ExitCode check_model(const CheckRequest& request, Console& console) {
  const ExitCode code = say_what_it_is(request, console);
  if (!request.has_view || code == ExitCode::usage_error || code == ExitCode::file_error) return code;
  ViewRequest viewed;
  viewed.show.model = request.model;
  viewed.without_browser = request.without_browser;
  const ExitCode seen = view_files(viewed, console);
  return seen == ExitCode::ok ? code : seen;
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
