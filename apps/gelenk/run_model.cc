#include "apps/gelenk/run_model.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "apps/gelenk/analyses/run_info.h"
#include "apps/gelenk/live_run.h"
#include "apps/gelenk/live_view.h"
#include "apps/gelenk/open_code.h"
#include "apps/gelenk/progress_line.h"
#include "apps/gelenk/record_patterns.h"
#include "apps/gelenk/rest.h"
#include "apps/gelenk/run_certificate.h"
#include "apps/gelenk/run_confirm.h"
#include "apps/gelenk/run_files.h"
#include "apps/gelenk/run_output.h"
#include "apps/gelenk/run_report.h"
#include "apps/gelenk/run_settings.h"
#include "apps/gelenk/run_size.h"
#include "apps/gelenk/stored_run.h"
#include "gelenk/analysis/sealed_assembly.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/base/file_lock.h"
#include "gelenk/base/interrupt.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/text.h"
#include "gelenk/export/scene.h"
#include "gelenk/export/scene_shapes.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/recorder.h"
#include "gelenk/results/repair.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

// Rows reach a picture that moves while the run goes on within this time.
constexpr std::chrono::milliseconds kLivePeriod{50};

// The message of the file stands alone, so it names the element, as the one on the screen does.
std::string failure_text(const Diagnostic& failure) {
  if (failure.element.empty()) return failure.message;
  const std::string kind = failure.element_kind.empty() ? std::string() : failure.element_kind + " ";
  return fmt::format("{}'{}': {}", kind, failure.element, failure.message);
}

// From a machine and its options to a file and a verdict, for new runs and for those that are continued.
class Job {
 public:
  Job(const RunRequest& request, ModelInput& input, Console& console)
      : request_(request),
        input_(input),
        console_(console),
        codes_({request.model.trust_code, request.model.trust_once}) {}

  // Compiles and assembles. The exit code when that is not possible; the reasons are reported.
  std::optional<ExitCode> prepare(const analysis::RunOptions& options, bool keep_welds, bool at_rest) {
    options_ = options;
    system_ = system::compile(machine(), {.merge_welded = !keep_welds}, input_.diagnostics);
    if (!system_) return fail_with_diagnostics(input_, console_);
    codes_.start(machine(), *system_, input_.diagnostics);
    codes_.give_to(machine(), *system_, input_.diagnostics);
    if (input_.diagnostics.has_errors()) {
      const ExitCode code = fail_with_diagnostics(input_, console_);
      return codes_.has_failed() ? ExitCode::component_failed : code;
    }
    if (const std::string problem = analysis::method_problem(*system_, options); !problem.empty()) {
      return console_.fail(ExitCode::usage_error, problem,
                           !system_->has_jumps() && options.method == integrate::Method::generalized_alpha
                               ? "dopri5 or adams keep oscillations without any damping"
                               : "docs/contact.md says what runs with contacts and hard forces, and how");
    }
    params_ = system::make_params(*system_, machine());
    if (machine().sealed.empty()) {
      assembly_ = analysis::assemble(*system_, params_, machine(), options.start_time, input_.diagnostics);
    } else if (const std::optional<ExitCode> failed = assemble_with_sealed(keep_welds)) {
      return failed;
    }
    if (!assembly_) return fail_with_diagnostics(input_, console_);
    if (!console_.json) print_to_stderr(input_.diagnostics, input_.loaded.sources, console_);
    if (at_rest) {
      ExitCode code = ExitCode::ok;
      std::optional<analysis::Equilibrium> rest = find_rest(*system_, params_, *assembly_, console_, code);
      if (!rest) return code;
      assembly_->state = std::move(rest->state);
    }
    if (options_.is_auto && machine().sealed.empty()) {
      try {
        analysis::choose_method(
            analysis::estimate_stiffness(*system_, params_, assembly_->state, analysis::run_rank_tolerance(*assembly_)),
            !system_->state_switches.empty(), options_);
      } catch (const subsystem::Failure& failure) {
        return console_.fail(ExitCode::component_failed, failure.what());
      }
    }
    outcome_.machine_size = params_.length;
    return std::nullopt;
  }

  // What is not as it was when the run began, or nothing. After prepare().
  std::string other_code(const JsonValue& books) const { return codes_.compare(books); }

