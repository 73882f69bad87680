#pragma once

#include "apps/gelenk/analyze.h"

namespace gelenk::app {

// `gelenk analyze linearize`: A, B, C, D about a pose of rest, and how outputs answer to inputs.
ExitCode analyze_linearize(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                           Console& console);

}  // namespace gelenk::app
