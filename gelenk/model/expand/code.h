#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/signals.h"

// The section `code:` of the root: what forces and states that are written in C see and say.
namespace gelenk::model::expanding {

// For Machine::code: everything but what depends on other elements. Code of other instances is refused.
std::optional<CodeNode> declared_code(Instances& instances, Numbers& numbers, Diagnostics& diagnostics);
// Frames and inputs of `code`.
void bind_code(Instance& root, Places& places, Signals& signals, CodeNode& code, Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
