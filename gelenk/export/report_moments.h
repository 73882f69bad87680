#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/export/report_words.h"

namespace gelenk::exporting {

// A time at which a report shows the machine.
struct ReportMoment {
  std::string name;  // "start", "worst"
  double time = 0.0;
  std::string caption;
  std::optional<std::size_t> load;  // of RunDigest::loads, whose force is the reason
};

// The start; then the worst moment: that of the largest force on a joint. Where joints carry none, that of the largest
// effort of a driver or an actuator, or else that at which a part is fastest. Only the start, when nothing happens.
std::vector<ReportMoment> report_moments(const RunDigest& digest, const ReportWords& words);

}  // namespace gelenk::exporting
