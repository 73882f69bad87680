#pragma once

#include "gelenk/analysis/run_options.h"
#include "gelenk/integrate/integrator.h"

namespace gelenk::analysis {

// The options of a run, as the integrator takes them.
integrate::Options integrator_options(const RunOptions& options);
// The same without an end. Steps are as long as in a run of its duration.
RunOptions endless(RunOptions options);
// Of the error of a step. That of a fixed-step method is never asked for, but must be a number.
double error_weight(const RunOptions& options);
// Whether stability bounds the steps of the method.
bool is_explicit(integrate::Method method);

}  // namespace gelenk::analysis
