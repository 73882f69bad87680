#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/source.h"

namespace gelenk {

// A parsed text document: scalars, lists and maps, each with the place where it was written. No types are guessed:
// a scalar is its text. Produced by readers within fixed bounds, so that walking it recursively is safe.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  struct Entry;

  Kind kind = Kind::null;
  bool quoted = false;  // scalar in quotes or a block scalar: always text
  bool flow = false;    // list or map in [ ] or { }
  std::string text;     // of a scalar, unescaped
  std::vector<Node> items;
  std::vector<Entry> entries;  // in written order, keys unique
  // From the first to behind the last character of the value, brackets and quotes included.
  SourceRange range;

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
  bool is_null() const { return kind == Kind::null; }

  // The entry of a map with this key, or null.
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
};

struct Node::Entry {
  std::string key;
  SourceRange key_range;
  Node value;
};

// "a map", "a list", "text", "nothing"
std::string_view kind_name(Node::Kind kind);
// Same content, wherever it was written.
bool same_content(const Node& a, const Node& b);

}  // namespace gelenk
