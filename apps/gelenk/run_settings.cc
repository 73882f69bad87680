#include "apps/gelenk/run_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "apps/gelenk/option_number.h"
#include "gelenk/analysis/kept_options.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/parallel.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
std::optional<ExitCode> read_settings(const RunRequest& request, RunSettings& settings, Console& console) {
  std::optional<ExitCode> failed;
  model::SimulationSettings& simulation = settings.simulation;
  const auto time = [&](std::string_view option, const std::string& text, std::optional<double>& value) {
    return read_option(option, text, Quantity::time, value, console, failed);
  };
  const bool is_read =
      time("--duration", request.duration, simulation.duration) && time("--step", request.step, simulation.step) &&
      read_option("--tolerance", request.tolerance, Quantity::number, simulation.tolerance, console, failed) &&
      time("--max-step", request.max_step, simulation.max_step) &&
      time("--output-every", request.output_every, simulation.output_every) &&
      time("--checkpoint", request.checkpoint, settings.checkpoint_every);
  if (!is_read) return failed;
  if (!request.spectral_radius.empty()) {
    simulation.spectral_radius = parse_number(request.spectral_radius);
    if (!simulation.spectral_radius) {
      return console.fail(ExitCode::usage_error, fmt::format("--spectral-radius needs a number from 0 to 1, not {}",
                                                             shown(request.spectral_radius)));
    }
  }
  if (!request.method.empty()) simulation.method = request.method;
  if (!request.reactions.empty()) simulation.reactions = request.reactions;
  if (!request.partition.empty()) {
    const std::optional<analysis::Partitioning> partition = analysis::partitioning_of_name(request.partition);
    if (!partition) {
      return console.fail(ExitCode::usage_error, fmt::format("there is no partition {}", shown(request.partition)),
                          "--partition auto, model, sealed or none");
    }
    settings.partition = *partition;
  }
  int threads = is_memory_limited() ? 1 : static_cast<int>(std::thread::hardware_concurrency());
  if (!request.threads.empty()) {
    const std::optional<double> given = parse_number(request.threads);
    if (!given || !(*given >= 1.0 && *given <= 4096.0) || *given != std::floor(*given)) {
      return console.fail(ExitCode::usage_error,
                          fmt::format("--threads needs a whole number of at least 1, not {}", shown(request.threads)));
    }
    threads = static_cast<int>(*given);
  }
  set_thread_count(threads);
  return std::nullopt;
}

std::string options_json(const RunRequest& request, const analysis::RunOptions& options,
                         std::optional<double> checkpoint_every, const SealedParts& sealed, const OpenCode& codes) {
  JsonWriter json;
  json.begin_object().member("file", request.model.file);
  analysis::write_options(options, json);
  const auto list = [&](std::string_view key, const std::vector<std::string>& items) {
    json.key(key).begin_array();
    for (const std::string& item : items) json.value(item);
    json.end_array();
  };
  list("set", request.model.settings);
  list("start", request.overrides.starts);
  list("drive", request.overrides.drives);
  json.member("gravity", request.overrides.gravity);
  list("record", request.record);
  json.member("keepWelds", request.keep_welds).member("startTime", options.start_time);
  if (request.at_rest) json.member("atRest", true);
  json.member("checkpointEvery", checkpoint_every.value_or(0.0));
  if (!sealed.is_empty()) {
    json.key("components");
    sealed.write(json);
  }
  if (!codes.is_empty()) {
    json.key("codes");
    codes.write(json);
  }
  return json.end_object().take();
}

std::optional<KeptOptions> options_from_json(std::string_view text, std::string& error) {
  const std::optional<JsonValue> json = read_json(text, error);
  if (!json) return std::nullopt;
  std::optional<analysis::RunOptions> options = analysis::read_options(*json, error);
  if (!options) return std::nullopt;
  KeptOptions result{*std::move(options), {}};
  const double every = json->number_or("checkpointEvery", 0.0);
  if (every > 0.0) result.checkpoint_every = every;
  return result;
}

}  // namespace gelenk::app