  std::optional<ExitCode> start(const std::string& file, std::optional<double> checkpoint_every) {
    outcome_.file = file;
    info_ = run_info(input_, options_json(request_, options_, checkpoint_every, *input_.sealed, codes_),
                     static_cast<std::size_t>(options_.duration / options_.output_every) + 2);
    std::string note;
    info_.files = files_for_results(input_.loaded.model, note);
    if (!note.empty()) console_.message(fmt::format("note: {}\n", note));
    checkpoint_every_ = checkpoint_every;
    layout_ = layout(request_.record);
    std::string error;
    recorder_ = results::Recorder::open(file, layout_, info_, error);
    info_.files.clear();
    if (!recorder_) {
      return console_.fail(ExitCode::file_error, error, is_memory_low() ? "" : "choose another place with -o");
    }
    results::remove_checkpoints(file);
    return std::nullopt;
  }

  // Behind the checkpoint, or anew when there is none.
  std::optional<ExitCode> go_on(const std::string& file, const StoredRun& stored, const results::RunHeader& header,
                                const std::optional<results::Checkpoint>& checkpoint,
                                std::optional<double> checkpoint_every) {
    outcome_.file = file;
    info_.program_version = GELENK_VERSION;
    info_.resolved_model = header.resolved_model;
    info_.options = header.options;
    info_.run_id = header.run_id;
    checkpoint_every_ = checkpoint_every;
    layout_ = layout(stored.record);
    if (checkpoint) checkpointing_.resume_from = checkpoint->payload;
    std::string error;
    recorder_ = results::Recorder::reopen(file, layout_, checkpoint ? checkpoint->row_count : 0,
                                          checkpoint ? checkpoint->event_count : 0, error);
    if (!recorder_) return console_.fail(ExitCode::file_error, error);
    return std::nullopt;
  }

  // Before any file is touched: why a run of such a size is not begun.
  std::optional<ExitCode> refuse_if_absurd(const std::string& file) const {
    const RunSize size = run_size(options_, layout(request_.record));
    if (const std::optional<Refusal> refusal = refuse_size(size, options_, request_.has_no_limit)) {
      return console_.fail(ExitCode::usage_error, refusal->message, refusal->hint);
    }
    const std::string warning = disk_warning(size, file);
    if (!warning.empty()) console_.message(fmt::format("note: {}\n", warning));
    return std::nullopt;
  }

  ExitCode run(std::string* file_written) {
    // The library keeps the file to itself until readers may come; that is so when something is flushed.
    recorder_->flush();
    if (checkpoint_every_) {
      checkpointing_.every = *checkpoint_every_;
    }
    // A sealed component or code that fails leaves one, too.
    if (checkpoint_every_ || !machine().sealed.empty() || !machine().codes.empty()) {
      checkpointing_.store = [this](const analysis::Checkpoint& checkpoint) { return store(checkpoint); };
    }
    if (request_.has_view) live_ = LiveView::start(outcome_.file, !request_.without_browser, console_);
    if (const std::optional<ExitCode> failed = LiveRun::attach(viewed_, console_)) return *failed;
    if (live_ || viewed_) recorder_->set_flush_period(kLivePeriod);
    {
      const SharedFileLock lock(outcome_.file);
      if (viewed_) viewed_->set_readable();
      const auto before = std::chrono::steady_clock::now();
      outcome_.result = simulate(options_, recorder_.get(), checkpointing_);
      outcome_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
      if (!options_.is_adaptive()) accuracy_.unknown = why_not_estimated();
      if (live_ || viewed_) estimate_before_the_end();
      outcome_.certificate = certificate();
      close_file();
    }
    if (outcome_.result.status == results::RunStatus::done) {
      results::remove_checkpoints(outcome_.file);
      repeat();
    }
    if (file_written != nullptr) *file_written = outcome_.file;
    const ExitCode code = report_run(request_, input_, *system_, *assembly_, options_, outcome_, console_);
    if (live_) {
      console_.flush();
      live_->stay([this] { return watch_.was_interrupted(); });
    }
    return code;
  }

 private:
  model::Machine& machine() const { return *input_.machine; }
  results::Layout layout(const std::vector<std::string>& patterns) const {
    results::Selection selection;
    selection.patterns = patterns;
    return results::make_layout(machine(), selection);
  }

