#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "apps/gelenk/component_case.h"
#include "apps/gelenk/seal_code.h"
#include "apps/gelenk/seal_disclosure.h"
#include "apps/gelenk/seal_draft.h"
#include "apps/gelenk/seal_map.h"
#include "apps/gelenk/verb.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/inside_names.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/component/signature.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

// Everything that is made before anything is written.
struct Sealing {
  ModelInput input;
  component::ContainerDraft draft;
  std::optional<Disclosure> disclosure;
  std::vector<CaseOutcome> cases;
  std::string output, map;
};

std::string default_output(const std::string& model) { return fs::path(model).replace_extension(".gkc").string(); }

// A slip of `-o` must not cost anybody a model.
std::optional<SealProblem> refuse_output(const std::string& file, bool is_forced) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (!fs::exists(status)) return std::nullopt;
  if (!fs::is_regular_file(status)) {
    return SealProblem{ExitCode::file_error, fmt::format("'{}' is not an ordinary file", file), "choose another name"};
  }
  if (is_forced) return std::nullopt;
  return SealProblem{ExitCode::file_error, fmt::format("'{}' already exists", file),
                     "choose another name, or add --force"};
}

std::optional<SealProblem> choose_files(const SealRequest& request, Sealing& sealing) {
  sealing.output = request.output.empty() ? default_output(request.model.file) : request.output;
  if (!sealing.output.ends_with(".gkc")) {
    return SealProblem{ExitCode::usage_error, fmt::format("{} does not end in .gkc", shown(sealing.output)),
                       "sealed components need this extension: -o NAME.gkc"};
  }
  sealing.map = request.map.empty() ? sealing.output + ".map" : request.map;
  if (auto problem = refuse_output(sealing.output, request.force)) return problem;
  for (std::size_t i = 0; i < sealing.input.loaded.model.folders.size(); ++i) {
    std::error_code problem;
    if (fs::equivalent(sealing.map, sealing.input.loaded.sources.file(static_cast<std::int32_t>(i)).path(), problem)) {
      return SealProblem{ExitCode::file_error,
                         fmt::format("'{}' is a file of the model and was left unchanged", sealing.map)};
    }
  }
  return refuse_output(sealing.map, request.force);
}

// As `gelenk check` does; then what a component needs beyond it. Mistakes of the model are in the diagnostics.
std::optional<SealProblem> prepare(const SealRequest& request, Sealing& sealing) {
  ModelInput& input = sealing.input;
  const std::optional<system::System> system = system::compile(*input.machine, {}, input.diagnostics);
  if (!system) return std::nullopt;
  system::Params params = system::make_params(*system, *input.machine);
  const std::optional<analysis::Assembly> assembly =
      input.machine->sealed.empty() ? analysis::assemble(*system, params, *input.machine, 0.0, input.diagnostics)
                                    : input.sealed->assemble(*system, params, *input.machine, {}, input.diagnostics);
  if (!assembly) return std::nullopt;
  if (auto problem = describe_component(request, input, sealing.draft.manifest)) return problem;
  if (input.diagnostics.has_errors()) return std::nullopt;
  if (auto problem = add_files(request, input, sealing.draft)) return problem;
  if (input.diagnostics.has_errors()) return std::nullopt;
  if (auto problem = try_code(sealing.draft)) return problem;
  std::string error;
  sealing.disclosure = disclose(input, sealing.draft.manifest, analysis::run_rank_tolerance(*assembly), error);
  if (!sealing.disclosure) {
    return SealProblem{ExitCode::model_error, fmt::format("the component cannot be mounted at its ports: {}", error)};
  }
  return std::nullopt;
}

std::optional<SealProblem> add_other(const std::string& file, component::ContainerDraft& draft) {
  const component::OpenResult other = component::open_container(file);
  if (!other.container) return SealProblem{ExitCode::file_error, other.error};
  const std::string difference = component::add_platforms(draft, *other.container);
  if (difference.empty()) return std::nullopt;
  return SealProblem{ExitCode::usage_error, fmt::format("'{}' cannot be added: {}", file, difference),
                     "seal the same model with the same options on both machines"};
}

