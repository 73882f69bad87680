#pragma once

#include <string>

#include "gelenk/base/json.h"
#include "gelenk/model/machine.h"

namespace gelenk::app {

// Mass, center, inertia, volume and surface of every part.
std::string parts_text(const model::Machine& machine);
void write_parts_json(JsonWriter& json, const model::Machine& machine);

}  // namespace gelenk::app
