#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "apps/gelenk/compare_text.h"
#include "apps/gelenk/results_input.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

struct CompareRequest {
  std::string a, b;
  std::vector<std::string> channels;
  std::string tolerance, absolute;
  bool si_units = false;
};

std::optional<ExitCode> read_tolerance(std::string_view option, const std::string& text, double& value,
                                       Console& console) {
  if (text.empty()) return std::nullopt;
  const std::optional<double> number = parse_number(text);
  if (!number || *number < 0.0) {
    return console.fail(ExitCode::usage_error,
                        fmt::format("{} needs a number of at least 0, not {}", option, shown(text)),
                        "for example 1e-6");
  }
  value = *number;
  return std::nullopt;
}

// Adds each name once.
class Names {
 public:
  void add(const std::vector<results::ChannelSource>& channels) {
    for (const results::ChannelSource& channel : channels) {
      if (known_.insert(channel.name).second) list_.push_back(channel.name);
    }
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
  std::unordered_set<std::string> known_;
};

// What was asked for, in either of the runs; without that the outputs; without those everything.
std::optional<ExitCode> choose(const CompareRequest& request, const results::Reader& a, const results::Reader& b,
                               Names& names, Console& console) {
  for (const std::string& name : request.channels) {
    const results::Choice in_a = results::choose_channels(a, std::vector{name});
    const results::Choice in_b = results::choose_channels(b, std::vector{name});
    if (!in_a.error.empty() && !in_b.error.empty()) {
      const std::string hint = in_a.hint.empty() ? in_b.hint : in_a.hint;
      return console.fail(
          ExitCode::usage_error, in_a.error + " in either run",
          hint.empty() ? fmt::format("gelenk info {} --channels lists them", shell_word(request.a)) : hint);
    }
    if (in_a.error.empty()) names.add(in_a.channels);
    if (in_b.error.empty()) names.add(in_b.channels);
  }
  if (!request.channels.empty()) return std::nullopt;
  names.add(output_channels(a));
  names.add(output_channels(b));
  if (!names.list().empty()) return std::nullopt;
  names.add(all_channels(a));
  names.add(all_channels(b));
  return std::nullopt;
}

std::vector<std::string> missing_in(const results::Reader& other, const results::Reader& reader) {
  std::vector<std::string> names;
  for (const results::RecordedChannel& channel : reader.channels()) {
    if (!other.find(channel.name)) names.push_back(channel.name);
  }
  return names;
}

ExitCode compare(const CompareRequest& request, Console& console) {
  exporting::ComparisonTolerance tolerance;
  if (const auto failed = read_tolerance("--tolerance", request.tolerance, tolerance.relative, console)) return *failed;
  if (const auto failed = read_tolerance("--absolute", request.absolute, tolerance.absolute, console)) return *failed;
  const std::unique_ptr<results::Reader> a = open_run(request.a, console);
  if (!a) return ExitCode::file_error;
  const std::unique_ptr<results::Reader> b = open_run(request.b, console);
  if (!b) return ExitCode::file_error;
  bool is_damaged = false;
  for (const results::Reader* reader : {a.get(), b.get()}) {
    const std::string note = unclosed_note(*reader);
    if (!note.empty()) console.message(fmt::format("note: {}: {}\n", reader->path(), note));
    is_damaged = !warn_of_damage(*reader, console).empty() || is_damaged;
  }
  Names names;
  if (const std::optional<ExitCode> failed = choose(request, *a, *b, names, console)) return *failed;

  ComparedRuns runs;
  runs.a = a.get();
  runs.b = b.get();
  runs.differences = exporting::run_differences(a->header(), b->header());
  runs.comparison = exporting::compare_runs(*a, *b, names.list());
  if (!runs.comparison.error.empty()) return console.fail(ExitCode::file_error, runs.comparison.error);
  runs.has_tolerance = !request.tolerance.empty() || !request.absolute.empty();
  runs.is_within = exporting::within_tolerance(runs.comparison.changes, tolerance);
  // Who names channels has those in mind and no others.
  const bool is_whole = request.channels.empty();
  runs.only_a = is_whole ? missing_in(*b, *a) : runs.comparison.only_in_a;
  runs.only_b = is_whole ? missing_in(*a, *b) : runs.comparison.only_in_b;
  const bool is_beyond =
      runs.has_tolerance && (runs.comparison.compared_rows == 0 ||
                             std::find(runs.is_within.begin(), runs.is_within.end(), false) != runs.is_within.end());
  runs.is_different = (is_damaged && runs.has_tolerance) || is_beyond || !runs.only_a.empty() || !runs.only_b.empty() ||
                      !runs.comparison.different_units.empty();
  const ExitCode code = runs.is_different ? ExitCode::simulation_failed : ExitCode::ok;
  console.out(console.json ? compared_json(runs, static_cast<int>(code)) : compared_text(runs, request.si_units));
  return code;
}

}  // namespace

Action describe_compare(Options& options) {
  const auto request = std::make_shared<CompareRequest>();
  options.arguments.push_back(
      {.name = "A", .doc = "results file (.h5)", .target = &request->a, .completion = Completion::run_files});
  options.arguments.push_back({.name = "B",
                               .doc = "the results file to compare it with",
                               .target = &request->b,
                               .completion = Completion::run_files});
  options.arguments.push_back({.name = "CHANNEL",
                               .doc = "channel, vector or element, or a pattern: piston.position.x, '*.angle'",
                               .list = &request->channels,
                               .is_required = false,
                               .completion = Completion::channels});
  options.values.push_back({.names = "--tolerance",
                            .value_name = "NUMBER",
                            .doc = "allowed difference, as a fraction of the range of the channel",
                            .target = &request->tolerance});
  options.values.push_back({.names = "--absolute",
                            .value_name = "NUMBER",
                            .doc = "difference that is always allowed, SI",
                            .target = &request->absolute});
  options.flags.push_back({"--si", "SI units instead of those of `display:` in the model", &request->si_units});
  options.details =
      "Without channels the outputs of the models are compared. The exit code is 1 when something differs by more\n"
      "than a given tolerance, or when a channel is in only one of the runs. Examples:\n"
      "  gelenk compare before.h5 after.h5\n"
      "  gelenk compare before.h5 after.h5 '*.position.*' --tolerance 1e-6\n";
  return [request](Console& console) { return compare(*request, console); };
}

}  // namespace gelenk::app