// A component that fails its maker's own cases is not given away.
std::optional<SealProblem> try_cases(const component::ContainerDraft& draft, std::vector<CaseOutcome>& outcomes) {
  std::string error, component;
  for (const ZipEntry& file : draft.files) {
    if (!file.path.starts_with(kCasesFolder)) continue;
    const std::string name = file.path.substr(kCasesFolder.size());
    const std::optional<ComponentCase> one = read_case(name, file.bytes, error);
    if (!one) return SealProblem{ExitCode::model_error, error};
    if (component.empty()) component = component::make_container(draft, nullptr, error).value_or("");
    if (component.empty()) return SealProblem{ExitCode::file_error, error};
    outcomes.push_back(run_case(*one, component));
    if (outcomes.back().failure.empty()) continue;
    return SealProblem{ExitCode::simulation_failed,
                       fmt::format("the acceptance case '{}' fails: {}", name, outcomes.back().failure),
                       "nothing is sealed until its cases pass"};
  }
  return std::nullopt;
}

std::optional<SealProblem> write(const SealRequest& request, const Sealing& sealing, const SecretKey* key) {
  const std::string error = component::write_container(sealing.output, sealing.draft, key);
  if (!error.empty()) return SealProblem{ExitCode::file_error, error};
  const std::string reason =
      write_map(sealing.map, map_text(sealing.draft.manifest, analysis::inside_names(*sealing.input.machine)));
  if (reason.empty()) return std::nullopt;
  return SealProblem{ExitCode::file_error, fmt::format("the file '{}' cannot be written: {}", sealing.map, reason),
                     request.map.empty() ? "name another place with --map" : ""};
}

void print_json(const Sealing& sealing, const SecretKey* key, Console& console) {
  JsonWriter json;
  json.begin_object().member("file", sealing.output).member("map", sealing.map);
  write_report_json(json, sealing.input.diagnostics, sealing.input.loaded.sources);
  json.key("fingerprint");
  if (key != nullptr) {
    json.value(component::fingerprint(key->public_key()));
  } else {
    json.null();
  }
  json.key("cases").begin_array();
  for (const CaseOutcome& outcome : sealing.cases) {
    json.begin_object().member("compared", outcome.compared).member("worst", outcome.worst).end_object();
  }
  json.end_array().key("manifest");
  component::write_manifest(json, sealing.draft.manifest);
  json.key("disclosure").begin_object();
  write_disclosure_json(json, *sealing.disclosure);
  console.out(json.end_object().end_object().take());
}

std::string signing_hint() {
  const std::optional<std::string> path = component::default_secret_key_path();
  std::error_code problem;
  if (path && fs::exists(*path, problem)) return fmt::format("sign it with: --key {}", *path);
  return "make a key with 'gelenk trust keygen', then sign with --key FILE";
}

std::string cases_text(const std::vector<CaseOutcome>& cases) {
  std::size_t compared = 0;
  double worst = 0.0;
  for (const CaseOutcome& outcome : cases) {
    compared += outcome.compared;
    worst = std::max(worst, outcome.worst);
  }
  return fmt::format("{}: {}, the largest error is {} of its tolerance\n", counted(cases.size(), "acceptance case"),
                     counted(compared, "number"), format_rounded(worst, 2));
}

void print_text(const Sealing& sealing, const SecretKey* key, Console& console) {
  if (console.quiet) return;
  console.out(disclosure_text(sealing.draft, *sealing.disclosure));
  if (!sealing.cases.empty()) console.message(cases_text(sealing.cases));
  console.message(fmt::format("{} written, {}\n", sealing.output,
                              key == nullptr ? "not signed: nobody can check that it is yours"
                                             : "signed by " + component::fingerprint(key->public_key())));
  if (key == nullptr) console.message("  hint: " + signing_hint() + "\n");
  console.message(fmt::format("{} explains its messages: keep it to yourself\n", sealing.map));
}

ExitCode fail(const SealProblem& problem, Console& console) {
  return console.fail(problem.code, problem.message, problem.hint);
}

