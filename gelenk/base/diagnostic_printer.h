#pragma once

#include <string>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/json.h"
#include "gelenk/base/source.h"

namespace gelenk {

struct PrintOptions {
  bool color = false;  // ANSI escape sequences, for terminals only
};

// All diagnostics, sorted, for people: place, what is wrong, the source line and a mark under the range. Columns count
// code points. Whatever stands in the source or in a file name, no control character reaches the terminal.
//
//   model.yaml:9:52: error: joint 'crank_pin': there is no frame 'rodd' [GK1301]
//      9 |   crank_pin: {type: revolute, between: [crank.pin, rodd], axis: z}
//        |                                                    ^~~~ did you mean 'rod'?
std::string print_diagnostics(const Diagnostics& diagnostics, const SourceMap& sources,
                              const PrintOptions& options = {});

// The last line: "2 errors, 1 warning", and whether some are not shown; empty when all is well.
std::string diagnostic_counts(const Diagnostics& diagnostics);

// One array of objects shaped like the Diagnostic of the Language Server Protocol: lines and characters count from 0,
// characters are UTF-16 units, `severity` is 1 (error) or 2 (warning). In place of the document's URI stands `file`, as
// in the text form, empty when there is no place; `element`, `elementKind` and `hint` are ours.
void write_diagnostics_json(JsonWriter& json, const Diagnostics& diagnostics, const SourceMap& sources);

}  // namespace gelenk