  // What is decided about a run, its sealed components get when they are mounted.
  std::optional<ExitCode> assemble_with_sealed(bool keep_welds) {
    if (const std::string problem = analysis::decide_for_sealed(params_, options_); !problem.empty()) {
      return console_.fail(ExitCode::usage_error, problem);
    }
    analysis::MountingOptions mounting;
    mounting.start_time = options_.start_time;
    mounting.rank_tolerance = analysis::run_rank_tolerance({});
    mounting.tolerance = options_.is_adaptive() ? options_.tolerance : 1.0;
    mounting.partitioning = options_.partition;
    mounting.merges_welded = !keep_welds;
    try {
      assembly_ = input_.sealed->assemble(*system_, params_, machine(), mounting, input_.diagnostics);
    } catch (const component::ComponentFailure& failure) {
      return console_.fail(ExitCode::component_failed, failure.what());
    }
    return std::nullopt;
  }

  analysis::RunResult simulate(const analysis::RunOptions& options, results::Recorder* recorder,
                               const analysis::Checkpointing& checkpointing) {
    ProgressLine line(console_, options.start_time, options.end_time());
    analysis::RunResult result = analysis::simulate(
        *system_, params_, *assembly_, options, recorder,
        [&](double time) {
          line.show(time);
          if (is_at_its_end_) time = options_.end_time();
          const auto is_interrupted = [this] { return watch_.was_interrupted(); };
          return !is_interrupted() && !is_memory_low() && (!live_ || live_->go_on(time, is_interrupted)) &&
                 (!viewed_ || viewed_->go_on(time, is_interrupted));
        },
        checkpointing, input_.sealed->subsystems());
    line.clear();
    if (is_memory_low() && result.file_error.empty()) {
      result.status = results::RunStatus::failed;
      result.file_error = memory_shortage();
    }
    return result;
  }

  std::string store(const analysis::Checkpoint& checkpoint) {
    if (!recorder_->sync()) return recorder_->error();
    return results::write_checkpoint(outcome_.file, {.run_id = info_.run_id,
                                                     .time = checkpoint.time,
                                                     .row_count = checkpoint.rows,
                                                     .event_count = checkpoint.events,
                                                     .payload = checkpoint.bytes});
  }

  results::Certificate certificate() const {
    return certificate_of(
        machine(), *system_, params_, *assembly_, options_, outcome_.result, info_, accuracy_, [this] {
          const exporting::Scene scene = exporting::make_scene(
              {.machine = machine(), .model = input_.loaded.model, .sources = &input_.loaded.sources, .poses = {}});
          return exporting::seen_bounds(scene).diagonal();
        });
  }

  void close_file() {
    analysis::RunResult& result = outcome_.result;
    if (result.failure) {
      recorder_->event(
          {result.time, std::string(results::kFailureEvent), result.failure->element, result.failure->message});
    }
    const std::string reason = result.failure    ? failure_text(*result.failure)
                               : is_memory_low() ? result.file_error
                                                 : "";
    const std::string error = recorder_->close(result.status, reason, results::to_json(outcome_.certificate));
    outcome_.rows = recorder_->row_count();
    events_ = recorder_->event_count();
    recorder_.reset();
    if (result.file_error.empty()) result.file_error = error;
    if (result.file_error.empty()) return;
    result.status = results::RunStatus::failed;
    if (!error.empty()) outcome_.rows = readable_rows(outcome_.file);
  }

  bool is_estimated() const { return !request_.without_estimate && !live_ && !viewed_; }

  // Of fixed steps, as long as nothing better is known.
  std::string why_not_estimated() const {
    if (outcome_.result.status != results::RunStatus::done) return {};  // that is reason enough
    if (request_.without_estimate) return "--no-estimate";
    return "the program ended before it was estimated";
  }

  // Of a fixed step, while a viewer has the file: what it reads once the run has ended is not changed any more. The
  // rows are compared in a copy.
  void estimate_before_the_end() {
    const bool is_wanted = outcome_.result.status == results::RunStatus::done && !request_.without_estimate;
    if (options_.is_adaptive() || !is_wanted || request_.confirm || !recorder_->sync()) return;
    const TemporaryFile copy{outcome_.file + ".copy"};
    std::error_code problem;
    if (!std::filesystem::copy_file(outcome_.file, copy.path, problem)) {
      accuracy_.unknown = "its rows cannot be copied: " + problem.message();
      return;
    }
    is_at_its_end_ = true;
    Repetition found = repeat_with_twice_the_step(
        {copy.path, machine(), options_, info_, params_.length},
        [&](const analysis::RunOptions& other, results::Recorder& recorder) { return simulate(other, &recorder, {}); });
    accuracy_.unknown = found.error;
    if (found.error.empty()) accuracy_.doubled_step = std::move(found.changes);
  }

