#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gelenk/formats/step_request.h"
#include "gelenk/model/machine.h"

namespace gelenk::formats {

struct StepTree {
  StepNode root;
  std::vector<std::string> sources;  // CAD files that are needed
  std::vector<std::string> notes;    // what cannot be shown, sentences
};

// The machine as STEP has it: assemblies with their parts, each at its pose X_WP. A part looks like its shapes, or like
// the part of a CAD file that it was imported from; one that has neither is left out, with a note. Assemblies move with
// their first part, so that one that is rigid stays as it was drawn. `is_file` says whether a CAD file is there.
StepTree step_tree(const model::Machine& machine, const model::Model& model, std::span<const Pose> poses,
                   const std::function<bool(const std::string& path)>& is_file);

}  // namespace gelenk::formats
