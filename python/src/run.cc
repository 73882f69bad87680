#include "python/src/run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "gelenk/analysis/certify.h"
#include "gelenk/analysis/kept_options.h"
#include "gelenk/analysis/simulate.h"
#include "gelenk/analysis/stiffness.h"
#include "gelenk/base/file_lock.h"
#include "gelenk/base/hash.h"
#include "gelenk/base/json.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/formats/model_writer.h"
#include "gelenk/results/certificate.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/memory_recorder.h"
#include "gelenk/results/recorder.h"

namespace gelenk::python {
namespace {

namespace fs = std::filesystem;

std::string options_json(const Machine& machine, const RunRequest& request, const analysis::RunOptions& options) {
  JsonWriter json;
  json.begin_object().member("file", machine.path());
  analysis::write_options(options, json);
  const auto list = [&](std::string_view key, const std::vector<std::string>& items) {
    json.key(key).begin_array();
    for (const std::string& item : items) json.value(item);
    json.end_array();
  };
  std::vector<std::string> settings;
  for (const auto& [name, value] : machine.settings()) settings.push_back(fmt::format("{}={}", name, value));
  list("set", settings);
  list("record", request.record);
  json.member("startTime", options.start_time).member("checkpointEvery", request.checkpoint_every);
  return json.end_object().take();
}

results::RunInfo info_of(const Machine& machine, const RunRequest& request, const analysis::RunOptions& options) {
  results::RunInfo info;
  info.program_version = GELENK_VERSION;
  const formats::LoadedModel& loaded = machine.source();
  for (std::size_t i = 0; i < loaded.model.folders.size(); ++i) {
    const SourceFile& file = loaded.sources.file(static_cast<std::int32_t>(i));
    info.sources.push_back({fs::path(file.path()).filename().string(), file.text()});
  }
  info.resolved_model = formats::write_model(loaded.model);
  info.options = options_json(machine, request, options);
  info.run_id = random_id();
  info.expected_rows = static_cast<std::size_t>(options.duration / options.output_every) + 2;
  return info;
}

}  // namespace

void check_output(const std::string& file, bool is_forced) {
  std::error_code problem;
  if (!fs::exists(file, problem)) return;
  const bool is_empty = fs::is_regular_file(file, problem) && fs::file_size(file, problem) == 0;
  if (!is_empty && !results::is_hdf5_file(file)) {
    throw Failure(Failure::Kind::file,
                  fmt::format("'{}' exists, holds no results, and was left unchanged: choose another name", file));
  }
  if (is_empty || is_forced) return;
  throw Failure(Failure::Kind::file, fmt::format("'{}' already exists: choose another name, or add force=True", file));
}

namespace {

void refuse_if_too_large(const results::Layout& layout, const analysis::RunOptions& options) {
  constexpr double kMostBytes = 8e9;
  const double row_bytes = 8.0 * static_cast<double>(layout.row_width() + 1);
  const double bytes = options.duration / options.output_every * row_bytes;
  if (bytes <= kMostBytes) return;
  throw Failure(Failure::Kind::usage,
                fmt::format("the rows of this run need {:.3g} GB of memory: give output=, a longer output_every or "
                            "the channels to record=",
                            1e-9 * bytes));
}

// One run, into memory or into a file.
class Job {
 public:
  Job(const Machine& machine, const RunRequest& request)
      : machine_(machine), request_(request), options_(decide(machine, request.simulation)) {
    results::Selection selection;
    selection.patterns = request.record;
    layout_ = results::make_layout(machine.machine(), selection);
    info_ = info_of(machine, request, options_);
  }

  RunOutcome run(const std::function<bool(double)>& progress) {
    if (request_.output.empty()) {
      refuse_if_too_large(layout_, options_);
      memory_.emplace(layout_);
      simulate(*memory_, progress);
      if (result_.failure) memory_->event(failure_event());
      const auto recorded = std::make_shared<Recorded>(memory_->take());
      recorded->set_end({result_.status, failure_text(), results::to_json(certificate()), info_});
      return finished(recorded);
    }
    check_output(request_.output, request_.is_forced);
    std::string error;
    recorder_ = results::Recorder::open(request_.output, layout_, info_, error);
    if (!recorder_) throw Failure(Failure::Kind::file, error);
    results::remove_checkpoints(request_.output);
    recorder_->flush();
    {
      const SharedFileLock lock(request_.output);
      simulate(*recorder_, progress);
      close_file();
    }
    return finished(std::make_shared<Recorded>(request_.output));
  }

