#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/import_program.h"
#include "apps/gelenk/import_report.h"
#include "apps/gelenk/named_file.h"
#include "gelenk/base/similar_file.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/component/host.h"
#include "gelenk/formats/imported_names.h"

namespace gelenk::app {
namespace {

struct ImportOptions {
  std::string file, folder, ground, up, joints, links, base, time_limit, memory_limit;  // empty: not said
  std::vector<std::string> materials, masses, packages;
  bool updates = false;
};

// Limits that a file of this size never needs: 100 times what was measured.
constexpr double kSecondsPerFile = 60.0, kSecondsPerByte = 1e-4;
constexpr std::size_t kBytesPerFile = std::size_t{4} << 30, kBytesPerByte = 1000;
constexpr std::size_t kMegabyte = 1'000'000;

// "cover*=ABS" in two.
std::optional<std::pair<std::string, std::string>> pair_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) return std::nullopt;
  return std::pair{std::string(trim(text.substr(0, sign))), std::string(trim(text.substr(sign + 1)))};
}

// "38 kg", "500 g", "2.5"
std::optional<double> mass_of(std::string_view text) {
  const std::size_t length = number_length(text);
  const std::optional<double> number = parse_number(text.substr(0, length));
  const std::string_view symbol = trim(text.substr(length));
  if (!number || symbol.empty()) return number;
  const UnitParse unit = parse_unit(symbol);
  if (!unit.unit || !(unit.unit->dimension == quantity_info(Quantity::mass).dimension)) return std::nullopt;
  return *number * unit.unit->factor;
}

template <class T>
void add_new(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

// What is wrong with the words on the command line, or nothing. What they do not say stays as it is in the request.
std::string fill_in(const ImportOptions& options, formats::ImportRequest& request) {
  constexpr std::array<std::string_view, 6> kAxes{"x", "y", "z", "-x", "-y", "-z"};
  if (!options.up.empty()) {
    if (std::find(kAxes.begin(), kAxes.end(), options.up) == kAxes.end()) {
      return fmt::format("--up: {} is not one of x, y, z, -x, -y, -z", shown(options.up));
    }
    request.up = options.up;
  }
  if (!options.joints.empty()) {
    std::error_code ignored;
    const bool is_word = options.joints == "infer" || options.joints == "surfaces" || options.joints == "none";
    if (!is_word && !std::filesystem::is_regular_file(options.joints, ignored)) {
      return fmt::format("--joints: {} is neither infer, nor surfaces, nor none, nor a file", shown(options.joints));
    }
    request.infers_joints = options.joints != "none";
    request.ignores_joints = options.joints == "surfaces";
    request.joints_file = is_word ? "" : options.joints;
  }
  if (!options.links.empty()) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(options.links, ignored)) {
      return fmt::format("--links: {} is not a folder", shown(options.links));
    }
    request.links_folder = options.links;
  }
  for (const std::string& text : options.materials) {
    const auto both = pair_of(text);
    if (!both) return fmt::format("--material: {} is not of the form PART=MATERIAL", shown(text));
    add_new(request.materials, {both->first, both->second});
  }
  for (const std::string& text : options.masses) {
    const auto both = pair_of(text);
    const std::optional<double> mass = both ? mass_of(both->second) : std::nullopt;
    if (!mass) return fmt::format("--mass: {} is not of the form PART=MASS, as in 'press=38 kg'", shown(text));
    add_new(request.masses, {both->first, *mass});
  }
  for (const std::string& text : options.packages) {
    const auto both = pair_of(text);
    if (!both) return fmt::format("--package: {} is not of the form NAME=FOLDER", shown(text));
    add_new(request.packages, *both);
  }
  if (!options.base.empty() && options.base != "fixed" && options.base != "floating") {
    return fmt::format("--base: {} is neither fixed nor floating", shown(options.base));
  }
  const bool floats = options.base == "floating";
  if (floats && !options.ground.empty() && options.ground != "none")
    return "--base floating and --ground cannot be combined";
  if (floats) request.ground = "none";
  if (options.base == "fixed" && request.ground == "none") request.ground.clear();
  if (!options.ground.empty()) request.ground = options.ground;
  return "";
}

