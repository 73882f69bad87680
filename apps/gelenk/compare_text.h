#pragma once

#include <string>
#include <vector>

#include "gelenk/export/run_comparison.h"
#include "gelenk/export/run_differences.h"
#include "gelenk/results/reader.h"

namespace gelenk::app {

// Everything that `gelenk compare` has found out.
struct ComparedRuns {
  const results::Reader* a = nullptr;
  const results::Reader* b = nullptr;
  std::vector<exporting::RunDifference> differences;
  exporting::RunComparison comparison;
  std::vector<bool> is_within;              // of each change
  bool has_tolerance = false;               // somebody said what may differ
  std::vector<std::string> only_a, only_b;  // channels
  bool is_different = false;                // the verdict
};

std::string compared_text(const ComparedRuns& runs, bool si_units);
std::string compared_json(const ComparedRuns& runs, int exit_code);

}  // namespace gelenk::app
