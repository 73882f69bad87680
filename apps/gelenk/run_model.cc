#include "apps/gelenk/run_model.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "apps/gelenk/progress_line.h"
#include "apps/gelenk/record_patterns.h"
#include "apps/gelenk/run_output.h"
#include "apps/gelenk/run_report.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/file_lock.h"
#include "gelenk/base/interrupt.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/formats/model_writer.h"
#include "gelenk/results/recorder.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

// A positive number with a unit as an option gives it.
bool read_number(std::string_view option, const std::string& text, Quantity quantity, std::optional<double>& value,
                 Console& console, std::optional<ExitCode>& failed) {
  if (text.empty()) return true;
  const expression::ParseResult parsed = expression::parse_quantity(text);
  const QuantityInfo& wanted = quantity_info(quantity);
  if (parsed.expression) {
    const expression::DimensionResult found = expression::infer_dimension(*parsed.expression, {});
    const double number = expression::evaluate(*parsed.expression, {});
    if ((found.dimension == wanted.dimension || !parsed.has_unit) && number > 0.0) {
      value = number;
      return true;
    }
  }
  std::string message = fmt::format("{} needs a positive {}, not {}", option, wanted.name, shown(text));
  std::string hint = quantity == Quantity::time ? "for example \"2 s\" or \"5 ms\"" : "for example 1e-6";
  if (!parsed.expression && !parsed.errors.empty()) {
    message += ": " + parsed.errors.front().message;
    if (!parsed.errors.front().hint.empty()) hint = parsed.errors.front().hint;
  }
  failed = console.fail(ExitCode::usage_error, message, hint);
  return false;
}

std::optional<ExitCode> read_settings(const RunRequest& request, model::SimulationSettings& settings,
                                      Console& console) {
  std::optional<ExitCode> failed;
  const bool is_read =
      read_number("--duration", request.duration, Quantity::time, settings.duration, console, failed) &&
      read_number("--step", request.step, Quantity::time, settings.step, console, failed) &&
      read_number("--tolerance", request.tolerance, Quantity::number, settings.tolerance, console, failed) &&
      read_number("--max-step", request.max_step, Quantity::time, settings.max_step, console, failed) &&
      read_number("--output-every", request.output_every, Quantity::time, settings.output_every, console, failed);
  if (!is_read) return failed;
  if (!request.method.empty()) settings.method = request.method;
  if (!request.solver.empty() && request.solver != "flat") {
    return console.fail(ExitCode::usage_error, fmt::format("there is no solver {}", shown(request.solver)),
                        "--solver flat");
  }
  if (!request.threads.empty()) {
    const std::optional<double> threads = parse_number(request.threads);
    if (!threads || *threads < 1.0 || *threads > 4096.0) {
      return console.fail(ExitCode::usage_error,
                          fmt::format("--threads needs a number from 1, not {}", shown(request.threads)));
    }
  }
  return std::nullopt;
}

std::string options_json(const RunRequest& request, const analysis::RunOptions& options) {
  JsonWriter json;
  json.begin_object().member("file", request.model.file).member("method", analysis::method_name(options.method));
  json.member("duration", options.duration).member("output_every", options.output_every).member("solver", "flat");
  if (options.is_adaptive()) {
    json.member("tolerance", options.tolerance).member("max_step", options.max_step);
  } else {
    json.member("step", options.step);
  }
  const auto list = [&](std::string_view key, const std::vector<std::string>& items) {
    json.key(key).begin_array();
    for (const std::string& item : items) json.value(item);
    json.end_array();
  };
  list("set", request.model.settings);
  list("start", request.overrides.starts);
  list("drive", request.overrides.drives);
  json.member("gravity", request.overrides.gravity);
  return json.end_object().take();
}

results::RunInfo run_info(const RunRequest& request, const ModelInput& input, const analysis::RunOptions& options) {
  results::RunInfo info;
  info.program_version = GELENK_VERSION;
  for (std::size_t i = 0; i < input.loaded.model.folders.size(); ++i) {
    const SourceFile& file = input.loaded.sources.file(static_cast<std::int32_t>(i));
    info.sources.push_back({std::filesystem::path(file.path()).filename().string(), std::string(file.text())});
  }
  info.resolved_model = formats::write_model(input.loaded.model);
  info.options = options_json(request, options);
  info.expected_rows = static_cast<std::size_t>(options.duration / options.output_every) + 2;
  return info;
}

ExitCode fail_with_diagnostics(ModelInput& input, Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object();
    write_report_json(json, input.diagnostics, input.loaded.sources);
    console.out(json.end_object().take());
  } else {
    print_to_stderr(input.diagnostics, input.loaded.sources, console);
  }
  const ExitCode code = exit_code_of(input.diagnostics);
  return code == ExitCode::ok ? ExitCode::model_error : code;
}

