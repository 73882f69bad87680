#pragma once

#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"

namespace gelenk {

// Writes a value that was read, as a value of the JSON that is being written.
void write_json(JsonWriter& json, const JsonValue& value);

}  // namespace gelenk
