#include "apps/gelenk/import_program.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "gelenk/base/child_process.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kProgress = "progress: ", kError = "error: ", kNote = "note: ";

// Shows what comes after the first second: on one line of a terminal, or a line now and then.
class StageLine {
 public:
  explicit StageLine(const Console& console) : console_(console), is_terminal_(is_terminal(kStderr)) {}
  ~StageLine() {
    if (is_shown_ && is_terminal_) console_.message("\r\033[K");
  }
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void take(std::string_view piece) {
    for (const char c : piece) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      if (line_.starts_with(kProgress)) show(line_.substr(kProgress.size()));
      if (line_.starts_with(kError)) error_ = line_.substr(kError.size());
      if (line_.starts_with(kNote)) notes_.push_back(line_.substr(kNote.size()));
      line_.clear();
    }
  }
  const std::string& error() const { return error_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void show(const std::string& stage) {
    using std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kFirst{1000}, kOnTerminal{100}, kElsewhere{5000};
    const steady_clock::time_point now = steady_clock::now();
    if (now - begun_ < kFirst || (is_shown_ && now - last_ < (is_terminal_ ? kOnTerminal : kElsewhere))) return;
    console_.message(is_terminal_ ? fmt::format("\r\033[K{}", stage) : stage + "\n");
    is_shown_ = true;
    last_ = now;
  }

  const Console& console_;
  bool is_terminal_;
  bool is_shown_ = false;
  std::string line_, error_;
  std::vector<std::string> notes_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), last_;
};

ImportFailure failure_of(const ProgramResult& result, const std::string& error, const CadJob& job) {
  if (!result.is_started) return {ExitCode::file_error, "gelenk-cad cannot be started: " + result.reason, ""};
  if (result.signal != 0) {
    return {ExitCode::file_error,
            fmt::format("{} cannot be {}: OpenCASCADE crashed on it ({})", shown(job.file), job.verb,
                        signal_name(result.signal)),
            std::string(job.advice)};
  }
  if (result.exit_code < 0) {
    return {ExitCode::file_error, fmt::format("{} cannot be {}: {}", shown(job.file), job.verb, result.reason),
            "give it more: --time-limit SECONDS"};
  }
  const bool is_usage = result.exit_code == static_cast<int>(ExitCode::usage_error);
  const std::string reason = error.empty() ? fmt::format("gelenk-cad ended with code {}", result.exit_code) : error;
  return {is_usage ? ExitCode::usage_error : ExitCode::file_error, reason, ""};
}

}  // namespace

bool run_cad_program(const CadJob& job, const Console& console, CadOutcome& outcome, ImportFailure& failure) {
  const std::string program = installed_file(std::string(kCadProgram.name));
  if (program.empty()) {
    MissingHelper missing = missing_helper(kCadProgram);
    failure = {ExitCode::file_error, std::move(missing.message), std::move(missing.hint)};
    return false;
  }
  StageLine line(console);
  const ProgramResult result =
      run_program({program}, job.request, job.time_limit, [&](std::string_view piece) { line.take(piece); });
  outcome = {line.notes(), {result.seconds, result.peak_memory}};
  if (result.exit_code != 0) failure = failure_of(result, line.error(), job);
  return result.exit_code == 0;
}

std::optional<JsonValue> run_import_program(const formats::ImportRequest& request, double time_limit,
                                            const Console& console, ImportCost& cost, ImportFailure& failure) {
  const CadJob job{write_request(request), request.file, "imported",
                   "save it again as AP214 or AP242, or import its sub-assemblies one by one", time_limit};
  CadOutcome outcome;  // its notes stand in the report
  if (!run_cad_program(job, console, outcome, failure)) return std::nullopt;
  cost = outcome.cost;
  std::string error;
  std::optional<JsonValue> report = read_import_report(request, error);
  if (!report) failure = {ExitCode::file_error, error, ""};
  return report;
}

std::optional<JsonValue> read_import_report(const formats::ImportRequest& request, std::string& error) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  const std::string path = request.folder + "/" + request.name + ".cad/import.json";
  const ReadResult text = read_file(path, kMostBytes);
  std::string problem;
  std::optional<JsonValue> report = text.text ? read_json(*text.text, problem) : std::nullopt;
  if (!report) error = fmt::format("{} cannot be read: {}{}", shown(path), text.reason, problem);
  return report;
}

}  // namespace gelenk::app
