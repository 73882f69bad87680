#include "apps/gelenk/analyses/pose_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/gelenk/analyses/run_info.h"
#include "apps/gelenk/open_code.h"
#include "apps/gelenk/run_files.h"
#include "apps/gelenk/run_output.h"
#include "apps/gelenk/run_settings.h"

namespace gelenk::app {
namespace {

constexpr int kSlot = integrate::Integrator::kOutputState;

results::RunInfo info_of(const AnalyzeRequest& request, const ModelInput& input, const DrivenMachine& driven,
                         const RecordSpan& span, std::string& note) {
  RunRequest run;
  run.model.file = request.model.file;
  run.model.settings = request.model.settings;
  run.overrides = request.overrides;
  run.overrides.drives.insert(run.overrides.drives.end(), driven.drives.begin(), driven.drives.end());
  analysis::RunOptions options;
  options.start_time = span.begin;
  options.duration = span.end - span.begin;
  options.output_every = options.duration / static_cast<double>(std::max<std::size_t>(span.rows, 2) - 1);
  results::RunInfo info =
      run_info(input, options_json(run, options, std::nullopt, *input.sealed, OpenCode({})), span.rows);
  info.files = files_for_results(input.loaded.model, note);
  return info;
}

}  // namespace

PoseRecord::PoseRecord(const DrivenMachine& driven, double rank_tolerance)
    : problem_(driven.system, driven.params, 1e-6, {.rank_tolerance = rank_tolerance}),
      observer_(driven.system, driven.params, analysis::ReactionSplit::by_mass) {
  problem_.reserve(kSlot + 1, 1, integrate::Chart::exponential);
}

std::unique_ptr<PoseRecord> PoseRecord::open(const AnalyzeRequest& request, const ModelInput& input,
                                             const DrivenMachine& driven, double rank_tolerance, const RecordSpan& span,
                                             Console& console, ExitCode& code) {
  std::optional<Refusal> refusal = refuse_output(request.output, request.force, input);
  if (!refusal) refusal = take_output(request.output, request.force);
  if (refusal) {
    code = console.fail(ExitCode::file_error, refusal->message, refusal->hint);
    return nullptr;
  }
  std::unique_ptr<PoseRecord> record(new PoseRecord(driven, rank_tolerance));
  std::string note, error;
  const results::RunInfo info = info_of(request, input, driven, span, note);
  if (!note.empty()) console.message(fmt::format("note: {}\n", note));
  record->recorder_ = results::Recorder::open(request.output, results::make_layout(driven.machine), info, error);
  if (record->recorder_) return record;
  code = console.fail(ExitCode::file_error, error, "choose another place with -o");
  return nullptr;
}

bool PoseRecord::add(const system::State& state) {
  problem_.set_state(kSlot, state);
  if (!observer_.fill(problem_, kSlot, recorder_->row(state.time))) {
    error_ = fmt::format("what happens at {} s is not finite", state.time);
    return false;
  }
  return recorder_->commit();
}

void PoseRecord::event(double time, const std::string& kind, const std::string& element, const std::string& text) {
  recorder_->event({time, kind, element, text});
}

std::string PoseRecord::close() {
  const std::string error =
      recorder_->close(error_.empty() ? results::RunStatus::done : results::RunStatus::failed, error_);
  return error_.empty() ? error : error_;
}

}  // namespace gelenk::app
