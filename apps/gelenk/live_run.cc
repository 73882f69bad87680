#include "apps/gelenk/live_run.h"

#include <cstdlib>
#include <string>

#include "gelenk/base/child_process.h"

namespace gelenk::app {

std::optional<ExitCode> LiveRun::attach(std::optional<LiveRun>& run, Console& console) {
  if (std::getenv(kVariable) == nullptr) return std::nullopt;
  std::string error;
  std::optional<view::LiveControl> control = view::LiveControl::attach(Descriptor(kFirstGivenDescriptor), error);
  if (!control) return console.fail(ExitCode::file_error, error);
  run = LiveRun(*std::move(control));
  return std::nullopt;
}

}  // namespace gelenk::app
