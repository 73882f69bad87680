#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/model/model.h"

namespace gelenk::model {

// Something with a name.
struct ElementAddress {
  std::string definition;  // where it is written: Definition::name
  std::string section;     // "parts", "joints" ...; empty: the definition itself
  std::string name;
  std::string owner{};  // of a frame: its part, or "ground"; empty for a frame of the assembly

  friend bool operator==(const ElementAddress&, const ElementAddress&) = default;
};

// "parts.crank.frames.pin"; outside the root "definitions.corner.parts.arm".
std::string path_of(const Model& model, const ElementAddress& address);
// Null when there is none.
const Object* find_element(const Model& model, const ElementAddress& address);
Object* find_element(Model& model, const ElementAddress& address);
// Every element of the model, in the order of the files.
std::vector<ElementAddress> list_elements(const Model& model);
// Whether names of this section are shared with other sections of the assembly, so that paths are unique.
bool shares_names(std::string_view section);

// The object of this name; null when there is none.
const Object* find_named(const std::vector<Object>& objects, std::string_view name);

// Sections whose names are shared, so that paths are unique: parameters, frames, parts, joints ...
std::span<const std::string_view> sections_sharing_names();

}  // namespace gelenk::model
