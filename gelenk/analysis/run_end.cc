#include "gelenk/analysis/run_end.h"

#include <fmt/format.h>

#include "gelenk/base/memory_guard.h"
#include "gelenk/base/text.h"

namespace gelenk::analysis {

void note_failure(const system::System& system, const subsystem::Failure& failure, RunResult& result) {
  result.status = results::RunStatus::failed;
  result.has_component_failed = true;
  Diagnostic& found = result.failure.emplace();
  found.code = Code::component_failed;
  found.message = fmt::format("{}, at {} s", failure.what(), format_rounded(result.time, 9));
  found.hint = system.sealed.empty()
                   ? "results so far are kept; correct the C file of this code, then run it again"
                   : "results so far are kept; send this message and the version to the maker of the component";
}

void note_shortage(RunResult& result) {
  result.status = results::RunStatus::failed;
  result.file_error = memory_shortage();
}

}  // namespace gelenk::analysis
