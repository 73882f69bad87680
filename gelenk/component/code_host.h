#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gelenk/component/code_library.h"
#include "gelenk/component/host.h"

// How an open model reaches its code in C: in the process of the program, or in a sandboxed one, as that of a sealed
// component. Both give the same numbers. Failures are worded so that the name of the code comes before them.
namespace gelenk::component {

class CodeHost {
 public:
  virtual ~CodeHost() = default;
  CodeHost(const CodeHost&) = delete;
  CodeHost& operator=(const CodeHost&) = delete;

  const CodeCounts& counts() const { return counts_; }
  // As many numbers as counts() says. Throws ComponentFailure where the code crashes or does not answer; after that it
  // always does.
  virtual system::CodeOutcome evaluate(const system::CodeCall& call) = 0;

 protected:
  CodeHost() = default;
  CodeCounts counts_;
};

// For code that the user trusts.
std::unique_ptr<CodeHost> code_in_process(std::string_view library);
// For all other code: no files, no network, deadlines for every call.
std::unique_ptr<CodeHost> code_in_worker(std::string_view library, const WorkerLimits& limits = {});

}  // namespace gelenk::component
