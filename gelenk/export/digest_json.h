#pragma once

#include "gelenk/base/json.h"
#include "gelenk/export/run_digest.h"

namespace gelenk::exporting {

// The members of an object: everything that a report shows but the curves, SI. What was not recorded is null.
void write_digest(JsonWriter& json, const RunDigest& digest);
// {"count": ..., "min": {"value", "time"}, ...}, or null when it is empty.
void write_summary(JsonWriter& json, const Summary& summary);

}  // namespace gelenk::exporting
