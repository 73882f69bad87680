#pragma once

#include <functional>

#include "gelenk/analysis/certify.h"
#include "gelenk/results/run_info.h"

namespace gelenk::app {

// The certificate of a run of this program. `info` is what its file says.
results::Certificate certificate_of(const model::Machine& machine, const system::System& system,
                                    const system::Params& params, const analysis::Assembly& assembly,
                                    const analysis::RunOptions& options, const analysis::RunResult& result,
                                    const results::RunInfo& info, analysis::StepAccuracy accuracy,
                                    std::function<double()> seen_size);

}  // namespace gelenk::app
