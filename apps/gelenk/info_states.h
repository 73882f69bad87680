#pragma once

#include "apps/gelenk/model_input.h"

namespace gelenk::app {

// What a run of a model integrates and remembers, a line for each.
ExitCode show_states(const ModelRequest& request, Console& console);

}  // namespace gelenk::app
