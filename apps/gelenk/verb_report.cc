#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "apps/gelenk/report_machine.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/base/json.h"
#include "gelenk/base/platform.h"
#include "gelenk/base/text.h"
#include "gelenk/export/digest_json.h"
#include "gelenk/export/machine_picture.h"
#include "gelenk/export/report_html.h"
#include "gelenk/export/report_markdown.h"
#include "gelenk/export/report_page.h"
#include "gelenk/export/run_digest.h"

namespace gelenk::app {
namespace {

struct ReportRequest {
  std::string file;
  std::string output;
  bool si_units = false;
  bool is_forced = false;
};

bool is_html(const std::string& file) { return file.ends_with(".html") || file.ends_with(".htm"); }

// crank.h5 -> crank.report.html
std::string usual_output(const std::string& run) {
  return std::filesystem::path(run).replace_extension(".report.html").string();
}

// What this program wrote before, it may replace.
bool begins_with(const std::string& file, std::string_view mark) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return false;
  std::string beginning(mark.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return stream && beginning == mark;
}

bool is_own_report(const std::string& file) {
  return begins_with(file, is_html(file) ? exporting::kHtmlReportMark : exporting::kMarkdownReportMark);
}

// The pictures of a page that cannot hold them: crank.md -> crank.start.svg
std::string picture_file(const std::string& report, const std::string& name) {
  return std::filesystem::path(report).replace_extension("." + name + ".svg").string();
}

std::optional<ExitCode> write_pictures(const ReportRequest& request, const std::string& output,
                                       exporting::ReportMachine& machine, Console& console) {
  for (exporting::ReportPicture& picture : machine.pictures) {
    const std::string file = picture_file(output, picture.name);
    const bool may_replace = request.is_forced || begins_with(file, exporting::kMachinePictureMark);
    const std::string refusal = output_refusal(file, request.file, may_replace);
    if (!refusal.empty()) return console.fail(ExitCode::file_error, refusal, "choose another name, or add --force");
    const std::string error = write_file_atomically(file, picture.svg + "\n");
    if (!error.empty()) {
      return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", file, error));
    }
    picture.file = std::filesystem::path(file).filename().string();
  }
  return std::nullopt;
}

ExitCode write_report(const ReportRequest& request, const std::string& output, const results::Reader& reader,
                      const exporting::RunDigest& digest, Console& console) {
  // A report that is made anew takes the place of the old one; anything else is left alone.
  const bool may_replace = request.is_forced || is_own_report(output);
  const std::string refusal = output_refusal(output, request.file, may_replace);
  if (!refusal.empty()) return console.fail(ExitCode::file_error, refusal, "choose another name, or add --force");
  exporting::ReportMachine machine = report_machine(reader, digest, request.si_units);
  if (!is_html(output)) {
    if (const std::optional<ExitCode> failed = write_pictures(request, output, machine, console)) return *failed;
  }
  const exporting::ReportPage page = exporting::make_report_page(digest, reader, request.si_units, machine);
  const std::string error =
      write_file_atomically(output, is_html(output) ? exporting::report_html(page) : exporting::report_markdown(page));
  if (!error.empty()) {
    return console.fail(ExitCode::file_error, fmt::format("'{}' cannot be written: {}", output, error));
  }
  if (!console.json && !console.quiet) console.out(fmt::format("report: {} (verdict: {})\n", output, page.verdict));
  return ExitCode::ok;
}

ExitCode report(const ReportRequest& request, Console& console) {
  if (!request.output.empty() && !is_html(request.output) && !request.output.ends_with(".md")) {
    return console.fail(ExitCode::usage_error, fmt::format("{} has an unknown file extension", shown(request.output)),
                        "the extension selects the format: .html or .md");
  }
  const std::unique_ptr<results::Reader> reader = open_run(request.file, console);
  if (!reader) return ExitCode::file_error;
  const std::string note = unclosed_note(*reader);
  if (!note.empty()) console.message(fmt::format("note: {}\n", note));
  exporting::RunDigest digest;
  if (const std::string error = digest_run(*reader, digest); !error.empty()) {
    return console.fail(ExitCode::file_error, error);
  }
  if (!digest.damage.empty()) print_damage(request.file, digest.damage, console);
  const bool writes_file = !console.json || !request.output.empty();
  const std::string output = request.output.empty() ? usual_output(request.file) : request.output;
  if (writes_file) {
    const ExitCode code = write_report(request, output, *reader, digest, console);
    if (code != ExitCode::ok) return code;
  }
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("ok", true).member("file", writes_file ? output : std::string());
    write_digest(json, digest);
    console.out(json.end_object().take());
  }
  return ExitCode::ok;
}

}  // namespace

Action describe_report(Options& options) {
  const auto request = std::make_shared<ReportRequest>();
  options.arguments.push_back(
      {.name = "RUN", .doc = "results file (.h5)", .target = &request->file, .completion = Completion::run_files});
  options.values.push_back({.names = "-o,--output",
                            .value_name = "FILE",
                            .doc = "report to write, .html or .md; by default RUN.report.html next to the run",
                            .target = &request->output});
  options.flags.push_back({"--si", "SI units instead of those of `display:` in the model", &request->si_units});
  options.flags.push_back({"--force", "replace a file that is not a report", &request->is_forced});
  options.details =
      "Pictures of the machine, its parameters, what moves and how far, loads, drivers, outputs, plots and the "
      "verdict\n"
      "on one page. With --json the numbers are printed (SI), and a file is written only where -o names it. Pictures "
      "of\n"
      "a Markdown report are files next to it. Examples:\n"
      "  gelenk report crank_slider.h5\n"
      "  gelenk report crank_slider.h5 -o crank.md\n";
  return [request](Console& console) { return report(*request, console); };
}

}  // namespace gelenk::app
