#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "apps/gelenk/assembled_machine.h"
#include "apps/gelenk/embedded_text.h"
#include "apps/gelenk/verb.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/component/host.h"
#include "gelenk/generate/equation_text.h"
#include "gelenk/generate/generated_file.h"
#include "gelenk/minimal/traced_machine.h"

namespace gelenk::app {
namespace {

using generate::GeneratedFile;

struct GenerateRequest {
  ModelRequest model;
  std::string kind = "text";
  std::string folder;
  bool force = false;
};

constexpr const char* kKinds[] = {"text", "latex", "c", "program", "python", "matlab"};
std::string kinds_text() { return fmt::format("{}", fmt::join(kKinds, ", ")); }

// As `gelenk run` takes them.
generate::RunSettings settings_of(const model::SimulationSettings& model) {
  constexpr double kOutputs = 500.0, kStepsOfOutput = 10.0;
  generate::RunSettings settings;
  settings.end_time = model.duration.value_or(settings.end_time);
  settings.output_every = model.output_every.value_or(settings.end_time / kOutputs);
  settings.step = model.step.value_or(std::min(1e-3, settings.output_every / kStepsOfOutput));
  return settings;
}

// Names its files: other machines may be in the folder, too.
std::string makefile(const std::string& name) {
  std::string sources = name + "_equations.c";
  for (const EmbeddedText& text : program_sources()) sources += fmt::format(" {}.c", text.name);
  std::string headers;
  for (const EmbeddedText& text : program_headers()) headers += fmt::format(" {}.h", text.name);
  return fmt::format(
      "# `make` builds {0}; `./{0} {0}.data` prints the motion as CSV.\n"
      "CC ?= cc\nCFLAGS ?= -O2 -ffp-contract=off\nsources = {1}\n\n"
      "{0}: $(sources){2}\n\t$(CC) -std=c99 $(CFLAGS) -o $@ $(sources) -lm\n\n"
      "clean:\n\trm -f {0}\n.PHONY: clean\n",
      name, sources, headers);
}

GeneratedFile interface_header() {
  return {"gelenk_equations.h", std::string(find_text(program_headers(), "gelenk_equations")->text)};
}

std::vector<GeneratedFile> make_files(const GenerateRequest& request, const std::string& name,
                                      const minimal::TracedMachine& machine, const generate::RunSettings& settings) {
  const std::string& kind = request.kind;
  if (kind == "text") return {{name + ".txt", generate::equation_text(machine, generate::Notation::text)}};
  if (kind == "latex") return {{name + ".tex", generate::equation_text(machine, generate::Notation::latex)}};
  if (kind == "python") return {generate::python_equations(machine, name)};
  if (kind == "matlab") return {generate::matlab_equations(machine, name)};
  if (kind == "c") return {generate::c_equations(machine, name, settings), interface_header()};
  std::vector<GeneratedFile> files{
      c_equations(machine, name, settings), data_file(machine, name, settings), {"Makefile", makefile(name)}};
  for (const EmbeddedText& text : program_headers()) {
    files.push_back({fmt::format("{}.h", text.name), std::string(text.text)});
  }
  for (const EmbeddedText& text : program_sources()) {
    files.push_back({fmt::format("{}.c", text.name), std::string(text.text)});
  }
  return files;
}

// All of them or none; what went wrong.
std::string write_files(const GenerateRequest& request, const std::vector<GeneratedFile>& files) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = request.folder;
  for (const GeneratedFile& file : files) {
    if (!request.force && fs::exists(fs::symlink_status(folder / file.name, error))) {
      return fmt::format("'{}' already exists and was left unchanged", (folder / file.name).string());
    }
  }
  fs::create_directories(folder, error);
  if (error) return fmt::format("'{}' cannot be made: {}", request.folder, error.message());
  for (const GeneratedFile& file : files) {
    const std::string path = (folder / file.name).string();
    if (const std::string problem = write_file_atomically(path, file.text); !problem.empty()) {
      return fmt::format("'{}' cannot be written: {}", path, problem);
    }
  }
  return {};
}

void report(const GenerateRequest& request, const std::string& name, const std::vector<GeneratedFile>& files,
            const minimal::TracedMachine& machine, std::size_t switches, Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("file", request.model.file).member("ok", true).member("kind", request.kind);
    json.member("coordinates", machine.rates.size()).member("rows", machine.rows.size());
    json.key("written").begin_array();
    for (const GeneratedFile& file : files) {
      if (!request.folder.empty()) json.value((std::filesystem::path(request.folder) / file.name).string());
    }
    json.end_array();
    if (request.folder.empty()) json.member("text", files.front().text);
    json.key("leftOut").begin_array();
    for (const std::string& output : machine.left_out) json.value(output);
    console.out(json.end_array().end_object().take());
    return;
  }
  for (const std::string& line : generate::size_lines(machine)) console.message(line + "\n");
  for (const std::string& output : machine.left_out) {
    console.message(fmt::format("left out: the output {}\n", output));
  }
  if (switches > 0) {
    console.message(fmt::format("{} in the laws: fixed steps pass over them\n",
                                switches == 1 ? "a jump or kink" : fmt::format("{} jumps or kinks", switches)));
  }
  if (request.folder.empty() || console.quiet) return;
  if (request.kind == "program") {
    console.summary(fmt::format("wrote {} into {}\nnext: make -C {} && {}/{} {}/{}.data -o motion.csv\n",
                                counted(files.size(), "file"), request.folder, request.folder, request.folder, name,
                                request.folder, name));
    return;
  }
  for (const GeneratedFile& file : files) {
    console.summary(fmt::format("wrote {}\n", (std::filesystem::path(request.folder) / file.name).string()));
  }
}

