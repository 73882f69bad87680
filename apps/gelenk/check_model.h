#pragma once

#include "apps/gelenk/model_input.h"

namespace gelenk::app {

struct CheckRequest {
  ModelRequest model;
  bool details = false;
  bool components = false;
};

void add_check_options(Options& options, CheckRequest& request);
// Diagnostics to stderr, then, when there are no errors, the summary to stdout.
ExitCode check_model(const CheckRequest& request, Console& console);

}  // namespace gelenk::app
