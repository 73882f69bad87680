#include "apps/gelenk/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/gelenk/console.h"
#include "gelenk/base/json.h"
#include "gelenk/base/name_list.h"
#include "gelenk/base/shown_quantity.h"
#include "gelenk/base/text.h"
#include "gelenk/export/number_text.h"
#include "gelenk/results/choose.h"

namespace gelenk::app {
namespace {

using exporting::ChannelChange;
using exporting::RunDifference;
using Row = std::vector<std::string>;

constexpr std::size_t kMostRows = 25;
constexpr std::size_t kMostCompared = 10;
constexpr std::size_t kMostCell = 40;  // characters of a text of the model

// Characters on the screen; close enough for names and numbers.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Columns with two blanks between them; the first is aligned to the left, the others as asked.
std::string table_text(const std::vector<Row>& rows, bool numbers_right) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width_of(row[i]), ' ');
      line += "  " + (i > 0 && numbers_right ? blanks + row[i] : row[i] + blanks);
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string run_line(std::string_view letter, const results::Reader& reader) {
  double begin = 0.0;
  double end = 0.0;
  std::string text = fmt::format("{}: {} ('{}', ", letter, reader.path(), reader.header().model_name);
  if (reader.row_count() == 0) return text + "no rows)\n";
  reader.read_rows(0, 0, 1, std::span(&begin, 1));
  reader.read_rows(0, reader.row_count() - 1, 1, std::span(&end, 1));
  return text + fmt::format("{} to {} s, {}, {})\n", format_rounded(begin, 6), format_rounded(end, 6),
                            counted(reader.row_count(), "row"), status_name(reader.status()));
}

std::string cell(const std::string& text) {
  if (text.empty()) return "–";
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (line.size() <= kMostCell) return line;
  std::size_t end = kMostCell;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

std::string differences_text(const std::vector<RunDifference>& differences) {
  if (differences.empty()) return "models and options are the same\n";
  std::vector<Row> rows{{"setting", "A", "B"}};
  for (std::size_t i = 0; i < std::min(differences.size(), kMostRows); ++i) {
    rows.push_back({cell(differences[i].name), cell(differences[i].a), cell(differences[i].b)});
  }
  std::string text = table_text(rows, false);
  if (differences.size() > kMostRows) text += fmt::format("  and {} more\n", differences.size() - kMostRows);
  return text;
}

class ChangeWords {
 public:
  ChangeWords(const ComparedRuns& runs, const ChannelChange& change, bool si_units) {
    results::ChannelSource source;
    source.quantity = change.quantity;
    source.unit = change.unit;
    unit_ = si_units ? si_unit(source) : display_unit(*runs.a, source);
  }
  const std::string& unit() const { return unit_.symbol; }
  std::string value(double si) const { return exporting::number_text(unit_.shown(si), 5); }
  // Differences have no offset.
  std::string difference(double si) const {
    return std::isfinite(si) ? exporting::number_text(si / unit_.factor, 3) : "gap";
  }

 private:
  ShownUnit unit_;
};

std::string relative_text(const ChannelChange& change, bool is_rounding) {
  if (is_rounding && change.largest_difference > 0.0) return "rounding";
  const double relative = change.relative_difference();
  return std::isfinite(relative) ? format_rounded(relative, 3) : "–";
}

std::string changes_text(const ComparedRuns& runs, bool si_units) {
  const std::vector<ChannelChange>& changes = runs.comparison.changes;
  if (changes.empty()) return "no channel is in both runs\n";
  std::vector<std::size_t> order(changes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const bool is_long = changes.size() > kMostRows;
  const std::vector<bool> is_rounding = exporting::within_tolerance(changes, {});
  if (is_long) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (runs.is_within[a] != runs.is_within[b]) return !runs.is_within[a];
      if (is_rounding[a] != is_rounding[b]) return !is_rounding[a];
      return changes[a].relative_difference() > changes[b].relative_difference();
    });
    order.resize(kMostRows);
  }
  std::vector<Row> rows{{"channel", "peak A", "peak B", "RMS A", "RMS B", "end A", "end B", "largest difference",
                         "at [s]", "of the range"}};
  for (const std::size_t i : order) {
    const ChannelChange& change = changes[i];
    const ChangeWords words(runs, change, si_units);
    Row row{fmt::format("{} [{}]", change.name, words.unit())};
    for (const double value : {change.peak_a, change.peak_b, change.rms_a, change.rms_b, change.end_a, change.end_b}) {
      row.push_back(words.value(value));
    }
    const bool is_compared = runs.comparison.compared_rows > 0;
    row.push_back(is_compared ? words.difference(change.largest_difference) : "–");
    row.push_back(is_compared && change.largest_difference > 0.0 ? format_rounded(change.at_time, 5) : "–");
    row.push_back(is_compared ? relative_text(change, is_rounding[i]) : "–");
    if (runs.has_tolerance && !runs.is_within[i]) row.push_back("beyond");
    rows.push_back(std::move(row));
  }
  std::string text = table_text(rows, true);
  if (is_long) text += fmt::format("  the {} that changed most, and {} more\n", kMostRows, changes.size() - kMostRows);
  return text;
}

std::string compared_names(const std::string& what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("{}: {}\n", what, list_names(names, kMostCompared));
}

