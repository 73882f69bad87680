#include "gelenk/analysis/code_outcome.h"

#include <fmt/format.h>

#include "gelenk/subsystem/subsystem.h"

namespace gelenk::analysis {
namespace {

std::string subject(const system::NativeCode& code) {
  return code.path.empty() ? "its code" : fmt::format("the code '{}'", code.path);
}

}  // namespace

bool has_code_answered(const system::System& system, const mechanics::Workspace& workspace, std::string* trouble) {
  for (std::size_t c = 0; c < system.codes.size(); ++c) {
    const system::NativeCode& code = system.codes[c];
    switch (workspace.codes[c].outcome) {
      case system::CodeOutcome::good:
        continue;
      case system::CodeOutcome::no_answer:
        if (!code.function) throw subsystem::Failure(subject(code) + " is missing");
        if (trouble != nullptr) *trouble = subject(code) + " returned no result";
        return false;
      case system::CodeOutcome::broken_numbers:
        throw subsystem::Failure(subject(code) + " returns values that are not finite");
    }
  }
  return true;
}

}  // namespace gelenk::analysis