// The message of the file stands alone, so it names the element, as the one on the screen does.
std::string failure_text(const Diagnostic& failure) {
  if (failure.element.empty()) return failure.message;
  const std::string kind = failure.element_kind.empty() ? std::string() : failure.element_kind + " ";
  return fmt::format("{}'{}': {}", kind, failure.element, failure.message);
}

void close_file(results::Recorder& recorder, RunOutcome& outcome) {
  analysis::RunResult& result = outcome.result;
  const std::string error = recorder.close(result.status, result.failure ? failure_text(*result.failure) : "");
  outcome.rows = recorder.row_count();
  if (result.file_error.empty()) result.file_error = error;
  if (result.file_error.empty()) return;
  result.status = results::RunStatus::failed;
  outcome.rows = readable_rows(outcome.file);
}

}  // namespace

void add_run_options(Options& options, RunRequest& request) {
  add_file_options(options, request.model);
  add_settings_option(options, request.model);
  add_override_options(options, request.overrides);
  const auto value = [&](std::string names, std::string name, std::string doc, std::string& target) {
    options.values.push_back(
        {.names = std::move(names), .value_name = std::move(name), .doc = std::move(doc), .target = &target});
  };
  value("-o,--output", "RUN.h5", "file for the results; without it NAME.h5, or the next free number", request.output);
  options.flags.push_back({"--force", "overwrite the file named by -o", &request.force});
  value("--duration", "TIME", "how long to simulate", request.duration);
  value("--method", "rk4|dopri5", "integration method", request.method);
  value("--step", "TIME", "step of rk4", request.step);
  value("--tolerance", "NUMBER", "relative error allowed in a step of dopri5", request.tolerance);
  value("--max-step", "TIME", "longest step of dopri5", request.max_step);
  value("--output-every", "TIME", "time between recorded rows", request.output_every);
  options.values.push_back({.names = "--record",
                            .value_name = "PATTERN",
                            .doc = "record only what fits, as 'piston.*' or '*.angle'; may be repeated",
                            .list = &request.record});
  value("--solver", "flat", "how the equations are solved", request.solver);
  value("--threads", "N", "threads to use; the flat solver uses one", request.threads);
  options.flags.push_back({"--keep-welds", "keep parts fixed to each other as separate bodies", &request.keep_welds});
}

ExitCode run_model(const RunRequest& request, Console& console, std::string* file_told) {
  model::SimulationSettings settings;
  if (const std::optional<ExitCode> failed = read_settings(request, settings, console)) return *failed;
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  if (exit_code_of(input.diagnostics) != ExitCode::ok) return fail_with_diagnostics(input, console);
  model::Machine& machine = *input.machine;
  if (const std::optional<ExitCode> failed = apply_overrides(request.overrides, machine, console)) return *failed;
  if (const std::optional<ExitCode> failed = check_record_patterns(request.record, machine, console)) return *failed;
  std::string problem;
  const std::optional<analysis::RunOptions> options = analysis::decide_options(machine.simulation, settings, problem);
  if (!options) return console.fail(ExitCode::usage_error, problem);

  const std::optional<system::System> system =
      system::compile(machine, {.merge_welded = !request.keep_welds}, input.diagnostics);
  if (!system) return fail_with_diagnostics(input, console);
  const system::Params params = system::make_params(*system, machine);
  const std::optional<analysis::Assembly> assembly =
      analysis::assemble(*system, params, machine, options->start_time, input.diagnostics);
  if (!assembly) return fail_with_diagnostics(input, console);
  if (!console.json) print_to_stderr(input.diagnostics, input.loaded.sources, console);

  RunOutcome outcome;
  outcome.machine_size = params.length;
  outcome.file = request.output.empty() ? free_run_file(machine.name) : request.output;
  if (const std::optional<Refusal> refusal = refuse_output(outcome.file, request.force, input)) {
    return console.fail(ExitCode::file_error, refusal->message, refusal->hint);
  }
  const InterruptWatch watch;
  results::Selection selection;
  selection.patterns = request.record;
  std::string error;
  const std::unique_ptr<results::Recorder> recorder = results::Recorder::open(
      outcome.file, results::make_layout(machine, selection), run_info(request, input, *options), error);
  if (!recorder) return console.fail(ExitCode::file_error, error, "choose another place with -o");
  // The library keeps the file to itself until readers may come; that is so when something is flushed.
  recorder->flush();
  const SharedFileLock lock(outcome.file);

  ProgressLine line(console, options->start_time, options->end_time());
  const auto before = std::chrono::steady_clock::now();
  outcome.result = analysis::simulate(*system, params, *assembly, *options, recorder.get(), [&](double time) {
    line.show(time);
    return !watch.was_interrupted();
  });
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  line.clear();
  close_file(*recorder, outcome);
  if (file_told != nullptr) *file_told = outcome.file;
  return report_run(request, input, *system, *assembly, *options, outcome, console);
}

}  // namespace gelenk::app
