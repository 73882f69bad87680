#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/formats/source_document.h"
#include "gelenk/model/element_address.h"

// The paths of edits: `joints.crank_pin.axis`, `definitions.corner.parts.arm`, `crank_pin`.
namespace gelenk::formats {

struct EditPath {
  const model::Definition* definition = nullptr;
  std::vector<std::string> keys;  // from the definition on; empty: the definition itself
  std::string text;               // as it was given

  // The element that the path leads to or through, whether it exists or not, and how many keys name it.
  std::optional<model::ElementAddress> element(std::size_t& key_count) const;
  // The element that the path leads to; nothing when it leads to a key.
  std::optional<model::ElementAddress> exact_element() const;
};

// Finds out which definition a path means and completes bare names. Reports paths that cannot mean anything.
std::optional<EditPath> resolve_edit_path(const LoadedModel& loaded, const std::string& path, Diagnostics& diagnostics);

// Where a path leads in the text: the deepest value on its way that is written, and what is missing from there.
// Values changed by `modify:` are found where they were changed.
struct TextPlace {
  std::int32_t file = -1;
  NodePath place;
  NodePath rest;
  std::string_view shorthand;  // of the value at `place`, when it is an element that can be written short
};
std::optional<TextPlace> find_place(const EditPath& path, const SourceDocuments& documents);

// Where a new element belongs: in the part or instance that holds it, else in the file or definition of the path, even
// when the section as such comes from a file that is used.
std::optional<TextPlace> find_place_for_new(const EditPath& path, const SourceDocuments& documents);

}  // namespace gelenk::formats
