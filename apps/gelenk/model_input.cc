#include "apps/gelenk/model_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/gelenk/named_file.h"
#include "gelenk/base/diagnostic_printer.h"
#include "gelenk/base/text.h"
#include "gelenk/base/units.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/setting_text.h"

namespace gelenk::app {
namespace {

// Settings are texts like those in a file: they get a place in the sources, so that messages can point at them.
std::optional<model::ParameterSetting> read_setting(const std::string& text, ModelInput& input) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  const std::string path(trim(std::string_view(text).substr(0, equals)));
  return model::read_setting(path, text, equals + 1, "--set", input.loaded.sources, input.diagnostics);
}

// The unit of a number as it was written: "deg" of "45 deg"; empty: none.
std::string_view written_unit(std::string_view text) {
  text = trim(text);
  return trim(text.substr(number_length(text)));
}

const model::ParameterValue* find_parameter(const model::Machine& machine, std::string_view path) {
  for (const model::AssemblyNode& node : machine.assemblies) {
    for (const model::ParameterValue& parameter : node.parameters) {
      if (path == (node.path.empty() ? parameter.name : node.path + "." + parameter.name)) return &parameter;
    }
  }
  return nullptr;
}

// A number without a unit is SI, as everywhere; but who reads `45 deg` in the model may mean degrees.
void warn_about_bare_settings(const std::vector<model::ParameterSetting>& settings, ModelInput& input) {
  for (const model::ParameterSetting& setting : settings) {
    if (!setting.value.is_bare) continue;
    const model::ParameterValue* parameter = find_parameter(*input.machine, setting.path);
    const model::Value* own =
        parameter == nullptr || parameter->source == nullptr ? nullptr : parameter->source->value("value");
    if (own == nullptr || own->is_bare || !own->range.is_known() || parameter->source->text("unit") != nullptr)
      continue;
    const auto text_of = [&](const SourceRange& range) {
      const SourceFile& file = input.loaded.sources.file(range.file);
      return std::string(trim(std::string_view(file.text()).substr(range.begin, range.end - range.begin)));
    };
    const std::string usual = text_of(own->range);
    const UnitParse unit = parse_unit(written_unit(usual));
    if (!unit.unit || (unit.unit->factor == 1.0 && unit.unit->offset == 0.0)) continue;
    const std::string number = text_of(setting.value.range);
    // Of the units without a dimension, all but percent are those of angles.
    const bool is_angle = parameter->dimension.is_none() && written_unit(usual) != "%";
    const std::string_view si = quantity_info(is_angle ? Quantity::angle : quantity_of(parameter->dimension)).si_symbol;
    const ElementScope element(input.diagnostics, setting.path, "parameter");
    input.diagnostics.warning(
        Code::wrong_dimension, setting.value.range,
        fmt::format("{} without a unit means {}{}; the model has {}", number, number,
                    si == "1" ? std::string() : fmt::format(" {}", si), usual),
        fmt::format("write --set {}=\"{} {}\" if that is meant", setting.path, number, written_unit(usual)));
  }
}

}  // namespace

void add_file_options(Options& options, ModelRequest& request) {
  options.arguments.push_back({.name = "FILE",
                               .doc = "model file (YAML or JSON)",
                               .target = &request.file,
                               .completion = Completion::model_files});
  options.flags.push_back(
      {"--allow-outside", "files used by the model may be outside its folder", &request.allow_outside});
  options.flags.push_back({"--trust-once", "run untrusted sealed components even where this system cannot sandbox them",
                           &request.trust_once});
}

void add_code_option(Options& options, ModelRequest& request) {
  options.flags.push_back(
      {"--trust-code", "run C code of the model in this process, outside of the sandbox", &request.trust_code});
}

void add_settings_option(Options& options, ModelRequest& request) {
  options.values.push_back({.names = "--set",
                            .value_name = "PATH=VALUE",
                            .doc = "set a parameter; may be repeated",
                            .list = &request.settings,
                            .also_called = "--param,--parameter,--parameters,--define,-p,-D"});
}

ReadResult read_watched(const ModelRequest& request, const std::string& path, std::size_t max_bytes) {
  if (request.stored) {
    if (std::optional<std::string> bytes = request.stored(path)) return {std::move(bytes), Code::none, ""};
  }
  if (request.watch != nullptr) request.watch->add(path);
  return read_file(path, max_bytes);
}

