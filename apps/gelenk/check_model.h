#pragma once

#include <string>
#include <vector>

#include "apps/gelenk/model_input.h"

namespace gelenk::app {

struct CheckRequest {
  ModelRequest model;
  bool details = false;
  bool components = false;
  bool parts = false;               // what each part weighs
  std::vector<std::string> sweeps;  // drivers or coordinates to be led as far as they go
  bool has_view = false;            // the model is shown afterwards, its errors in place
  bool without_browser = false;     // the user opens it himself
};

void add_check_options(Options& options, CheckRequest& request);
// Diagnostics to stderr, then, when there are no errors, the summary to stdout.
ExitCode check_model(const CheckRequest& request, Console& console);

}  // namespace gelenk::app
