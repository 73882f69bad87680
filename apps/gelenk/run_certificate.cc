#include "apps/gelenk/run_certificate.h"

#include <fmt/format.h>

#include <utility>

namespace gelenk::app {

results::Certificate certificate_of(const model::Machine& machine, const system::System& system,
                                    const system::Params& params, const analysis::Assembly& assembly,
                                    const analysis::RunOptions& options, const analysis::RunResult& result,
                                    const results::RunInfo& info, analysis::StepAccuracy accuracy,
                                    std::function<double()> seen_size) {
  return analysis::certify({.machine = machine,
                            .system = system,
                            .params = params,
                            .assembly = assembly,
                            .options = options,
                            .result = result,
                            .resolved_model = info.resolved_model,
                            .option_text = info.options,
                            .program_version = info.program_version,
                            .build = fmt::format("{} {}", GELENK_COMPILER, GELENK_BUILD_TYPE),
                            .seen_size = std::move(seen_size)},
                           std::move(accuracy));
}

}  // namespace gelenk::app
