#pragma once

#include <optional>
#include <span>
#include <string>

#include "gelenk/analysis/assemble.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/analysis/sealed_mounting.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {

// The start of a machine with sealed components, which are mounted: they have assembled themselves as they are drawn,
// and here they come together with the parts of their owner. Start values of joints are led to, start velocities of
// parts and joints are met by the least change of all others; nobody can ask an inside to stand still, so that what is
// not given may move where open machines would rest.
std::optional<Assembly> assemble_with_sealed(const system::System& system, const system::Params& params,
                                             const model::Machine& machine, const MountingOptions& options,
                                             std::span<subsystem::Subsystem* const> subsystems,
                                             Diagnostics& diagnostics);

// Decides what was left open, for a machine with sealed components. Returns what they cannot do, as a sentence.
std::string decide_for_sealed(const system::Params& params, RunOptions& options);

}  // namespace gelenk::analysis