// Where only one of the runs has rows. "5 to 10 s"; empty when that is nowhere, or less than rounding.
std::string not_covered(const exporting::Limits& run, const exporting::RunComparison& comparison) {
  const double rounding = 1e-9 * (run.max - run.min);
  std::vector<std::string> pieces;
  const auto add = [&](double begin, double end) {
    if (end - begin > rounding)
      pieces.push_back(fmt::format("{} to {} s", format_rounded(begin, 6), format_rounded(end, 6)));
  };
  add(run.min, std::min(run.max, comparison.common_begin));
  add(std::max(run.min, comparison.common_end), run.max);
  return join(pieces, ", ");
}

std::string not_covered_text(const exporting::RunComparison& comparison) {
  if (comparison.compared_rows == 0) return {};
  std::string text;
  for (const auto& [letter, run] : {std::pair('A', comparison.time_a), std::pair('B', comparison.time_b)}) {
    const std::string rest = not_covered(run, comparison);
    if (rest.empty()) continue;
    text +=
        fmt::format("not compared: {}, only in {}; its peak, RMS and end are those of its whole time\n", rest, letter);
  }
  return text;
}

std::string times_text(const exporting::RunComparison& comparison) {
  if (comparison.has_same_times) return {};
  if (comparison.compared_rows == 0) return "the runs have no time in common: values cannot be compared one by one\n";
  const std::string span =
      fmt::format("{} to {} s", format_rounded(comparison.common_begin, 6), format_rounded(comparison.common_end, 6));
  if (!comparison.is_interpolated)
    return fmt::format("compared at {} times that both have, {}\n", comparison.compared_rows, span);
  return fmt::format("the rows have different times: B is interpolated linearly at {} times of A, {}\n",
                     comparison.compared_rows, span);
}

std::string verdict_text(const ComparedRuns& runs) {
  const exporting::RunComparison& comparison = runs.comparison;
  const std::string channels = counted(comparison.changes.size(), "channel");
  const bool is_complete = runs.only_a.empty() && runs.only_b.empty();
  if (comparison.is_identical() && is_complete && !comparison.changes.empty()) {
    return fmt::format("identical: {} at {}\n", channels, counted(comparison.compared_rows, "time"));
  }
  const auto beyond = static_cast<std::size_t>(std::count(runs.is_within.begin(), runs.is_within.end(), false));
  std::vector<std::string> pieces;
  if (!is_complete) pieces.emplace_back("not the same channels");
  if (!comparison.different_units.empty()) pieces.emplace_back("not the same units");
  if (runs.has_tolerance && comparison.compared_rows == 0) pieces.emplace_back("no time in common");
  if (runs.has_tolerance && beyond > 0)
    pieces.push_back(fmt::format("{} of {} beyond the tolerance", beyond, channels));
  if (!pieces.empty()) return "different: " + join(pieces, ", ") + "\n";
  return runs.has_tolerance ? fmt::format("within the tolerance: {}\n", channels) : std::string();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

void write_times(JsonWriter& json, std::string_view key, const exporting::Limits& times) {
  json.key(key).begin_array();
  if (!times.is_empty) json.value(times.min).value(times.max);
  json.end_array();
}

void write_change(JsonWriter& json, const ChannelChange& change, bool is_within) {
  json.begin_object().member("name", change.name).member("unit", change.unit);
  json.member("peakA", change.peak_a).member("peakB", change.peak_b);
  json.member("rmsA", change.rms_a).member("rmsB", change.rms_b);
  json.member("endA", change.end_a).member("endB", change.end_b);
  json.member("largestDifference", change.largest_difference).member("time", change.at_time);
  json.member("range", change.range).member("relativeDifference", change.relative_difference());
  json.member("within", is_within).end_object();
}

}  // namespace

std::string compared_text(const ComparedRuns& runs, bool si_units) {
  std::string text = run_line("A", *runs.a) + run_line("B", *runs.b) + "\n" + differences_text(runs.differences) + "\n";
  text += changes_text(runs, si_units) + times_text(runs.comparison) + not_covered_text(runs.comparison);
  text += compared_names("only in A", runs.only_a) + compared_names("only in B", runs.only_b);
  text += compared_names("different units", runs.comparison.different_units);
  return text + verdict_text(runs);
}

std::string compared_json(const ComparedRuns& runs, int exit_code) {
  const exporting::RunComparison& comparison = runs.comparison;
  JsonWriter json;
  json.begin_object().member("ok", !runs.is_different).member("exitCode", exit_code);
  json.member("a", runs.a->path()).member("b", runs.b->path());
  json.member("identical", comparison.is_identical() && runs.only_a.empty() && runs.only_b.empty());
  json.key("differences").begin_array();
  for (const RunDifference& difference : runs.differences) {
    json.begin_object()
        .member("name", difference.name)
        .member("a", difference.a)
        .member("b", difference.b)
        .end_object();
  }
  json.end_array().member("sameTimes", comparison.has_same_times).member("interpolated", comparison.is_interpolated);
  json.member("comparedRows", comparison.compared_rows);
  json.member("timeBegin", comparison.common_begin).member("timeEnd", comparison.common_end);
  write_times(json, "timeA", comparison.time_a);
  write_times(json, "timeB", comparison.time_b);
  write_names(json, "onlyInA", runs.only_a);
  write_names(json, "onlyInB", runs.only_b);
  write_names(json, "differentUnits", comparison.different_units);
  json.key("channels").begin_array();
  for (std::size_t i = 0; i < comparison.changes.size(); ++i) {
    write_change(json, comparison.changes[i], runs.is_within[i]);
  }
  return json.end_array().end_object().take();
}

}  // namespace gelenk::app