std::optional<ExitCode> read_model(const ModelRequest& request, Console& console, ModelInput& input) {
  if (!request.text) {
    if (const std::optional<ExitCode> other = refuse_other_file(request.file, WantedFile::model, console)) return other;
  }
  formats::LoadOptions load_options;
  load_options.allow_outside = request.allow_outside;
  load_options.read = [&request](const std::string& path, std::size_t max_bytes) -> ReadResult {
    if (request.text && path == request.file) return {*request.text, Code::none, ""};
    return read_watched(request, path, max_bytes);
  };
  input.sealed = std::make_unique<SealedParts>(request.trust_once, console, request.host);
  load_options.read_sealed = [&](const std::string& path) {
    if (request.watch != nullptr) request.watch->add(path);
    return input.sealed->read(path);
  };
  input.loaded = formats::load_model(request.file, load_options, input.diagnostics);
  model::ExpandOptions expand_options;
  expand_options.has_open_inputs = request.has_open_inputs;
  expand_options.read = [&request](const std::string& path, std::size_t max_bytes) {
    return read_watched(request, path, max_bytes);
  };
  expand_options.draw_sealed = [&input](const model::SealedNode& node) { return input.sealed->draw(node); };
  for (const std::string& text : request.settings) {
    std::optional<model::ParameterSetting> setting = read_setting(text, input);
    if (!setting) {
      return console.fail(ExitCode::usage_error, fmt::format("--set needs PATH=VALUE, not {}", shown(text)),
                          "for example: --set crank_length=\"60 mm\"");
    }
    // The last word counts.
    std::erase_if(expand_options.settings, [&](const auto& earlier) { return earlier.path == setting->path; });
    expand_options.settings.push_back(*std::move(setting));
  }
  if (input.loaded.is_read) input.machine = model::expand(input.loaded.model, expand_options, input.diagnostics);
  if (input.machine) warn_about_bare_settings(expand_options.settings, input);
  return std::nullopt;
}

ExitCode exit_code_of(const Diagnostics& diagnostics, bool warnings_are_errors) {
  const auto& all = diagnostics.all();
  const bool is_unreadable = std::any_of(all.begin(), all.end(), [](const Diagnostic& diagnostic) {
    const bool concerns_file = diagnostic.code == Code::file_not_found || diagnostic.code == Code::file_unreadable ||
                               diagnostic.code == Code::file_too_large;
    // A file that a model names is a mistake in the model, at the place where it is named.
    return concerns_file && !diagnostic.where.is_known();
  });
  if (is_unreadable) return ExitCode::file_error;
  const bool has_warnings = diagnostics.warning_count() > 0;
  return diagnostics.has_errors() || (warnings_are_errors && has_warnings) ? ExitCode::model_error : ExitCode::ok;
}

ExitCode exit_code_of(const ModelInput& input, bool warnings_are_errors) {
  const ExitCode code = exit_code_of(input.diagnostics, warnings_are_errors);
  const bool is_component = code == ExitCode::model_error && input.sealed && input.sealed->has_failed();
  return is_component ? ExitCode::component_failed : code;
}

void print_to_stderr(const Diagnostics& diagnostics, const SourceMap& sources, const Console& console,
                     bool warnings_are_errors) {
  const PrintOptions options{.color = console.has_color_on_stderr()};
  if (!console.quiet || warnings_are_errors) {
    console.error_text(print_diagnostics(diagnostics, sources, options));
    const std::string counts = diagnostic_counts(diagnostics);
    if (!counts.empty()) console.error_text(counts + "\n");
    return;
  }
  Diagnostics errors;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::error) continue;
    errors.error(diagnostic.code, diagnostic.where, diagnostic.message) = diagnostic;
  }
  console.error_text(print_diagnostics(errors, sources, options));
}

void write_report_json(JsonWriter& json, const Diagnostics& diagnostics, const SourceMap& sources,
                       bool warnings_are_errors) {
  json.member("ok", exit_code_of(diagnostics, warnings_are_errors) == ExitCode::ok)
      .member("errors", diagnostics.error_count())
      .member("warnings", diagnostics.warning_count());
  json.key("diagnostics");
  write_diagnostics_json(json, diagnostics, sources);
}

ExitCode fail_with_diagnostics(const ModelInput& input, Console& console) {
  if (console.json) {
    JsonWriter json;
    json.begin_object();
    write_report_json(json, input.diagnostics, input.loaded.sources);
    console.out(json.end_object().take());
  } else {
    print_to_stderr(input.diagnostics, input.loaded.sources, console);
  }
  const ExitCode code = exit_code_of(input);
  return code == ExitCode::ok ? ExitCode::model_error : code;
}

}  // namespace gelenk::app
