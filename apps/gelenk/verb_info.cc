#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "apps/gelenk/info_run.h"
#include "apps/gelenk/info_states.h"
#include "apps/gelenk/model_input.h"
#include "apps/gelenk/results_input.h"
#include "apps/gelenk/sealed_file.h"
#include "gelenk/base/json.h"
#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"
#include "gelenk/model/assembly_types.h"
#include "gelenk/model/readable_channels.h"

namespace gelenk::app {
namespace {

// Sections whose entries are counted, as they are written: an assembly used ten times counts once.
struct Section {
  std::string_view key;
  std::string_view singular;
};
constexpr std::array kSections{Section{"parts", "part"},          Section{"joints", "joint"},
                               Section{"drivers", "driver"},      Section{"forces", "force"},
                               Section{"states", "state"},        Section{"outputs", "output"},
                               Section{"assemblies", "assembly"}, Section{"materials", "material"}};

std::size_t count_written(const model::Model& model, std::string_view section) {
  std::size_t count = 0;
  for (const model::Definition& definition : model.definitions) count += definition.object.section(section).size();
  return count;
}

struct ParameterRow {
  std::string name;
  std::string written;  // the value as it stands in the file
  std::optional<double> value;
  std::string unit;  // SI
  std::string doc;
  bool is_formula = false;
};

// Parameters of the model itself, not of its sub-assemblies.
std::vector<ParameterRow> parameter_rows(const ModelInput& input) {
  std::vector<ParameterRow> rows;
  for (const model::Object& parameter : input.loaded.model.root().object.section("parameters")) {
    ParameterRow row;
    row.name = parameter.name;
    if (const model::Value* value = parameter.value("value")) {
      row.written = std::string(trim(input.loaded.sources.text(value->range)));
      const auto* formula = value->get<expression::Expression>();
      row.is_formula = formula != nullptr && !formula->is_literal();
    }
    if (const std::string* unit = parameter.text("unit"); unit != nullptr && !row.is_formula)
      row.written += " " + *unit;
    if (const std::string* doc = parameter.text("doc")) row.doc = *doc;
    if (input.machine && !input.machine->assemblies.empty()) {
      for (const model::ParameterValue& evaluated : input.machine->assemblies.front().parameters) {
        if (evaluated.name != row.name) continue;
        row.value = evaluated.value;
        row.unit = std::string(quantity_info(quantity_of(evaluated.dimension)).si_symbol);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_json(const ModelRequest& request, const ModelInput& input, Console& console) {
  JsonWriter json;
  json.begin_object().member("file", request.file);
  write_report_json(json, input.diagnostics, input.loaded.sources);
  json.member("kind", input.loaded.is_read ? "model" : "unknown");
  if (input.loaded.is_read) {
    const model::Model& model = input.loaded.model;
    json.member("name", model.name).member("formatVersion", model::kFormatVersion).key("files").begin_array();
    for (std::size_t i = 0; i < model.folders.size(); ++i) {
      json.value(input.loaded.sources.file(static_cast<std::int32_t>(i)).path());
    }
    json.end_array().key("written").begin_object();
    for (const Section& section : kSections) json.member(section.key, count_written(model, section.key));
    json.end_object().key("definitions").begin_array();
    for (std::size_t i = 1; i < model.definitions.size(); ++i) json.value(model.definitions[i].name);
    json.end_array().key("parameters").begin_array();
    for (const ParameterRow& row : parameter_rows(input)) {
      json.begin_object().member("name", row.name).member("written", row.written).key("value");
      if (row.value) {
        json.value(*row.value);
      } else {
        json.null();
      }
      json.member("unit", row.unit).member("doc", row.doc).end_object();
    }
    json.end_array();
  }
  console.out(json.end_object().take());
}

std::string parameters_text(const ModelInput& input) {
  const std::vector<ParameterRow> rows = parameter_rows(input);
  if (rows.empty()) return {};
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  std::vector<std::string> values;
  for (const ParameterRow& row : rows) {
    values.push_back(row.written);
    if (row.is_formula && row.value) {
      values.back() = fmt::format("{} {}  ({})", format_rounded(*row.value, 6), row.unit, row.written);
    }
    name_width = std::max(name_width, row.name.size());
    value_width = std::max(value_width, values.back().size());
  }
  std::string text = "parameters:\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line =
        fmt::format("  {:<{}}  {:<{}}  {}", rows[i].name, name_width, values[i], value_width, rows[i].doc);
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string info_text(const ModelInput& input) {
  const model::Model& model = input.loaded.model;
  std::string text = fmt::format("model '{}', format version {}\n", model.name, model::kFormatVersion);
  for (std::size_t i = 0; i < model.folders.size(); ++i) {
    text += fmt::format(
        "{} {}\n", i == 0 ? "file:    " : "uses:    ", input.loaded.sources.file(static_cast<std::int32_t>(i)).path());
  }
  std::vector<std::string> counts;
  for (const Section& section : kSections) {
    const std::size_t count = count_written(model, section.key);
    if (count > 0) counts.push_back(fmt::format("{} {}", count, count == 1 ? section.singular : section.key));
  }
  text += fmt::format("written:  {}\n", counts.empty() ? "no elements" : join(counts, ", "));
  std::vector<std::string> definitions;
  for (std::size_t i = 1; i < model.definitions.size(); ++i) definitions.push_back(model.definitions[i].name);
  if (!definitions.empty()) text += fmt::format("assembly types: {}\n", join(definitions, ", "));
  return text + parameters_text(input);
}

ExitCode show_info(const ModelRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request, console, input)) return *usage;
  const ExitCode code = exit_code_of(input.diagnostics);
  if (console.json) {
    print_json(request, input, console);
    return code;
  }
  if (!input.loaded.is_read) {
    print_to_stderr(input.diagnostics, input.loaded.sources, console);
    return code;
  }
  console.out(info_text(input));
  if (code != ExitCode::ok)
    console.fail(code, "the model has errors", fmt::format("gelenk check {}", shell_word(request.file)));
  return code;
}

// What expressions may read, a line for each.
ExitCode show_channels(const ModelRequest& request, Console& console) {
  ModelInput input;
  if (const std::optional<ExitCode> usage = read_model(request, console, input)) return *usage;
  const ExitCode code = exit_code_of(input.diagnostics);
  if (!input.machine || code != ExitCode::ok) {
    if (console.json) {
      print_json(request, input, console);
    } else {
      print_to_stderr(input.diagnostics, input.loaded.sources, console);
    }
    return code;
  }
  const std::vector<model::ReadableChannel> channels = model::readable_channels(*input.machine);
  if (console.json) {
    JsonWriter json;
    json.begin_object().member("file", request.file);
    write_report_json(json, input.diagnostics, input.loaded.sources);
    json.member("kind", "model").key("channels").begin_array();
    for (const model::ReadableChannel& channel : channels) {
      json.begin_object().member("name", channel.name).member("unit", channel.unit);
      json.member("quantity", quantity_info(channel.quantity).name).end_object();
    }
    console.out(json.end_array().end_object().take());
    return code;
  }
  std::size_t width = 0;
  for (const model::ReadableChannel& channel : channels) width = std::max(width, channel.name.size());
  std::string text;
  for (const model::ReadableChannel& channel : channels) {
    text += fmt::format("{:<{}}  {}\n", channel.name, width, channel.unit);
  }
  console.out(text);
  return code;
}

}  // namespace

Action describe_info(Options& options) {
  struct InfoRequest {
    ModelRequest model;
    RunInfoRequest run;
    bool with_states = false;
  };
  const auto request = std::make_shared<InfoRequest>();
  add_file_options(options, request->model);
  options.arguments.back().doc = "model file (YAML or JSON), results file (.h5) or sealed component (.gkc)";
  options.arguments.back().completion = Completion::known_files;
  options.flags.push_back({"--channels",
                           "list the recorded channels of a results file, or what expressions of a model may read",
                           &request->run.with_channels});
  options.flags.push_back(
      {"--states", "for a model: list what a run of it integrates and remembers", &request->with_states});
  options.flags.push_back(
      {"--certificate", "for a results file: print its certificate (JSON)", &request->run.with_certificate});
  return [request](Console& console) {
    request->run.file = request->model.file;
    const bool is_model = !is_run_file(request->model.file) && !is_component_file(request->model.file);
    if (request->with_states && !is_model) return console.fail(ExitCode::usage_error, "--states is for models");
    if (is_run_file(request->model.file)) return show_run_info(request->run, console);
    if (request->run.with_certificate) {
      return console.fail(ExitCode::usage_error, "--certificate is for results files (.h5)");
    }
    if (is_component_file(request->model.file)) {
      if (!request->run.with_channels) return show_component_info(request->model.file, console);
      return console.fail(ExitCode::usage_error, "--channels is for results files (.h5) and models");
    }
    if (request->run.with_channels) return show_channels(request->model, console);
    if (request->with_states) return show_states(request->model, console);
    return show_info(request->model, console);
  };
}

}  // namespace gelenk::app
