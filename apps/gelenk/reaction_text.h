#pragma once

#include <string>

#include "gelenk/analysis/shared_reactions.h"
#include "gelenk/base/json.h"

namespace gelenk::app {

// Which reactions are unique in the pose that was looked at, in a line or two; with details, every joint.
std::string reactions_text(const system::System& system, const analysis::SharedDirections& shared, bool details);
void write_reactions_json(JsonWriter& json, const system::System& system, const analysis::SharedDirections& shared);

}  // namespace gelenk::app
