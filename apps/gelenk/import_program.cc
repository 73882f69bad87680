#include "apps/gelenk/import_program.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "gelenk/base/child_process.h"
#include "gelenk/base/helper_files.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kProgress = "progress: ", kError = "error: ", kHint = "hint: ", kNote = "note: ";
constexpr std::size_t kLongestLine = 4000;
constexpr int kNotLoaded = 127;

// What a process says that may have been led astray: nothing that could rewrite the screen.
std::string harmless(std::string line) {
  if (is_printable(line, false)) return line;
  for (char& c : line) {
    if (c < ' ' || c > '~') c = '?';
  }
  return line;
}

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
        if (line_.size() < kLongestLine) line_ += c;
        continue;
      }
      understand(harmless(std::exchange(line_, {})));
    }
  }
  const std::string& error() const { return error_; }
  const std::string& hint() const { return hint_; }
  const std::string& stage() const { return stage_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void understand(const std::string& line) {
    constexpr std::size_t kMostNotes = 1000;
    if (line.starts_with(kProgress)) show(stage_ = line.substr(kProgress.size()));
    if (line.starts_with(kError) && errors_++ < kMostNotes) {
      error_ += (error_.empty() ? "" : "\n") + line.substr(kError.size());
    }
    if (line.starts_with(kHint)) hint_ = line.substr(kHint.size());
    if (line.starts_with(kNote) && notes_.size() < kMostNotes) notes_.push_back(line.substr(kNote.size()));
  }

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
  std::size_t errors_ = 0;
  std::string line_, error_, hint_, stage_;  // each error is a line
  std::vector<std::string> notes_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), last_;
};

ImportFailure failure_of(const ProgramResult& result, const StageLine& line, const CadJob& job) {
  if (!result.is_started) return {ExitCode::file_error, "gelenk-cad cannot be started: " + result.reason, ""};
  const std::string cannot = fmt::format("{} cannot be {}: ", shown(job.file), job.verb);
  const std::string during = line.stage().empty() ? "" : fmt::format(", at: {}", line.stage());
  const std::string limit = memory_limit_hint();
  const std::string try_again =
      limit.empty() ? "try again; `gelenk doctor` checks that the installation is complete" : limit;
  if (result.signal != 0) {
    return {ExitCode::file_error,
            fmt::format("{}gelenk-cad was killed by {}{}", cannot, signal_name(result.signal), during), try_again};
  }
  if (result.exit_code < 0) {
    return {ExitCode::file_error, cannot + result.reason + during, "give it more: --time-limit SECONDS"};
  }
  const bool is_usage = result.exit_code == static_cast<int>(ExitCode::usage_error);
  if (!line.error().empty()) {
    return {is_usage ? ExitCode::usage_error : ExitCode::file_error, line.error(), line.hint()};
  }
  // The loader of the system ends with this code where a library has no room.
  if (result.exit_code == kNotLoaded && !limit.empty()) {
    return {ExitCode::file_error, cannot + "not enough memory to load gelenk-cad", limit};
  }
  return {ExitCode::file_error,
          fmt::format("{}gelenk-cad exited with code {} and gave no reason{}", cannot, result.exit_code, during),
          try_again};
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
  if (result.exit_code != 0) failure = failure_of(result, line, job);
  return result.exit_code == 0;
}

std::optional<JsonValue> run_import_program(const formats::ImportRequest& request, double time_limit,
                                            const Console& console, ImportCost& cost, ImportFailure& failure) {
  const CadJob job{write_request(request), request.file, "imported", time_limit};
  CadOutcome outcome;
  if (!run_cad_program(job, console, outcome, failure)) return std::nullopt;
  // About the computer; those about the drawing stand in the report.
  for (const std::string& note : outcome.notes) {
    if (!console.quiet) console.message("note: " + note + "\n");
  }
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
