#pragma once

#include <string>

#include "gelenk/base/json.h"
#include "gelenk/system/system.h"

namespace gelenk::app {

// How the solver divides a machine: the tree of its components with sizes, borders, loops and operations, and which
// division is used. For `gelenk check --components`.
std::string components_text(const system::System& system, const system::Params& params);
void write_components_json(JsonWriter& json, const system::System& system, const system::Params& params);

}  // namespace gelenk::app
