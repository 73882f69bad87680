#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gelenk/base/sandboxed_work.h"

namespace gelenk::cad {

// What was to be done.
struct CadTask {
  std::string file;
  std::string_view verb;   // "imported": what cannot be done with the file
  std::size_t memory = 0;  // that it may have, bytes
};

struct CadTrouble {
  std::string message, hint;
};

// Why the process in the sandbox did not come to its end: how it ended, where it was, and what to try.
CadTrouble trouble_of(const SandboxedEnd& end, const CadTask& task);
// It came to its end, but what it returned is not what such a process returns.
CadTrouble nonsense_from(const CadTask& task);

}  // namespace gelenk::cad
