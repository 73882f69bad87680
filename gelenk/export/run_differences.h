#pragma once

#include <string>
#include <vector>

#include "gelenk/results/reader.h"

namespace gelenk::exporting {

// Something that was put into two runs and is not the same. Texts are as written, empty where there is none;
// of two amounts in different units, the one in SI is shown in the unit of the other.
struct RunDifference {
  std::string name;  // "crank_length", "parts.piston.mass", "start main_bearing.rate", "method"
  std::string a, b;
};

// Parameters first, as they are after --set; then the rest of the models; then options of the runs.
std::vector<RunDifference> run_differences(const results::RunHeader& a, const results::RunHeader& b);

}  // namespace gelenk::exporting
