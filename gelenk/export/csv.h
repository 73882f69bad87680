#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/results/choose.h"
#include "gelenk/results/reader.h"

namespace gelenk::exporting {

struct CsvOptions {
  bool display_units = false;  // those of the model's `display:` instead of SI
};

// Takes the next piece of text; false stops the export.
using Sink = std::function<bool(std::string_view)>;

// Time and the given channels as comma-separated values: a line with names and units, `piston.position.x [m]`, then one
// line for each row, numbers with a decimal point and as many digits as it takes to get the same double back. Never
// holds more than a few megabytes. Returns what went wrong; nothing also when the sink has stopped it.
std::string write_csv(const results::Reader& reader, const std::vector<results::ChannelSource>& channels,
                      const CsvOptions& options, const Sink& sink);

}  // namespace gelenk::exporting
