#pragma once

#include <string>
#include <string_view>

#include "gelenk/base/document.h"

namespace gelenk::formats {

// Edits of a document's text at the place where something stands; every other byte stays: comments, order, odd blanks,
// line ends. `text` is the text the node was parsed from. Each returns the new text; ranges of the old tree are then
// void, so parse again before the next edit.

// Puts a value of one line (see flow_text) in the place of another. A block of several lines is pulled up behind its
// key.
std::string replace_value(std::string_view text, const Node& value, std::string_view new_flow_text);

// Appends `key: value` to a map in the map's own style. A null value becomes a map.
std::string insert_entry(std::string_view text, const Node& map, std::string_view key, std::string_view value_text);

// Takes an entry out, in block style with its lines and the comment behind it; comments above stay. The last entry
// leaves {}. The text stays as it is when there is no such key.
std::string remove_entry(std::string_view text, const Node& map, std::string_view key);

std::string rename_key(std::string_view text, const Node::Entry& entry, std::string_view new_key);

}  // namespace gelenk::formats