// What is wrong with the limits, or nothing.
std::string set_limits(const ImportOptions& options, formats::ImportRequest& request, double& time_limit) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(request.file, ignored);
  const std::size_t bytes = ignored ? 0 : static_cast<std::size_t>(size);
  time_limit = kSecondsPerFile + kSecondsPerByte * static_cast<double>(bytes);
  request.memory_limit = kBytesPerFile + kBytesPerByte * bytes;
  const auto is_limit = [](const std::optional<double>& number) { return number && *number > 0.0 && *number < 1e9; };
  if (!options.time_limit.empty()) {
    const std::optional<double> seconds = parse_number(options.time_limit);
    if (!is_limit(seconds))
      return fmt::format("--time-limit: {} is not a number of seconds", shown(options.time_limit));
    time_limit = *seconds;
  }
  if (!options.memory_limit.empty()) {
    const std::optional<double> megabytes = parse_number(options.memory_limit);
    if (!is_limit(megabytes)) {
      return fmt::format("--memory-limit: {} is not a number of megabytes", shown(options.memory_limit));
    }
    request.memory_limit = static_cast<std::size_t>(*megabytes * static_cast<double>(kMegabyte));
  }
  return "";
}

// Reads the model that was written, and closes its joints: drawings are not exact.
ExitCode put_together(const std::string& path, Console& console, ImportedMachine& machine) {
  ModelRequest request;
  request.file = path;
  if (const std::optional<ExitCode> usage = read_model(request, console, machine.input)) return *usage;
  if (!machine.input.machine || machine.input.diagnostics.has_errors()) return exit_code_of(machine.input.diagnostics);
  const std::optional<AssembledMachine> assembled = assemble_machine(machine.input);
  if (assembled) {
    const analysis::Assembly& assembly = assembled->assembly;
    const model::Machine& drawn = *machine.input.machine;
    machine.mobility = analysis::mobility_at(assembled->system, assembled->params, drawn, assembly.state);
    machine.residual = assembly.residual;
    std::map<std::string, double> open;  // fixed parts are one body: their joints are not among these
    for (std::size_t i = 0; i < assembly.joint_gap.size(); ++i) {
      open[assembled->system.joints[i].path] = assembly.joint_gap[i];
    }
    for (const model::JointNode& joint : drawn.joints) {
      machine.joints.push_back({joint.path, drawn_gap(drawn, joint), open[joint.path]});
    }
  }
  return exit_code_of(machine.input.diagnostics);
}

ExitCode import_model(const ImportOptions& options, Console& console) {
  formats::ImportRequest request;
  request.file = options.file;
  const std::filesystem::path path = options.file;
  if (const std::optional<ExitCode> other = refuse_other_file(options.file, WantedFile::drawing, console))
    return *other;
  if (kind_of_file(options.file) == FileKind::missing) {
    return console.fail(ExitCode::file_error, fmt::format("there is no file {}", shown(options.file)),
                        did_you_mean_file(options.file));
  }
  std::error_code unknown;
  // Whoever reads a pipe waits for its writer.
  if (const auto status = std::filesystem::status(path, unknown);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return console.fail(ExitCode::file_error, fmt::format("{} is not an ordinary file", shown(options.file)));
  }
  request.name = formats::model_name(path.stem().string(), "model");
  request.folder = options.folder.empty() ? path.stem().string() : options.folder;
  std::string problem;
  std::optional<JsonValue> before;
  if (options.updates) {
    before = read_import_report(request, problem);
    if (!before) {
      return console.fail(ExitCode::file_error, fmt::format("there is no import to update: {}", problem),
                          "import it without --update, or name the folder with -o");
    }
    request.updates = true;
    read_options(*before, request);
  }
  double time_limit = 0.0;
  std::string mistake = fill_in(options, request);
  if (mistake.empty()) mistake = set_limits(options, request, time_limit);
  if (!mistake.empty()) return console.fail(ExitCode::usage_error, mistake);
  const std::string model = fmt::format("{}/{}.yaml", request.folder, request.name);
  std::error_code ignored;
  const ImportPlaces places{request.folder, request.name, std::filesystem::exists(model, ignored)};
  // Before anything is written.
  if (const std::string refusal = import_report_refusal(places); !refusal.empty()) {
    return console.fail(ExitCode::file_error, refusal);
  }

  ImportFailure failure;
  ImportedMachine machine;
  const std::optional<JsonValue> report = run_import_program(request, time_limit, console, machine.cost, failure);
  if (!report) return console.fail(failure.code, failure.message, failure.hint);
  ExitCode code = ExitCode::ok;
  try {
    code = put_together(model, console, machine);
  } catch (const component::ComponentFailure& broken) {  // that the user's file has added
    return console.fail(ExitCode::component_failed, broken.what());
  }
  std::optional<std::vector<ImportChange>> changes;
  if (before) changes = import_changes(*before, *report);
  if (const std::string failed = write_import_report(*report, machine, places); !failed.empty()) {
    return console.fail(ExitCode::file_error, failed);
  }
  if (console.json) {
    console.out(import_json(*report, machine, places, changes));
    return code;
  }
  print_to_stderr(machine.input.diagnostics, machine.input.loaded.sources, console);
  if (console.quiet) return code;
  if (changes) console.out(changes_text(*changes));
  console.summary(import_summary(*report, machine, places));
  return code;
}

}  // namespace

