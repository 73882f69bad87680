#include <fmt/format.h>

#include <memory>

#include "apps/gelenk/named_file.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/results/repair.h"

namespace gelenk::app {
namespace {

std::string rows_text(const results::RepairReport& report) {
  if (report.rows == 0) return "no rows";
  return fmt::format("{}, {} s to {} s", counted(report.rows, "row"), format_rounded(report.begin, 6),
                     format_rounded(report.end, 6));
}

std::string report_text(const std::string& file, const results::RepairReport& report,
                        const results::FoundCheckpoint& found) {
  std::string text = report.was_whole ? fmt::format("{} is intact, there is nothing to repair: ", file)
                                      : fmt::format("{} was repaired: ", file);
  text += fmt::format("{}\nstatus: {}", rows_text(report), status_name(report.status));
  text += report.message.empty() ? "\n" : fmt::format(": {}\n", report.message);
  for (const std::string& note : found.notes) text += fmt::format("note: {}\n", note);
  if (found.checkpoint) {
    text += fmt::format("to continue from {} s: gelenk run --resume {}\n", format_rounded(found.checkpoint->time, 6),
                        shell_word(file));
  }
  return text;
}

std::string report_json(const std::string& file, const results::RepairReport& report,
                        const results::FoundCheckpoint& found) {
  JsonWriter json;
  json.begin_object().member("file", file).member("ok", true).member("repaired", !report.was_whole);
  json.member("rows", report.rows).member("timeBegin", report.begin).member("timeEnd", report.end);
  json.member("status", status_name(report.status)).member("message", report.message).key("checkpoint");
  if (found.checkpoint) {
    json.begin_object().member("file", found.file).member("time", found.checkpoint->time);
    json.member("rows", found.checkpoint->row_count).end_object();
  } else {
    json.null();
  }
  json.key("notes").begin_array();
  for (const std::string& note : found.notes) json.value(note);
  return json.end_array().end_object().take();
}

ExitCode repair(const std::string& file, Console& console) {
  if (const std::optional<ExitCode> other = refuse_other_file(file, WantedFile::results, console)) return *other;
  results::RepairReport report;
  if (const std::string error = results::repair_file(file, report); !error.empty()) {
    const bool is_busy = error.find("another program") != std::string::npos;
    return console.fail(ExitCode::file_error, error,
                        is_busy ? "let the run end, or close what reads the file" : std::string());
  }
  // A run that has ended as it should needs no checkpoint any more.
  results::FoundCheckpoint found;
  if (report.status != results::RunStatus::done) found = results::newest_checkpoint(file, report.run_id, report.rows);
  console.out(console.json ? report_json(file, report, found) : report_text(file, report, found));
  return ExitCode::ok;
}

}  // namespace

Action describe_repair(Options& options) {
  const auto file = std::make_shared<std::string>();
  options.arguments.push_back({.name = "RUN",
                               .doc = "results file (.h5) of a run that was killed or cut short",
                               .target = file.get(),
                               .completion = Completion::run_files});
  return [file](Console& console) { return repair(*file, console); };
}

}  // namespace gelenk::app
