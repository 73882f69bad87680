#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/model/machine.h"

namespace gelenk::app {

struct StepExport {
  ExitCode code = ExitCode::ok;
  std::string message;             // when it is not ok
  std::vector<std::string> notes;  // what is not in the file, sentences
};

// Writes the machine in a pose, X_WP of each part, as STEP: tree, names and colors kept, parts of imported machines
// with the exact surfaces of their CAD file. Replaces a file that is there.
StepExport export_step(const model::Machine& machine, const model::Model& model, std::span<const Pose> poses,
                       const std::string& path, const Console& console);

}  // namespace gelenk::app