ExitCode report_errors(const Sealing& sealing, Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object().key("file").null();
    write_report_json(json, sealing.input.diagnostics, sealing.input.loaded.sources);
    console.out(json.end_object().take());
  }
  return exit_code_of(sealing.input.diagnostics);
}

ExitCode seal(const SealRequest& request, Console& console) {
  std::optional<SecretKey> key;
  std::string error;
  if (!request.key.empty()) {
    key = component::read_secret_key(request.key, error);
    if (!key) return console.fail(ExitCode::file_error, error);
  }
  const SecretKey* signs = key ? &*key : nullptr;
  Sealing sealing;
  ModelRequest model = request.model;
  model.has_open_inputs = true;  // owners give them
  if (const auto usage = read_model(model, console, sealing.input)) return *usage;
  std::optional<SealProblem> problem;
  const bool is_good = sealing.input.machine && !sealing.input.diagnostics.has_errors();
  if (is_good) problem = choose_files(request, sealing);
  if (is_good && !problem) problem = prepare(request, sealing);
  if (!console.json) print_to_stderr(sealing.input.diagnostics, sealing.input.loaded.sources, console);
  if (sealing.input.diagnostics.has_errors() || !is_good) return report_errors(sealing, console);
  if (!problem && !request.add.empty()) problem = add_other(request.add, sealing.draft);
  if (!problem) problem = try_cases(sealing.draft, sealing.cases);
  if (!problem) problem = write(request, sealing, signs);
  if (problem) return fail(*problem, console);
  if (console.json) {
    print_json(sealing, signs, console);
  } else {
    print_text(sealing, signs, console);
  }
  return ExitCode::ok;
}

}  // namespace

Action describe_seal(Options& options) {
  const auto request = std::make_shared<SealRequest>();
  options.arguments.push_back({.name = "FILE",
                               .doc = "model file (YAML or JSON)",
                               .target = &request->model.file,
                               .completion = Completion::model_files});
  options.values.push_back({"-o", "FILE.gkc", "component to write; by default, next to the model", &request->output});
  options.values.push_back({.names = "--publish",
                            .value_name = "PARAMETERS",
                            .doc = "parameters of the model that customers may set; may be repeated",
                            .list = &request->publish,
                            .also_called = "--parameters,--parameter,--params,--param,--set,--expose"});
  options.values.push_back({.names = "--output",
                            .value_name = "CHANNELS",
                            .doc = "outputs of the model, or channels, that customers may read; may be repeated",
                            .list = &request->outputs});
  options.values.push_back(
      {"--code", "LIBRARY", "compiled code of the model's section `code:` (gelenk_code.h)", &request->code});
  options.values.push_back({"--licence", "TEXTFILE", "licence to include", &request->licence});
  options.values.push_back({"--doc", "DOCFILE", "documentation to include", &request->doc});
  options.values.push_back({.names = "--case",
                            .value_name = "CASEFILE",
                            .doc = "acceptance case to include; may be repeated",
                            .list = &request->cases});
  options.values.push_back({"--key", "KEYFILE", "sign with this secret key ('gelenk trust keygen')", &request->key});
  options.values.push_back(
      {"--add", "OTHER.gkc", "component to take binaries for other platforms from", &request->add});
  options.values.push_back(
      {"--map", "MAPFILE", "file for the list of inner names; by default, FILE.gkc.map", &request->map});
  options.flags.push_back({"--show-shape", "show what its parts look like, as drawn", &request->shows_shape});
  options.flags.push_back({"--force", "overwrite the files named by -o and --map", &request->force});
  options.details =
      "examples:\n"
      "  gelenk seal suspension.yaml --publish spring,damping --key ~/.config/gelenk/signing-key\n"
      "  gelenk seal suspension.yaml -o out/suspension.gkc --licence LICENCE.txt --doc manual.pdf\n"
      "  gelenk seal motor.yaml --code motor.so --publish resistance --output current\n"
      "Nothing is published unless it is named. See 'gelenk help sealed-components'.\n";
  return [request](Console& console) { return seal(*request, console); };
}

}  // namespace gelenk::app