ExitCode generate_equations(const GenerateRequest& request, Console& console) {
  if (std::find(std::begin(kKinds), std::end(kKinds), request.kind) == std::end(kKinds)) {
    return console.fail(ExitCode::usage_error, fmt::format("--as: '{}' is not a form of equations", request.kind),
                        fmt::format("one of {}", kinds_text()));
  }
  if (request.kind == "program" && request.folder.empty()) {
    return console.fail(ExitCode::usage_error, "a program is several files: where to?", "add -o FOLDER");
  }
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  if (exit_code_of(input.diagnostics) != ExitCode::ok) return fail_with_diagnostics(input, console);
  std::optional<AssembledMachine> assembled;
  try {
    assembled = assemble_machine(input);
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, failure.what());
  }
  if (!assembled) return fail_with_diagnostics(input, console);
  minimal::TracedMachine machine;
  minimal::trace(assembled->system, assembled->params, assembled->assembly.state, machine, input.diagnostics);
  if (input.diagnostics.has_errors()) return fail_with_diagnostics(input, console);
  if (!console.json) print_to_stderr(input.diagnostics, input.loaded.sources, console);

  const std::string name = generate::program_name(input.machine->name);
  const std::vector<GeneratedFile> files = make_files(request, name, machine, settings_of(input.machine->simulation));
  if (request.folder.empty() && !console.json) {
    console.out(files.front().text);
  } else if (!request.folder.empty()) {
    const std::string problem = write_files(request, files);
    if (!problem.empty()) return console.fail(ExitCode::file_error, problem, "choose another folder, or add --force");
  }
  report(request, name, files, machine, assembled->system.switches.size(), console);
  return ExitCode::ok;
}

}  // namespace

Action describe_generate(Options& options) {
  const auto request = std::make_shared<GenerateRequest>();
  add_file_options(options, request->model);
  add_settings_option(options, request->model);
  options.values.push_back({.names = "--as",
                            .value_name = "FORM",
                            .doc = fmt::format("{}; default text", kinds_text()),
                            .target = &request->kind});
  options.values.push_back({.names = "-o,--output",
                            .value_name = "FOLDER",
                            .doc = "where the files go; default: the equations are printed",
                            .target = &request->folder,
                            .completion = Completion::folders});
  options.flags.push_back({"--force", "write over files that are there", &request->force});
  options.details =
      "examples:\n"
      "  gelenk generate double_pendulum.yaml\n"
      "  gelenk generate crank_slider.yaml --as program -o crank && make -C crank\n"
      "  gelenk generate robot.yaml --as python -o .\n";
  return [request](Console& console) { return generate_equations(*request, console); };
}

}  // namespace gelenk::app
