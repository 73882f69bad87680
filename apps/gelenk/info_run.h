#pragma once

#include <string>

#include "apps/gelenk/console.h"

namespace gelenk::app {

// `gelenk info` for a file of results: model, status, time span, what is recorded.
ExitCode show_run_info(const std::string& file, bool with_channels, Console& console);

}  // namespace gelenk::app
