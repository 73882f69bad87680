#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/gelenk/results_input.h"
#include "apps/gelenk/sealed_file.h"
#include "apps/gelenk/stored_run.h"
#include "gelenk/analysis/verify.h"
#include "gelenk/base/text.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kHonesty =
    "This finds damage and careless edits. It is no protection against forgery: all that is in a file can be made to "
    "fit.";

std::string difference_text(const analysis::Difference& difference) {
  const std::string what =
      difference.text.empty()
          ? fmt::format("recorded {}, expected {}, allowed ± {}", format_rounded(difference.recorded, 9),
                        format_rounded(difference.expected, 9), format_rounded(difference.allowed, 2))
          : difference.text;
  const bool has_row = difference.check != "certificate" || difference.text.empty();
  const std::string where =
      has_row ? fmt::format("row {}, {} s: ", difference.row, format_rounded(difference.time, 9)) : std::string();
  return fmt::format("{}{}: {}", where, difference.name, what);
}

std::string report_text(const results::Reader& reader, const analysis::VerifyReport& report) {
  std::string text = fmt::format("{}: {}\n", reader.path(), counted(reader.row_count(), "row"));
  for (const analysis::Check& check : report.checks) {
    if (check.comparisons == 0) continue;
    std::string what = fmt::format("{} agree", counted(check.comparisons, "comparison"));
    if (check.first) {
      what = fmt::format("{} of {} differ, first {}", check.differences, counted(check.comparisons, "comparison"),
                         difference_text(*check.first));
    }
    text += fmt::format("{:<18} {}\n", check.name + ":", what);
  }
  for (const std::string& sentence : report.not_checked) text += fmt::format("not checked: {}\n", sentence);
  text += report.is_good() ? "everything that was checked agrees\n" : "";
  return text + std::string(kHonesty) + "\n";
}

void write_difference(JsonWriter& json, const analysis::Difference* difference) {
  if (difference == nullptr) {
    json.null();
    return;
  }
  json.begin_object().member("check", difference->check).member("name", difference->name);
  json.member("row", difference->row).member("time", difference->time).member("text", difference->text);
  json.member("recorded", difference->recorded).member("expected", difference->expected);
  json.member("allowed", difference->allowed).end_object();
}

std::string report_json(const results::Reader& reader, const analysis::VerifyReport& report, ExitCode code) {
  JsonWriter json;
  json.begin_object().member("ok", report.is_good()).member("exitCode", static_cast<int>(code));
  json.member("file", reader.path()).member("rows", reader.row_count()).key("firstDifference");
  write_difference(json, report.first_difference());
  json.key("checks").begin_array();
  for (const analysis::Check& check : report.checks) {
    json.begin_object().member("name", check.name).member("comparisons", check.comparisons);
    json.member("differences", check.differences).member("largestOfAllowed", check.largest).key("first");
    write_difference(json, check.first ? &*check.first : nullptr);
    json.end_object();
  }
  json.end_array().key("notChecked").begin_array();
  for (const std::string& sentence : report.not_checked) json.value(sentence);
  return json.end_array().member("note", kHonesty).end_object().take();
}

ExitCode verify_run(const std::string& file, Console& console) {
  const std::unique_ptr<results::Reader> reader = open_run(file, console);
  if (!reader) return ExitCode::file_error;
  StoredRun stored;
  if (const std::optional<ExitCode> failed = rebuild_run(*reader, console, stored)) return *failed;
  const model::Machine& machine = *stored.input.machine;
  if (!machine.sealed.empty()) {
    return console.fail(ExitCode::simulation_failed,
                        fmt::format("'{}' cannot be verified: what its {} did is not in the file", file,
                                    machine.sealed.size() == 1 ? "sealed component" : "sealed components"),
                        "run the model again and compare: 'gelenk compare' tells whether it is the same");
  }
  const std::optional<system::System> system =
      system::compile(machine, {.merge_welded = !stored.keep_welds}, stored.input.diagnostics);
  if (!system) {
    return console.fail(ExitCode::file_error, fmt::format("the model in '{}' cannot be simulated", file),
                        "it may have been changed after the run");
  }
  const system::Params params = system::make_params(*system, machine);
  results::Selection selection;
  selection.patterns = stored.record;
  const results::Layout layout = results::make_layout(machine, selection);
  const analysis::VerifyReport report = analysis::verify({machine, *system, params, layout, *reader});
  if (!report.error.empty()) return console.fail(ExitCode::file_error, report.error);
  const ExitCode code = report.is_good() ? ExitCode::ok : ExitCode::simulation_failed;
  if (console.json) {
    console.out(report_json(*reader, report, code));
    return code;
  }
  if (const analysis::Difference* first = report.first_difference()) {
    console.fail(code, fmt::format("'{}' is not as it was recorded: {}", file, difference_text(*first)));
  }
  if (!console.quiet) console.out(report_text(*reader, report));
  return code;
}

}  // namespace

Action describe_verify(Options& options) {
  const auto file = std::make_shared<std::string>();
  options.arguments.push_back({.name = "FILE",
                               .doc = "file of results (.h5) or sealed component (.gkc)",
                               .target = file.get(),
                               .completion = Completion::run_or_component_files});
  options.details =
      "Of results: from the recorded positions, velocities and loads everything else is computed again, with the model "
      "in the "
      "file:\n"
      "whether joints are closed, coordinates, energies, forces, Newton's equations of every part, outputs, work, and\n"
      "whether the certificate belongs to it. Exit code 1 when anything differs.\n"
      "Of a component: whether all files in it are as its maker wrote them, and whether you trust the key that signed "
      "it.\nExit code 1 when not, with the reason.\n";
  return [file](Console& console) {
    return is_component_file(*file) ? verify_component(*file, console) : verify_run(*file, console);
  };
}

}  // namespace gelenk::app
