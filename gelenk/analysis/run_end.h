#pragma once

#include "gelenk/analysis/simulate.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {

// A run that ends because a component or code in C has failed, or because there is no memory left.
void note_failure(const system::System& system, const subsystem::Failure& failure, RunResult& result);
void note_shortage(RunResult& result);

}  // namespace gelenk::analysis
