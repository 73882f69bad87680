#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/gelenk/open_code.h"
#include "apps/gelenk/results_input.h"
#include "apps/gelenk/sealed_file.h"
#include "apps/gelenk/stored_run.h"
#include "gelenk/analysis/verify.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"
#include "gelenk/results/checkpoint.h"
#include "gelenk/system/compile.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kHonesty =
    "This finds damage and careless edits. It does not protect against forgery: anything in a file can be made to "
    "agree.";

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

// What a run was found to be.
struct Findings {
  std::vector<std::string> damage;  // what does not fit its checksum, or cannot be read
  analysis::VerifyReport report;

  bool is_good() const { return damage.empty() && report.is_good(); }
};

// A run that is not done goes on from its checkpoints.
std::vector<std::string> damage_of(const results::Reader& reader) {
  std::vector<std::string> damage = reader.find_damage().sentences();
  for (std::string& sentence : results::damaged_checkpoints(reader.path())) damage.push_back(std::move(sentence));
  return damage;
}

std::string report_text(const results::Reader& reader, const Findings& findings) {
  const analysis::VerifyReport& report = findings.report;
  std::string text = fmt::format("{}: {}\n", reader.path(), counted(reader.row_count(), "row"));
  const std::string damage = findings.damage.empty() ? "all agree" : join(findings.damage, "; ");
  if (reader.has_checksums() || !findings.damage.empty()) text += fmt::format("{:<18} {}\n", "checksums:", damage);
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
  text += findings.is_good() ? "everything that was checked agrees\n" : "";
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

std::string report_json(const results::Reader& reader, const Findings& findings, ExitCode code) {
  const analysis::VerifyReport& report = findings.report;
  JsonWriter json;
  json.begin_object().member("ok", findings.is_good()).member("exitCode", static_cast<int>(code));
  json.member("file", reader.path()).member("rows", reader.row_count()).key("firstDifference");
  write_difference(json, report.first_difference());
  json.member("hasChecksums", reader.has_checksums());
  write_damage(json, findings.damage);
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

// The code in C of the model, compiled anew: the file has its states and outputs, and this gives its forces. What is in
// the way, in a sentence, or nothing.
std::string start_code(const results::Reader& reader, const model::Machine& machine, system::System& system,
                       OpenCode& codes) {
  if (machine.codes.empty()) return {};
  Diagnostics diagnostics;
  codes.start(machine, system, diagnostics);
  codes.give_to(machine, system, diagnostics);
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.severity == Severity::error) return fmt::format("the code of '{}': {}", one.element, one.message);
  }
  std::string error;
  const std::optional<JsonValue> books = read_json(reader.header().options, error);
  return books ? codes.compare(*books) : error;
}

ExitCode verify_run(const std::string& file, Console& console) {
  const std::unique_ptr<results::Reader> reader = open_run(file, console);
  if (!reader) return ExitCode::file_error;
  if (reader->row_count() == 0) {
    return console.fail(
        ExitCode::simulation_failed, fmt::format("'{}' has no rows: there is nothing to verify", file),
        "the run ended before its first row, or was killed; 'gelenk info' shows what is known about it");
  }
  StoredRun stored;
  if (const std::optional<ExitCode> failed = rebuild_run(*reader, console, stored)) return *failed;
  const model::Machine& machine = *stored.input.machine;
  if (!machine.sealed.empty()) {
    return console.fail(ExitCode::simulation_failed,
                        fmt::format("'{}' cannot be verified: what its {} did is not in the file", file,
                                    machine.sealed.size() == 1 ? "sealed component" : "sealed components"),
                        "run the model again and compare: 'gelenk compare' shows whether it is the same");
  }
  std::optional<system::System> system =
      system::compile(machine, {.merge_welded = !stored.keep_welds}, stored.input.diagnostics);
  if (!system) {
    return console.fail(ExitCode::file_error, fmt::format("the model in '{}' cannot be simulated", file),
                        "it may have been changed after the run");
  }
  OpenCode codes({});
  if (const std::string problem = start_code(*reader, machine, *system, codes); !problem.empty()) {
    return console.fail(ExitCode::simulation_failed, fmt::format("'{}' cannot be verified: {}", file, problem),
                        "verify it where the model's files are as they were, or run the model again");
  }
  const system::Params params = system::make_params(*system, machine);
  results::Selection selection;
  selection.patterns = stored.record;
  const results::Layout layout = results::make_layout(machine, selection);
  Findings findings{damage_of(*reader), {}};
  try {
    findings.report = analysis::verify({machine, *system, params, layout, *reader});
  } catch (const component::ComponentFailure& failure) {
    return console.fail(ExitCode::component_failed, fmt::format("'{}' cannot be verified: {}", file, failure.what()));
  }
  analysis::VerifyReport& report = findings.report;
  if (!report.error.empty()) return console.fail(ExitCode::file_error, report.error);
  if (!reader->has_checksums()) {
    report.not_checked.emplace_back(
        "checksums of rows: there are none, an older version of the program wrote the file");
  }
  const ExitCode code = findings.is_good() ? ExitCode::ok : ExitCode::simulation_failed;
  if (console.json) {
    console.out(report_json(*reader, findings, code));
    return code;
  }
  if (const analysis::Difference* first = report.first_difference()) {
    console.fail(code, fmt::format("'{}' differs from what was recorded: {}", file, difference_text(*first)));
  }
  if (!findings.damage.empty())
    console.fail(code, fmt::format("'{}' is damaged: {}", file, join(findings.damage, "; ")));
  if (!console.quiet) console.out(report_text(*reader, findings));
  return code;
}

}  // namespace

Action describe_verify(Options& options) {
  const auto file = std::make_shared<std::string>();
  options.arguments.push_back({.name = "FILE",
                               .doc = "results file (.h5) or sealed component (.gkc)",
                               .target = file.get(),
                               .completion = Completion::run_or_component_files});
  options.details =
      "Results: everything else is computed again from the recorded positions, velocities and loads, with the model\n"
      "in the file: whether joints are closed, coordinates, energies, forces, Newton's equations of every part,\n"
      "outputs, work, and whether the certificate belongs to it; and every row is compared with its checksum. Code in\n"
      "C is compiled again and must be what the run was made with.\n"
      "Exit code 1 when anything differs, or when there is no row.\n"
      "A component: whether all files in it are as its maker wrote them, and whether you trust the key that signed\n"
      "it. Exit code 1 if not, with the reason.\n";
  return [file](Console& console) {
    return is_component_file(*file) ? verify_component(*file, console) : verify_run(*file, console);
  };
}

}  // namespace gelenk::app
