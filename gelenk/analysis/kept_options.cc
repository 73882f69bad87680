#include "gelenk/analysis/kept_options.h"

namespace gelenk::analysis {

void write_options(const RunOptions& options, JsonWriter& json) {
  json.member("method", method_name(options.method));
  json.member("methodReason", options.method_reason).member("isDefault", options.is_default);
  json.member("duration", options.duration).member("output_every", options.output_every);
  json.member("partition", partitioning_name(options.partition));
  json.member("reactions", split_name(options.split));
  if (options.is_adaptive()) {
    json.member("tolerance", options.tolerance).member("max_step", options.max_step);
  } else {
    json.member("step", options.step);
  }
  if (options.method == integrate::Method::generalized_alpha) json.member("spectral_radius", options.spectral_radius);
}

std::optional<RunOptions> read_options(const JsonValue& json, std::string& error) {
  RunOptions options;
  const std::optional<integrate::Method> method = method_of_name(json.text_or("method", ""));
  options.start_time = json.number_or("startTime", 0.0);
  options.duration = json.number_or("duration", 0.0);
  options.output_every = json.number_or("output_every", 0.0);
  options.step = json.number_or("step", 0.0);
  options.tolerance = json.number_or("tolerance", options.tolerance);
  options.max_step = json.number_or("max_step", 0.0);
  options.spectral_radius = json.number_or("spectral_radius", options.spectral_radius);
  options.method_reason = json.text_or("methodReason", "");
  options.partition = partitioning_of_name(json.text_or("partition", "auto")).value_or(Partitioning::automatic);
  options.split = split_of_name(json.text_or("reactions", "by_mass")).value_or(ReactionSplit::by_mass);
  options.is_default = json.truth_or("isDefault", false);
  if (!method || !(options.duration > 0.0) || !(options.output_every > 0.0)) {
    error = "its options are not complete";
    return std::nullopt;
  }
  options.method = *method;
  if (!options.is_adaptive() && !(options.step > 0.0)) {
    error = "its options have no step";
    return std::nullopt;
  }
  return options;
}

}  // namespace gelenk::analysis