 private:
  void simulate(results::RowSink& sink, const std::function<bool(double)>& progress) {
    analysis::Checkpointing checkpointing;
    if (recorder_ && request_.checkpoint_every > 0.0) {
      checkpointing.every = request_.checkpoint_every;
      checkpointing.store = [this](const analysis::Checkpoint& checkpoint) { return store(checkpoint); };
    }
    result_ = analysis::simulate(machine_.system(), machine_.params(), machine_.assembly(), options_, &sink, progress,
                                 checkpointing);
  }

  std::string store(const analysis::Checkpoint& checkpoint) {
    if (!recorder_->sync()) return recorder_->error();
    return results::write_checkpoint(request_.output, {.run_id = info_.run_id,
                                                       .time = checkpoint.time,
                                                       .row_count = checkpoint.rows,
                                                       .event_count = checkpoint.events,
                                                       .payload = checkpoint.bytes});
  }

  results::Certificate certificate() const {
    analysis::StepAccuracy accuracy;
    const bool is_done = result_.status == results::RunStatus::done;
    if (!options_.is_adaptive() && is_done) accuracy.unknown = "a run from Python is not repeated";
    return analysis::certify({.machine = machine_.machine(),
                              .system = machine_.system(),
                              .params = machine_.params(),
                              .assembly = machine_.assembly(),
                              .options = options_,
                              .result = result_,
                              .resolved_model = info_.resolved_model,
                              .option_text = info_.options,
                              .program_version = info_.program_version,
                              .build = fmt::format("{} {}", GELENK_COMPILER, GELENK_BUILD_TYPE)},
                             std::move(accuracy));
  }

  std::string failure_text() const {
    if (!result_.failure) return result_.file_error;
    const Diagnostic& failure = *result_.failure;
    if (failure.element.empty()) return failure.message;
    const std::string kind = failure.element_kind.empty() ? std::string() : failure.element_kind + " ";
    return fmt::format("{}'{}': {}", kind, failure.element, failure.message);
  }

  results::Event failure_event() const {
    return {result_.time, std::string(results::kFailureEvent), result_.failure->element, result_.failure->message};
  }

  void close_file() {
    if (result_.failure) recorder_->event(failure_event());
    const std::string error =
        recorder_->close(result_.status, result_.failure ? failure_text() : "", results::to_json(certificate()));
    recorder_.reset();
    if (!error.empty()) throw Failure(Failure::Kind::file, error);
    if (result_.status == results::RunStatus::done) results::remove_checkpoints(request_.output);
  }

  RunOutcome finished(std::shared_ptr<Recorded> recorded) const {
    if (!result_.file_error.empty() && !result_.failure) throw Failure(Failure::Kind::file, result_.file_error);
    RunOutcome outcome;
    outcome.recorded = std::move(recorded);
    outcome.is_interrupted = result_.status == results::RunStatus::stopped;
    outcome.time = result_.time;
    if (result_.failure) outcome.failure = message_of(*result_.failure, machine_.sources());
    return outcome;
  }

  const Machine& machine_;
  const RunRequest& request_;
  analysis::RunOptions options_;
  results::Layout layout_;
  results::RunInfo info_;
  std::optional<results::MemoryRecorder> memory_;
  std::unique_ptr<results::Recorder> recorder_;
  analysis::RunResult result_;
};

}  // namespace

analysis::RunOptions decide(const Machine& machine, const model::SimulationSettings& wanted) {
  std::string error;
  std::optional<analysis::RunOptions> options =
      analysis::decide_options(analysis::settings_with_contacts(machine.machine(), wanted), wanted, error);
  if (options) error = analysis::method_problem(machine.system(), *options);
  if (!options || !error.empty()) throw Failure(Failure::Kind::usage, error);
  if (options->is_auto) {
    const analysis::Stiffness stiffness = analysis::estimate_stiffness(
        machine.system(), machine.params(), machine.assembly().state, analysis::run_rank_tolerance(machine.assembly()));
    analysis::choose_method(stiffness, !machine.system().state_switches.empty(), *options);
  }
  return *std::move(options);
}

RunOutcome run(const Machine& machine, const RunRequest& request, const std::function<bool(double)>& progress) {
  return Job(machine, request).run(progress);
}

}  // namespace gelenk::python
