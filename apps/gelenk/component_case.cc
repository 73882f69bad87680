#include "apps/gelenk/component_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <random>

#include "gelenk/base/platform.h"
#include "gelenk/base/process.h"
#include "gelenk/base/text.h"
#include "gelenk/formats/yaml_reader.h"
#include "gelenk/formats/yaml_writer.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

constexpr double kCaseTimeLimit = 600.0;  // s, of one run

// Stops at the first mistake.
class CaseReader {
 public:
  CaseReader(const SourceMap& sources, std::string& error) : sources_(sources), error_(error) {}

  bool read(const Node& document, ComponentCase& result) {
    if (!has_keys(document, {"title", "model", "quantities"})) return false;
    const Node* model = member(document, "model", Node::Kind::map);
    const Node* quantities = model == nullptr ? nullptr : member(document, "quantities", Node::Kind::list);
    if (quantities == nullptr) return false;
    result.model = formats::write_yaml(*model);
    for (const Node& node : quantities->items) {
      if (!read_quantity(node, result.quantities.emplace_back())) return false;
    }
    return !result.quantities.empty() || fail(quantities->range, "there is nothing to compare");
  }

 private:
  bool fail(const SourceRange& where, std::string_view text) {
    error_ = fmt::format("{}: {}", sources_.describe(where), text);
    return false;
  }

  bool has_keys(const Node& node, std::initializer_list<std::string_view> known) {
    if (!node.is_map()) return fail(node.range, fmt::format("a map is expected, but this is {}", kind_name(node.kind)));
    for (const Node::Entry& entry : node.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      const std::vector<std::string> names(known.begin(), known.end());
      return fail(entry.key_range, fmt::format("unknown key '{}'; the keys are {}", entry.key, join(names, ", ")));
    }
    return true;
  }

  const Node* member(const Node& map, std::string_view key, Node::Kind kind) {
    const Node::Entry* entry = map.find(key);
    if (entry != nullptr && entry->value.kind == kind) return &entry->value;
    if (entry == nullptr) {
      fail(map.range, fmt::format("the key '{}' is missing", key));
    } else {
      fail(entry->value.range, fmt::format("'{}' must be {}", key, kind_name(kind)));
    }
    return nullptr;
  }

  bool read_number(const Node& node, double& result) {
    const std::optional<double> value = node.is_scalar() ? parse_number(trim(node.text)) : std::nullopt;
    result = value.value_or(0.0);
    return value || fail(node.range, "a number is expected, in SI without a unit");
  }

  bool read_quantity(const Node& node, CaseQuantity& result) {
    if (!has_keys(node, {"channel", "tolerance", "reason", "values"})) return false;
    const Node* channel = member(node, "channel", Node::Kind::scalar);
    const Node* tolerance = channel == nullptr ? nullptr : member(node, "tolerance", Node::Kind::scalar);
    const Node* values = tolerance == nullptr ? nullptr : member(node, "values", Node::Kind::list);
    if (values == nullptr || !read_number(*tolerance, result.tolerance)) return false;
    result.channel = channel->text;
    if (!(result.tolerance > 0.0)) return fail(tolerance->range, "a tolerance must be positive");
    for (const Node& row : values->items) {
      std::vector<double>& numbers = result.values.emplace_back();
      for (const Node& item : row.items) {
        if (!read_number(item, numbers.emplace_back())) return false;
      }
      if (numbers.size() != 2 && numbers.size() != 4) {
        return fail(row.range, "a time and one number are expected, or a time and three");
      }
      if (numbers.size() != result.values.front().size()) return fail(row.range, "rows differ in length");
    }
    return !result.values.empty() || fail(node.range, "there are no values to compare with");
  }

  const SourceMap& sources_;
  std::string& error_;
};

