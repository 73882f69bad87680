#include "gelenk/export/run_differences.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gelenk/base/dimension.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/text.h"
#include "gelenk/expression/evaluate.h"
#include "gelenk/expression/expression.h"
#include "gelenk/formats/yaml_reader.h"

namespace gelenk::exporting {
namespace {

constexpr std::string_view kParameters = "parameters.";
constexpr std::string_view kValue = ".value";

// Named texts in their order.
class Entries {
 public:
  void set(const std::string& name, std::string text) {
    const auto [it, is_new] = index_.emplace(name, items_.size());
    if (is_new) items_.emplace_back(name, std::string());
    items_[it->second].second = std::move(text);
  }
  const std::string* find(const std::string& name) const {
    const auto it = index_.find(name);
    return it == index_.end() ? nullptr : &items_[it->second].second;
  }
  const std::vector<std::pair<std::string, std::string>>& items() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
  std::unordered_map<std::string, std::size_t> index_;
};

struct RunEntries {
  Entries parameters, model, options;
};

std::string inline_text(const Node& node) {
  if (node.is_scalar()) return node.text;
  std::vector<std::string> pieces;
  for (const Node& item : node.items) pieces.push_back(inline_text(item));
  for (const Node::Entry& entry : node.entries) pieces.push_back(entry.key + ": " + inline_text(entry.value));
  if (node.is_list()) return "[" + join(pieces, ", ") + "]";
  return node.is_map() ? "{" + join(pieces, ", ") + "}" : std::string();
}

// "parameters.crank_length.value" and "parameters.crank_length" are the parameter `crank_length`.
void add_leaf(const std::string& path, const Node& node, RunEntries& entries) {
  if (!path.starts_with(kParameters)) {
    entries.model.set(path, inline_text(node));
    return;
  }
  std::string name = path.substr(kParameters.size());
  if (name.ends_with(kValue)) name.resize(name.size() - kValue.size());
  entries.parameters.set(name, inline_text(node));
}

void add_node(const std::string& path, const Node& node, RunEntries& entries) {
  if (!node.is_map() || node.entries.empty()) {
    add_leaf(path, node, entries);
    return;
  }
  for (const Node::Entry& entry : node.entries) {
    // What was asked for there stands among the options, together with what the program chose.
    if (path.empty() && entry.key == "simulation") continue;
    if (entry.key == "doc" || entry.key == "note") continue;  // for people, not for the machine
    add_node(path.empty() ? entry.key : path + "." + entry.key, entry.value, entries);
  }
}

void add_model(const std::string& text, RunEntries& entries) {
  SourceMap sources;
  Diagnostics unused;
  const std::int32_t file = sources.add("model.yaml", text);
  const std::optional<Node> root = formats::parse_yaml(sources, file, {}, unused);
  if (root) {
    add_node("", *root, entries);
  } else {
    entries.model.set("model", text);
  }
}

std::optional<JsonValue> options_of(const std::string& text) {
  std::string unused;
  return read_json(text, unused);
}

std::string json_text(std::string_view name, const JsonValue& value) {
  const bool is_time =
      name == "duration" || name == "output_every" || name == "step" || name == "max_step" || name == "checkpoint";
  switch (value.kind) {
    case JsonValue::Kind::number:
      return format_number(value.number) + (is_time ? " s" : "");
    case JsonValue::Kind::boolean:
      return value.truth ? "true" : "false";
    case JsonValue::Kind::text:
      return value.text;
    case JsonValue::Kind::array: {
      std::vector<std::string> pieces;
      for (const JsonValue& item : value.items) pieces.push_back(json_text("", item));
      return join(pieces, ", ");
    }
    case JsonValue::Kind::object: {
      std::vector<std::string> pieces;
      for (const auto& [key, item] : value.members) pieces.push_back(key + ": " + json_text(key, item));
      return join(pieces, ", ");
    }
    case JsonValue::Kind::null:
      break;
  }
  return {};
}

// "main_bearing.rate=1.96" -> the name before and the value behind the equals sign
std::pair<std::string, std::string> setting_of(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view value = equals < text.size() ? std::string_view(text).substr(equals + 1) : std::string_view();
  return {std::string(trim(std::string_view(text).substr(0, equals))), std::string(trim(value))};
}

void add_options(const std::string& text, RunEntries& entries) {
  const std::optional<JsonValue> options = options_of(text);
  if (!options) return;
  for (const auto& [name, value] : options->members) {
    if (name == "file") continue;
    if (name == "set") {
      for (const std::string& setting : options->texts(name)) {
        const auto [path, what] = setting_of(setting);
        entries.parameters.set(path, what);
      }
    } else if (name == "start" || name == "drive") {
      for (const std::string& setting : options->texts(name)) {
        const auto [path, what] = setting_of(setting);
        entries.options.set(name + " " + path, what);
      }
    } else {
      entries.options.set(name, json_text(name, value));
    }
  }
}

// A number with its unit, "60 mm".
struct Amount {
  double si = 0.0;
  double factor = 1.0;  // of its unit
  Dimension dimension;
  std::string unit;
};

// Nothing when the text is not a plain number with a unit.
std::optional<Amount> amount_of(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos || !parse_number(text.substr(0, space))) return std::nullopt;
  Amount amount;
  amount.unit = trim(std::string_view(text).substr(space));
  const expression::ParseResult number = expression::parse_quantity(text);
  const expression::ParseResult unit = expression::parse_quantity("1 " + amount.unit);
  if (!number.expression || !number.has_unit || !unit.expression) return std::nullopt;
  const expression::DimensionResult dimension = expression::infer_dimension(*number.expression, {});
  if (!dimension.errors.empty()) return std::nullopt;
  amount.dimension = dimension.dimension;
  amount.si = expression::evaluate(*number.expression, {});
  amount.factor = expression::evaluate(*unit.expression, {});
  return amount;
}

// "50 mm" and "0.05 m" are the same, however they were written.
bool is_same_amount(const Amount& a, const Amount& b) {
  constexpr double kRounding = 1e-14;  // of a factor of a unit
  return a.dimension == b.dimension && std::abs(a.si - b.si) <= kRounding * std::abs(a.si);
}

// The model in a results file is SI, what `--set` gave is not: "0.05 m" beside "60 mm" becomes "50 mm".
std::string shown_like(const Amount& amount, const Amount& other, const std::string& text) {
  const bool can_change = amount.dimension == other.dimension && amount.factor == 1.0 && other.factor != 1.0;
  return can_change ? format_rounded(amount.si / other.factor, 12) + " " + other.unit : text;
}

void add_difference(const std::string& name, const std::string& a, const std::string& b,
                    std::vector<RunDifference>& differences) {
  if (a == b) return;
  const std::optional<Amount> in_a = amount_of(a);
  const std::optional<Amount> in_b = amount_of(b);
  if (!in_a || !in_b) {
    differences.push_back({name, a, b});
  } else if (!is_same_amount(*in_a, *in_b)) {
    differences.push_back({name, shown_like(*in_a, *in_b, a), shown_like(*in_b, *in_a, b)});
  }
}

void add_differences(const Entries& a, const Entries& b, std::vector<RunDifference>& differences) {
  for (const auto& [name, text] : a.items()) {
    const std::string* other = b.find(name);
    add_difference(name, text, other == nullptr ? std::string() : *other, differences);
  }
  for (const auto& [name, text] : b.items()) {
    if (a.find(name) == nullptr) differences.push_back({name, "", text});
  }
}

RunEntries entries_of(const results::RunHeader& header) {
  RunEntries entries;
  add_model(header.resolved_model, entries);
  add_options(header.options, entries);
  return entries;
}

}  // namespace

std::vector<RunDifference> run_differences(const results::RunHeader& a, const results::RunHeader& b) {
  std::vector<RunDifference> differences;
  if (a.resolved_model == b.resolved_model && a.options == b.options) return differences;
  const RunEntries in_a = entries_of(a);
  const RunEntries in_b = entries_of(b);
  add_differences(in_a.parameters, in_b.parameters, differences);
  add_differences(in_a.model, in_b.model, differences);
  add_differences(in_a.options, in_b.options, differences);
  return differences;
}

}  // namespace gelenk::exporting
