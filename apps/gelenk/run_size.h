#pragma once

#include <optional>
#include <string>

#include "apps/gelenk/run_output.h"
#include "gelenk/analysis/run_options.h"
#include "gelenk/results/layout.h"

namespace gelenk::app {

// How large a run will be. Of methods that choose their steps themselves, the fewest steps.
struct RunSize {
  double steps = 0.0, rows = 0.0, bytes = 0.0;
};
RunSize run_size(const analysis::RunOptions& options, const results::Layout& layout);
// "5e+12 rows and 4.1e+06 GB of results, 5e+03 steps at least"
std::string size_text(const RunSize& size, const analysis::RunOptions& options);

// Why such a run is not begun, or nothing: its times would not differ from each other, or, unless it is `wanted`, it
// would not end in anybody's lifetime.
std::optional<Refusal> refuse_size(const RunSize& size, const analysis::RunOptions& options, bool is_wanted);

// That the disk has no room for the results, as a sentence; empty: it has.
std::string disk_warning(const RunSize& size, const std::string& file);

}  // namespace gelenk::app
