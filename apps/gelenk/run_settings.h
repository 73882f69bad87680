#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/gelenk/open_code.h"
#include "apps/gelenk/run_model.h"
#include "gelenk/analysis/run_options.h"

// How to simulate, as the command line says it and as a file of results keeps it.
namespace gelenk::app {

// Numbers and units of the options. A usage error when one is not understood.
struct RunSettings {
  model::SimulationSettings simulation;
  std::optional<double> checkpoint_every;  // s
  analysis::Partitioning partition = analysis::Partitioning::automatic;
};
std::optional<ExitCode> read_settings(const RunRequest& request, RunSettings& settings, Console& console);

// What is kept in the file of results, as JSON: enough to make the same run again.
std::string options_json(const RunRequest& request, const analysis::RunOptions& options,
                         std::optional<double> checkpoint_every, const SealedParts& sealed, const OpenCode& codes);

struct KeptOptions {
  analysis::RunOptions options;
  std::optional<double> checkpoint_every;
};
// Nothing, and a sentence in `error`, when the text is damaged.
std::optional<KeptOptions> options_from_json(std::string_view text, std::string& error);

}  // namespace gelenk::app
