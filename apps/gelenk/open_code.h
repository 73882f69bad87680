#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/component/code_host.h"
#include "gelenk/model/machine.h"
#include "gelenk/system/system.h"

namespace gelenk::app {

// The C code of an open model: compiled once for each file, and at work in a sandboxed process, or in this one where
// the user trusts it. Sections with the same file share both: code is a pure function.
class OpenCode {
 public:
  struct Trust {
    bool runs_here = false;             // --trust-code
    bool runs_without_sandbox = false;  // --trust-once
  };
  explicit OpenCode(Trust trust) : trust_(trust) {}

  // Compiles the files that sections name, and starts them. What is wrong is in the diagnostics.
  void start(const model::Machine& machine, const system::System& system, Diagnostics& diagnostics);
  // Gives the system its functions, which stay as long as this object. A section without a file is an error.
  void give_to(const model::Machine& machine, system::System& system, Diagnostics& diagnostics) const;
  // One of them broke when it was started; the diagnostics say how.
  bool has_failed() const { return has_failed_; }

  // For the books of a run: which section, from which file.
  bool is_empty() const { return used_.empty(); }
  void write(JsonWriter& json) const;
  // What is not as it was when the books were written, in a sentence, or nothing.
  std::string compare(const JsonValue& books) const;

 private:
  struct Library {
    std::string identity;  // CompiledCode::identity
    std::shared_ptr<component::CodeHost> host;
  };
  struct Used {
    std::string path, source, identity;
  };
  const Library* library_of(const model::CodeNode& node, Diagnostics& diagnostics);

  Trust trust_;
  bool has_failed_ = false;
  std::map<std::string, Library> libraries_;  // by file; without a host: it could not be made, which is reported
  std::vector<Used> used_;                    // in the order of the sections that name a file
};

}  // namespace gelenk::app
