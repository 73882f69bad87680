#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/verb.h"
#include "gelenk/model/machine.h"

namespace gelenk::app {

// What a run may change of a machine without touching its file.
struct MachineOverrides {
  std::vector<std::string> starts;  // "main_bearing.rate=1.96"
  std::vector<std::string> drives;  // "main_bearing=60 rpm", "slide.travel=10 mm"
  std::string gravity;              // "none", "earth", "0, 0, -9.81"
};

// --start, --drive and --gravity
void add_override_options(Options& options, MachineOverrides& overrides);

// Says what is wrong as a usage error.
std::optional<ExitCode> apply_overrides(const MachineOverrides& overrides, model::Machine& machine, Console& console);
// Numbers without a unit where the machine shows another one than SI.
void warn_about_bare_overrides(const MachineOverrides& overrides, model::Machine& machine, Console& console);

}  // namespace gelenk::app
