#pragma once

#include <string>

#include "gelenk/analysis/machine/problem.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/base/diagnostics.h"

namespace gelenk::analysis {

// Path of the force, driver or output whose formula a signal is.
std::string element_of_signal(const system::System& system, std::int32_t signal);
// Of a formula that does something between these times which a step did not see.
std::string hidden_law_text(const system::System& system, std::int32_t signal, double from, double to);

// Of a run that ended in chattering: the element whose law switches, by its signal.
Diagnostic explain_chattering(const system::System& system, std::int32_t signal, double time);

// Why a run ended early: which element, when, what to try. The current state of the problem is the last good one.
Diagnostic explain_failure(const system::System& system, const system::Params& params, MachineProblem& problem,
                           integrate::Failure failure, double time, const RunOptions& options);

}  // namespace gelenk::analysis
