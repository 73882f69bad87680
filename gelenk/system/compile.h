#pragma once

#include <optional>

#include "gelenk/base/diagnostics.h"
#include "gelenk/system/system.h"

namespace gelenk::system {

struct CompileOptions {
  bool merge_welded = true;  // parts fixed to each other, or to the ground, inside one assembly become one body
};

// Structure of the machine. What cannot be simulated is said in the diagnostics, by element: then there is no result.
std::optional<System> compile(const model::Machine& machine, const CompileOptions& options, Diagnostics& diagnostics);

// All numbers, from a machine of the same structure (other parameter values).
Params make_params(const System& system, const model::Machine& machine);
// Whether make_params() can be used with this machine.
bool has_same_structure(const System& system, const model::Machine& machine);

// Parts where they are drawn, at rest; tracked angles as drawn.
State drawn_state(const System& system, const Params& params);

}  // namespace gelenk::system
