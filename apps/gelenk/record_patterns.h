#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/gelenk/console.h"
#include "gelenk/model/machine.h"

namespace gelenk::app {

// A pattern of --record that fits no channel of the machine is a mistake: said as a usage error, with what may have
// been meant.
std::optional<ExitCode> check_record_patterns(const std::vector<std::string>& patterns, const model::Machine& machine,
                                              Console& console);

}  // namespace gelenk::app