Action describe_import(Options& options) {
  const auto request = std::make_shared<ImportOptions>();
  options.arguments.push_back({.name = "FILE",
                               .doc = "assembly: STEP (AP203, AP214, AP242) or FreeCAD (FCStd); or a robot: URDF",
                               .target = &request->file,
                               .completion = Completion::cad_files});
  const auto value = [&](const char* names, const char* value_name, const char* doc, std::string* target) {
    options.values.push_back({.names = names, .value_name = value_name, .doc = doc, .target = target});
  };
  options.values.push_back({.names = "-o",
                            .value_name = "DIR",
                            .doc = "folder of the model; by default, named after the file",
                            .target = &request->folder,
                            .completion = Completion::folders});
  value("--ground", "PART", "part fixed to the ground, or none; by default, chosen automatically", &request->ground);
  value("--up", "AXIS", "upward axis of the drawing: x, y, z, -x, -y, -z; default z", &request->up);
  options.values.push_back({.names = "--material",
                            .value_name = "PART=NAME",
                            .doc = "what parts are made of; * stands for anything",
                            .list = &request->materials});
  options.values.push_back({.names = "--mass",
                            .value_name = "PART=MASS",
                            .doc = "mass of parts; their inertia is scaled with it",
                            .list = &request->masses});
  options.flags.push_back(
      {"--update", "update the import in the folder: keep names and options, report what changed", &request->updates});
  value("--joints", "HOW",
        "infer: from surfaces if the file has none; surfaces: even if it has some; none; or a file that lists them; "
        "default infer",
        &request->joints);
  options.values.push_back({.names = "--links",
                            .value_name = "FOLDER",
                            .doc = "folder in which linked FreeCAD files may be; by default, that of FILE",
                            .target = &request->links,
                            .completion = Completion::folders});
  value("--base", "HOW", "for a robot: fixed (to the ground) or floating; default fixed", &request->base);
  options.values.push_back({.names = "--package",
                            .value_name = "NAME=FOLDER",
                            .doc = "where the files of a package:// are; may be repeated",
                            .list = &request->packages});
  value("--time-limit", "SECONDS", "give up after this time", &request->time_limit);
  value("--memory-limit", "MB", "give up above this much memory", &request->memory_limit);
  options.details =
      "examples:\n"
      "  gelenk import engine.step -o engine\n"
      "  gelenk import engine.step -o engine --update\n"
      "  gelenk import press.step --ground frame --up y --material 'cover*=ABS' --mass 'ram=38 kg'\n"
      "  gelenk import anymal.urdf --base floating --package anymal_description=../anymal_description\n";
  return [request](Console& console) { return import_model(*request, console); };
}

}  // namespace gelenk::app
