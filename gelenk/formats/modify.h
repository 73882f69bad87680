#pragma once

#include <string>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"

namespace gelenk::formats {

// Applies `modify:` to the document of an assembly or file: paths such as `joints.crank_pin` or
// `parts.crank.frames.pin` lead to a value that is changed key by key (maps) or replaced (anything else). A path
// through an entry of `assemblies:` is handed on to that instance's own `modify:`.
void apply_modifications(Node& document, const Node& modifications, Diagnostics& diagnostics);

// Puts the contents of a user's file onto those of the file it uses: sections are united, other keys replaced.
// The same name in both is an error that points to `modify:`.
void merge_onto(Node& base, const Node& own, Diagnostics& diagnostics);

}  // namespace gelenk::formats
