#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/places.h"
#include "gelenk/model/expand/signals.h"

// Sections `code:`: what forces and states that are written in C see and return.
namespace gelenk::model::expanding {

// For Machine::codes: everything but what depends on other elements.
std::vector<CodeNode> declared_codes(const Model& model, Instances& instances, Numbers& numbers,
                                     Diagnostics& diagnostics);
// Frames and inputs of all of them.
void bind_codes(Instances& instances, Places& places, Signals& signals, std::vector<CodeNode>& codes,
                Diagnostics& diagnostics);

}  // namespace gelenk::model::expanding
