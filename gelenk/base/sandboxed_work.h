#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/child_process.h"

// Work on untrusted input, by code that may crash on it or be led astray.
namespace gelenk {

// What is done now, kept where it outlives a crash: "#843 = ADVANCED_FACE".
class Whereabouts {
 public:
  static constexpr std::size_t kMostBytes = 200;

  explicit Whereabouts(char* text) : text_(text) {}
  // The beginning of it, when it is long.
  void be_at(std::string_view place) const;

 private:
  char* text_;
};

struct SandboxedOrder {
  std::vector<std::string> readable;  // files and folders
  std::size_t memory = 0;             // bytes beyond what this process has; 0: any
  double seconds = 0.0;               // of the processor; 0: any
  bool keeps_files = false;           // what this process has open is open in the copy, too
  bool is_silent = false;             // what libraries print before they crash is for nobody
};

struct SandboxedEnd {
  std::optional<std::string> result;  // nothing: it did not come to its end
  ProcessEnd end{};                   // how the process ended then
  std::string reason;                 // why there is no process at all; else empty
  std::string place;                  // where it was; empty: nobody said
  bool lacked_memory = false;
  bool ran_out_of_time = false;
  std::string missing;  // what the system does not offer of the sandbox
};

// Does the work in a copy of this process, in the sandbox for readers (sandbox.h), and waits for what it returns. The
// copy dies with this thread, whatever that dies of. Other threads may go on; of what they have locked only the memory
// of the C library can be used in the copy.
SandboxedEnd run_sandboxed(const SandboxedOrder& order, const std::function<std::string(const Whereabouts&)>& work);

}  // namespace gelenk