// A folder that is gone afterwards.
class WorkFolder {
 public:
  WorkFolder() {
    std::random_device random;
    std::error_code problem;
    constexpr int kTrials = 100;
    for (int i = 0; i < kTrials && path_.empty(); ++i) {
      const fs::path path =
          fs::temp_directory_path(problem) / fmt::format("gelenk-case-{:08x}{:08x}", random(), random());
      if (!problem && fs::create_directory(path, problem)) path_ = path;
    }
    if (!path_.empty()) fs::permissions(path_, fs::perms::owner_all, problem);
  }
  ~WorkFolder() {
    std::error_code problem;
    if (!path_.empty()) fs::remove_all(path_, problem);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  bool is_good() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// The channels that a quantity means: one, or three.
std::vector<std::string> channels_of(const CaseQuantity& quantity) {
  if (quantity.values.front().size() == 2) return {quantity.channel};
  std::vector<std::string> names;
  for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("{}.{}", quantity.channel, axis));
  return names;
}

class Comparison {
 public:
  Comparison(const results::Reader& run, CaseOutcome& outcome) : run_(run), outcome_(outcome) {
    outcome_.failure = run_.read_times(times_);
  }

  void compare(const CaseQuantity& quantity) {
    const std::vector<std::string> names = channels_of(quantity);
    for (std::size_t i = 0; i < names.size() && outcome_.failure.empty(); ++i) {
      const std::optional<results::ChannelSource> channel = run_.find(names[i]);
      if (!channel) {
        outcome_.failure = fmt::format("there is no channel '{}'", names[i]);
        return;
      }
      std::vector<double> values;
      outcome_.failure = run_.read_channel(*channel, values);
      for (const std::vector<double>& row : quantity.values) {
        if (outcome_.failure.empty()) compare(*channel, values, row.front(), row[i + 1], quantity.tolerance);
      }
    }
  }

 private:
  void compare(const results::ChannelSource& channel, const std::vector<double>& values, double time, double expected,
               double tolerance) {
    constexpr double kSameTime = 1e-9;  // s, and relative
    const auto at = std::find_if(times_.begin(), times_.end(), [&](double recorded) {
      return std::abs(recorded - time) <= kSameTime * std::max(1.0, std::abs(time));
    });
    if (at == times_.end()) {
      outcome_.failure = fmt::format("no row is recorded at t = {} s; rows follow `output_every`", format_number(time));
      return;
    }
    const double ours = values.at(static_cast<std::size_t>(at - times_.begin()));
    const double error = std::abs(ours - expected);
    ++outcome_.compared;
    outcome_.worst = std::max(outcome_.worst, error / tolerance);
    if (error <= tolerance) return;
    outcome_.failure =
        fmt::format("{} at t = {} s is {} {}, but {} is expected, within {}", channel.name, format_number(time),
                    format_rounded(ours, 9), channel.unit, format_rounded(expected, 9), format_rounded(tolerance, 3));
  }

  const results::Reader& run_;
  CaseOutcome& outcome_;
  std::vector<double> times_;
};

}  // namespace

std::optional<ComponentCase> read_case(const std::string& name, const std::string& text, std::string& error) {
  SourceMap sources;
  const std::int32_t file = sources.add(name, text);
  Diagnostics diagnostics;
  const std::optional<Node> document = formats::parse_yaml(sources, file, {}, diagnostics);
  if (!document) {
    const Diagnostic& first = diagnostics.all().front();
    error = fmt::format("{}: {}", sources.describe(first.where), first.message);
    return std::nullopt;
  }
  ComponentCase result;
  result.name = name;
  if (!CaseReader(sources, error).read(*document, result)) return std::nullopt;
  return result;
}

CaseOutcome run_case(const ComponentCase& one, const std::string& component) {
  CaseOutcome outcome;
  const WorkFolder folder;
  const std::optional<std::string> program = executable_path();
  const std::string model = folder.file("case.yaml"), results = folder.file("case.h5");
  if (!folder.is_good() || !program || !write_file_atomically(model, one.model).empty() ||
      !write_file_atomically(folder.file(kCaseComponent), component).empty()) {
    outcome.failure = "it cannot be written to a temporary folder";
    return outcome;
  }
  const ProgramResult run = run_program({*program, "run", "-q", model, "-o", results}, {}, kCaseTimeLimit);
  if (run.exit_code != 0) {
    outcome.failure = run.reason.empty() ? fmt::format("its run fails:\n{}", trim(run.output)) : run.reason;
    return outcome;
  }
  const std::unique_ptr<results::Reader> reader = results::Reader::open(results, outcome.failure);
  if (!reader) return outcome;
  Comparison comparison(*reader, outcome);
  for (const CaseQuantity& quantity : one.quantities) {
    if (outcome.failure.empty()) comparison.compare(quantity);
  }
  return outcome;
}

}  // namespace gelenk::app
