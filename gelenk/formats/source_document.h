#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/document.h"
#include "gelenk/base/source.h"
#include "gelenk/formats/yaml_reader.h"

// Finding in the text what was found in a model, and changing it there.
namespace gelenk::formats {

// Keys and list positions that lead from the root of a document to a value.
using NodePath = std::vector<std::string>;

// How far a path leads: the value, and the number of its steps that were taken.
struct NodeWalk {
  const Node* node = nullptr;
  std::size_t steps = 0;
};
NodeWalk walk(const Node& root, const NodePath& path);

// The files of a loaded model as documents.
class SourceDocuments {
 public:
  explicit SourceDocuments(const SourceMap& sources);

  // The same place in the first copy of the file: a file that is used twice is also read twice.
  SourceRange first_copy(SourceRange range) const;
  // Null when the file is not known or no document.
  const Node* document(std::int32_t file) const;
  // The path to the value, or to the value of the key, that stands at exactly this place.
  std::optional<NodePath> find_value(const SourceRange& range) const;
  std::optional<NodePath> find_key(const SourceRange& range) const;

 private:
  std::vector<std::int32_t> first_copies_;
  std::map<std::int32_t, Node> documents_;
};

// A value in one line: as JSON when the file is JSON, else in the flow form of YAML.
std::string value_text(const Node& value, bool is_json);

// Texts of one file while it is being edited. The values are found anew in every step.
struct EditedText {
  std::string text;
  bool is_json = false;

  // Puts a value at `place` followed by `rest`; what is missing on the way is made. A value written short (`k: 5 N/m`)
  // becomes a map under its `shorthand` key when another key is wanted. False when something on the way is no map.
  bool assign(const NodePath& place, const NodePath& rest, std::string_view shorthand, const Node& value);
  // Takes an entry out of its map. False when it is in no map.
  bool remove(const NodePath& entry);

 private:
  std::optional<Node> parse() const;
  void insert(const NodePath& place, const NodePath& rest, const Node& value);
};

}  // namespace gelenk::formats
