#pragma once

#include <string>

#include "apps/gelenk/model_input.h"
#include "gelenk/results/run_info.h"

namespace gelenk::app {

// What a results file says about its model, and how it was made: `options` as JSON.
results::RunInfo run_info(const ModelInput& input, std::string options, std::size_t expected_rows);

}  // namespace gelenk::app
