#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/check_model.h"
#include "apps/gelenk/check_sweep.h"
#include "apps/gelenk/component_text.h"
#include "apps/gelenk/open_code.h"
#include "apps/gelenk/part_text.h"
#include "apps/gelenk/reaction_text.h"
#include "apps/gelenk/run_report.h"
#include "apps/gelenk/viewed_files.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/text.h"
#include "gelenk/export/scene.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/model/summary.h"

namespace gelenk::app {
namespace {

// What the machine is when its joints are closed.
struct AssembledModel : AssembledMachine {
  model::MobilityReport mobility;
  analysis::SharedDirections reactions;
  std::vector<Pose> poses;  // X_WP of the parts
  geometry::Bounds bounds;  // around what is seen of them

  model::SummaryOptions summary(bool details, const SourceMap& sources) const {
    return {.details = details, .mobility = &mobility, .poses = poses, .bounds = &bounds, .sources = &sources};
  }
};

std::optional<AssembledModel> assemble(ModelInput& input, OpenCode& codes) {
  const model::Machine& machine = *input.machine;
  std::optional<AssembledMachine> assembled = assemble_machine(input);
  if (!assembled) return std::nullopt;
  codes.start(machine, assembled->system, input.diagnostics);
  AssembledModel result{*std::move(assembled), {}, {}, {}, {}};
  const analysis::Assembly& assembly = result.assembly;
  // What an inside lets move, and which loads it shares, nobody outside can count.
  if (machine.sealed.empty()) {
    result.mobility = analysis::mobility_at(result.system, result.params, machine, assembly.state);
    result.reactions = analysis::shared_directions(result.system, result.params, assembly.state,
                                                   analysis::run_rank_tolerance(assembly));
  }
  result.poses = result.part_poses();
  result.bounds = exporting::seen_bounds(exporting::make_scene(
      {.machine = machine, .model = input.loaded.model, .sources = &input.loaded.sources, .poses = result.poses}));
  return result;
}

std::string assembly_text(const model::Machine& machine, const AssembledModel& model, bool details) {
  std::string text;
  if (!model.assembly.moved.empty()) {
    text += fmt::format("assembled     {}\n", moved_count_text(machine, model.assembly.moved.size()));
    if (!details) return text;
    for (const analysis::MovedPart& moved : model.assembly.moved) {
      text += fmt::format("moved         {} by {}\n", machine.parts[static_cast<std::size_t>(moved.part)].path,
                          moved_text(machine, moved, model.params.length));
    }
  }
  return text;
}

std::optional<ExitCode> sweep_all(const CheckRequest& request, const AssembledModel& assembled, Console& console,
                                  std::vector<Sweep>& sweeps) {
  for (const std::string& name : request.sweeps) {
    if (!assembled.system.sealed.empty()) {
      return console.fail(ExitCode::usage_error, "--sweep: what moves inside sealed components is not known here");
    }
    std::string problem, hint;
    const std::optional<Sweep> sweep = sweep_coordinate(assembled, name, problem, hint);
    if (!sweep) return console.fail(ExitCode::usage_error, problem, hint);
    sweeps.push_back(*sweep);
  }
  return std::nullopt;
}

void write_sweeps_json(JsonWriter& json, const std::vector<Sweep>& sweeps) {
  json.key("sweeps").begin_array();
  for (const Sweep& sweep : sweeps) {
    json.begin_object().member("name", sweep.name).member("start", sweep.start).member("goesRound", sweep.goes_round);
    json.member("lowest", sweep.lowest).member("highest", sweep.highest);
    json.member("below", sweep.below).member("above", sweep.above).end_object();
  }
  json.end_array();
}

void print_json(const CheckRequest& request, const ModelInput& input, const std::optional<AssembledModel>& assembled,
                const std::vector<Sweep>& sweeps, bool is_good, Console& console) {
  JsonWriter json;
  json.begin_object().member("file", request.model.file);
  write_report_json(json, input.diagnostics, input.loaded.sources, request.model.warnings_are_errors);
  json.key("summary");
  if (is_good && assembled) {
    json.begin_object();
    const bool is_sealed = !input.machine->sealed.empty();
    model::write_summary_json(json, *input.machine, assembled->summary(false, input.loaded.sources));
    json.key("assembly").begin_object();
    json.member("bodies", assembled->system.bodies.size()).member("residual", assembled->assembly.residual);
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
    if (request.parts) {
      json.key("partList");
      write_parts_json(json, *input.machine);
    }
    if (!sweeps.empty()) write_sweeps_json(json, sweeps);
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
  add_code_option(options, request.model);
  options.flags.push_back({"--details", "also show counts of constraint rows, rank and motions", &request.details});
  options.flags.push_back(
      {"--components", "how the equations are divided: sizes, borders, loops, operations", &request.components});
  options.flags.push_back({"--parts", "mass, center, inertia, volume and surface of every part", &request.parts});
  options.values.push_back({.names = "--sweep",
                            .value_name = "DRIVER",
                            .doc = "how far this driver or joint coordinate can go, and what stops it; may be repeated",
                            .list = &request.sweeps});
  options.flags.push_back(
      {"--view", "also show it in the browser, with errors and open joints in place", &request.has_view});
  options.flags.push_back({"--no-browser", "with --view: print the address only", &request.without_browser});
  options.flags.push_back({"--werror", "treat warnings as errors", &request.model.warnings_are_errors});
}

namespace {

ExitCode say_what_it_is(const CheckRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  std::optional<AssembledModel> assembled;
  OpenCode codes({request.model.trust_code, request.model.trust_once});
  try {
    if (input.machine && !input.diagnostics.has_errors()) assembled = assemble(input, codes);
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  const ExitCode code =
      codes.has_failed() ? ExitCode::component_failed : exit_code_of(input, request.model.warnings_are_errors);
  std::vector<Sweep> sweeps;
  if (assembled) {
    if (const std::optional<ExitCode> failed = sweep_all(request, *assembled, console, sweeps)) return *failed;
  }
  if (console.json) {
    print_json(request, input, assembled, sweeps, code == ExitCode::ok, console);
    return code;
  }
  print_to_stderr(input.diagnostics, input.loaded.sources, console, request.model.warnings_are_errors);
  if (code == ExitCode::ok && assembled && !console.quiet) {
    console.summary(model::summary_text(*input.machine, assembled->summary(request.details, input.loaded.sources)));
    console.summary(assembly_text(*input.machine, *assembled, request.details));
    if (request.parts) console.out(parts_text(*input.machine));
    for (const Sweep& sweep : sweeps) console.summary(sweep_text(*input.machine, *assembled, sweep));
    if (!input.machine->sealed.empty()) return code;
    console.summary(reactions_text(assembled->system, assembled->reactions, request.details));
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
      "  gelenk check crank_slider.yaml --set crank_length=\"60 mm\" --details\n"
      "  gelenk check crank_slider.yaml --sweep motor\n";
  return [request](Console& console) { return check_model(*request, console); };
}

}  // namespace gelenk::app
