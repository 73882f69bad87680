#pragma once

#include <optional>

#include "apps/gelenk/console.h"
#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/linear/equilibrium.h"

namespace gelenk::app {

// Where a machine rests under its loads. Nothing when that is not known or not possible: then the exit code is set, and
// the console says why and what to try.
std::optional<analysis::Equilibrium> find_rest(const system::System& system, const system::Params& params,
                                               const analysis::Assembly& assembly, Console& console, ExitCode& code);
// The start pose with all velocities zero, likewise.
std::optional<analysis::Equilibrium> hold_start(const system::System& system, const system::Params& params,
                                                const analysis::Assembly& assembly, Console& console, ExitCode& code);

// What has derivatives here: machines without sealed components, code in C, contacts, and nodes that flow.
std::optional<ExitCode> refuse_unknown_insides(const system::System& system, Console& console);

}  // namespace gelenk::app