  // Repeats the run more exactly where that is asked for, or with twice the step where it is fixed; without a trace but
  // in the certificate.
  void repeat() {
    if (!request_.confirm && (options_.is_adaptive() || !is_estimated())) return;
    const RunToRepeat run{outcome_.file, machine(), options_, info_, params_.length};
    const auto simulate_again = [&](const analysis::RunOptions& other, results::Recorder& recorder) {
      return simulate(other, &recorder, {});
    };
    Repetition found =
        request_.confirm ? repeat_finer(run, simulate_again) : repeat_with_twice_the_step(run, simulate_again);
    if (request_.confirm && !found.error.empty()) {
      console_.error_text(fmt::format("note: not confirmed: {}\n", found.error));
    }
    accuracy_.unknown = options_.is_adaptive() ? std::string() : found.error;
    if (found.error.empty()) (request_.confirm ? accuracy_.confirmation : accuracy_.doubled_step) = found.changes;
    outcome_.certificate = certificate();
    std::string error;
    recorder_ = results::Recorder::reopen(outcome_.file, layout_, outcome_.rows, events_, error);
    if (!recorder_) {
      console_.error_text(fmt::format("note: what the repetition shows is not in the file: {}\n", error));
      return;
    }
    close_file();
  }

  const RunRequest& request_;
  ModelInput& input_;
  Console& console_;
  OpenCode codes_;
  const InterruptWatch watch_{};
  analysis::RunOptions options_;
  std::optional<system::System> system_;
  system::Params params_;
  std::optional<analysis::Assembly> assembly_;
  results::Layout layout_;
  results::RunInfo info_;
  std::unique_ptr<results::Recorder> recorder_;
  std::optional<double> checkpoint_every_;
  analysis::Checkpointing checkpointing_;
  RunOutcome outcome_;
  std::size_t events_ = 0;
  bool is_at_its_end_ = false;      // and is repeated while a viewer waits
  std::unique_ptr<LiveView> live_;  // the viewer that this run has started
  std::optional<LiveRun> viewed_;   // the viewer that has started this run
  analysis::StepAccuracy accuracy_;
};

// What a continued run cannot change.
std::string first_other_option(const RunRequest& request) {
  if (!request.model.file.empty()) return "a model";
  const std::pair<std::string_view, const std::string&> texts[] = {{"--output", request.output},
                                                                   {"--duration", request.duration},
                                                                   {"--method", request.method},
                                                                   {"--step", request.step},
                                                                   {"--tolerance", request.tolerance},
                                                                   {"--max-step", request.max_step},
                                                                   {"--gravity", request.overrides.gravity},
                                                                   {"--output-every", request.output_every},
                                                                   {"--spectral-radius", request.spectral_radius},
                                                                   {"--partition", request.partition},
                                                                   {"--reactions", request.reactions}};
  for (const auto& [name, text] : texts) {
    if (!text.empty()) return std::string(name);
  }
  if (!request.model.settings.empty()) return "--set";
  if (!request.overrides.starts.empty()) return "--start";
  if (!request.overrides.drives.empty()) return "--drive";
  if (!request.record.empty()) return "--record";
  if (request.at_rest) return "--at-rest";
  return request.keep_welds ? "--keep-welds" : "";
}

