#pragma once

#include <string>
#include <vector>

#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"

namespace gelenk::app {

// Something that an update of an imported model has changed.
struct ImportChange {
  std::string what;     // "added", "removed", "renamed", "changed", "kept", "look"
  std::string element;  // "part", "joint"; empty for what is said in a sentence
  std::string name;
  std::string text;  // "mass 1.2 -> 1.35 kg, moved by 12 mm"; or the sentence
};

// Between the reports of two imports, parts before joints, and what the second one was not sure of at the end.
std::vector<ImportChange> import_changes(const JsonValue& before, const JsonValue& after);
// A line for each, cut when there are many.
std::string changes_text(const std::vector<ImportChange>& changes);
void write_changes(JsonWriter& json, const std::vector<ImportChange>& changes);

}  // namespace gelenk::app
