#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gelenk/cad/import_memory.h"

namespace gelenk::cad {

// What an update found out, beside what two reports show when they are compared.
struct UpdateFindings {
  std::vector<std::pair<std::string, std::string>> renamed;  // parts: old and new path
  std::vector<std::string> kept_joints;                      // found again by their surfaces only
  // Sentences about what a person should look at: frames whose surface is gone, joints that sit on another one.
  std::vector<std::string> doubts;
};

// Goes on from an earlier import: frames keep their names and sit on the surfaces on which they sat before; joints
// whose surfaces are there but no longer in line as drawn are kept, unless the file says its joints itself. Call it
// when the joints of the new drawing are known, and before anything is held.
UpdateFindings go_on_from(const ImportMemory& memory, bool says_joints, StepContent& content);

}  // namespace gelenk::cad
