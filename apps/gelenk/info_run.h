#pragma once

#include <string>

#include "apps/gelenk/console.h"

namespace gelenk::app {

struct RunInfoRequest {
  std::string file;
  bool with_channels = false;     // list them
  bool with_certificate = false;  // print it, as JSON
};

// `gelenk info` for a file of results: model, status, verdict, time span, what is recorded.
ExitCode show_run_info(const RunInfoRequest& request, Console& console);

}  // namespace gelenk::app
