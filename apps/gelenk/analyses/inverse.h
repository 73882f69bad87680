#pragma once

#include "apps/gelenk/analyze.h"

namespace gelenk::app {

// `gelenk analyze inverse`: what drives must do for a motion.
ExitCode analyze_inverse(const AnalyzeRequest& request, ModelInput& input, const AssembledMachine& machine,
                         Console& console);

}  // namespace gelenk::app