ExitCode resume_run(const RunRequest& request, const RunSettings& settings, Console& console,
                    std::string* file_written) {
  if (const std::string other = first_other_option(request); !other.empty()) {
    return console.fail(
        ExitCode::usage_error,
        fmt::format("--resume takes the model and the options from the file: {} cannot be given", other),
        "only --checkpoint, --confirm and --threads can");
  }
  const std::string& file = request.resume;
  results::RepairReport report;
  if (const std::string error = results::repair_file(file, report); !error.empty()) {
    return console.fail(ExitCode::file_error, error);
  }
  StoredRun stored;
  results::RunHeader header;
  std::size_t rows = 0;
  {
    std::string error;
    const std::unique_ptr<results::Reader> reader = results::Reader::open(file, error);
    if (!reader) return console.fail(ExitCode::file_error, error);
    header = reader->header();
    rows = reader->row_count();
    if (reader->status() == results::RunStatus::done) {
      if (const results::Damage damage = reader->find_damage(); damage.is_found()) {
        return console.fail(ExitCode::file_error, fmt::format("'{}' is damaged: {}", file, damage.text()),
                            "run the model again");
      }
      console.message(fmt::format("the run in '{}' is complete: nothing to do\n", file));
      return ExitCode::ok;
    }
    if (const std::optional<ExitCode> failed = rebuild_run(*reader, console, stored)) return *failed;
  }
  std::string error;
  const std::optional<KeptOptions> kept = options_from_json(header.options, error);
  if (!kept) return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be continued: {}", file, error));
  if (!stored.input.sealed->is_empty()) {
    const std::optional<JsonValue> books = read_json(header.options, error);
    const std::string other = books ? stored.input.sealed->compare(*books) : error;
    if (!other.empty())
      return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be continued: {}", file, other));
  }
  const results::FoundCheckpoint found = results::newest_checkpoint(file, header.run_id, rows);
  for (const std::string& note : found.notes) console.error_text(fmt::format("note: {}\n", note));
  if (!console.quiet) {
    console.error_text(found.checkpoint
                           ? fmt::format("continuing from {} s\n", format_rounded(found.checkpoint->time, 9))
                           : std::string("no checkpoint: starting again from the beginning\n"));
  }
  Job job(request, stored.input, console);
  if (const std::optional<ExitCode> failed = job.prepare(kept->options, stored.keep_welds, stored.at_rest))
    return *failed;
  if (const std::optional<JsonValue> books = read_json(header.options, error)) {
    if (const std::string other = job.other_code(*books); !other.empty()) {
      return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be continued: {}", file, other));
    }
  }
  const std::optional<double> every = settings.checkpoint_every ? settings.checkpoint_every : kept->checkpoint_every;
  if (const std::optional<ExitCode> failed = job.go_on(file, stored, header, found.checkpoint, every)) return *failed;
  return job.run(file_written);
}

}  // namespace

ExitCode run_model(const RunRequest& request, Console& console, std::string* file_written) {
  RunSettings settings;
  if (const std::optional<ExitCode> failed = read_settings(request, settings, console)) return *failed;
  // What a repetition finds is written into the file, which a viewer holds.
  if (request.has_view && request.confirm) {
    return console.fail(ExitCode::usage_error, "--view and --confirm cannot be combined",
                        "run it with --confirm, then look at it: gelenk view RUN.h5");
  }
  if (!request.resume.empty()) return resume_run(request, settings, console, file_written);
  if (request.model.file.empty()) {
    return console.fail(ExitCode::usage_error, "run needs a model, or --resume with a results file",
                        "gelenk run machine.yaml");
  }
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request.model, console, input)) return *usage;
  if (exit_code_of(input.diagnostics) != ExitCode::ok) return fail_with_diagnostics(input, console);
  model::Machine& machine = *input.machine;
  if (const std::optional<ExitCode> failed = apply_overrides(request.overrides, machine, console)) return *failed;
  warn_about_bare_overrides(request.overrides, machine, console);
  if (const std::optional<ExitCode> failed = check_record_patterns(request.record, machine, console)) return *failed;
  std::string problem;
  std::optional<analysis::RunOptions> options = analysis::decide_options(
      analysis::settings_with_contacts(machine, settings.simulation), settings.simulation, problem);
  if (!options) return console.fail(ExitCode::usage_error, problem);
  options->partition = settings.partition;
  Job job(request, input, console);
  if (const std::optional<ExitCode> failed = job.prepare(*options, request.keep_welds, request.at_rest)) return *failed;
  if (const std::optional<ExitCode> failed = job.refuse_if_absurd(request.output)) return *failed;
  std::optional<Refusal> refusal;
  std::string file = request.output;
  if (file.empty()) {
    file = take_free_run_file(machine.name);
  } else {
    refusal = refuse_output(file, request.force, input);
    if (!refusal) refusal = take_output(file, request.force);
  }
  if (refusal) return console.fail(ExitCode::file_error, refusal->message, refusal->hint);
  if (const std::optional<ExitCode> failed = job.start(file, settings.checkpoint_every)) return *failed;
  return job.run(file_written);
}

}  // namespace gelenk::app
