#pragma once

#include <string>

#include "gelenk/system/system.h"

namespace gelenk::analysis {

// Where a machine went that started on a singular pose, and why, as a sentence: its joints leave more than one way.
// `now`: where the joints decide again.
std::string taken_branch(const system::System& system, const system::Params& params, const system::State& start,
                         const system::State& now);

}  // namespace gelenk::analysis
