#pragma once

#include <string>
#include <string_view>

#include "gelenk/base/document.h"

namespace gelenk::formats {

// The document as text that parse_yaml reads back to the same content: block style; short lists and maps of plain
// values in one line; quotes only where the text would not come back as it was, or where the node is marked quoted.
std::string write_yaml(const Node& root);

// A value in one line, safe at any place of a document, also inside brackets.
std::string flow_text(const Node& node);
// One text or key in the same way: `steel`, `"=max(a, b)"`.
std::string flow_scalar(std::string_view text);
std::string flow_key(std::string_view key);

}  // namespace gelenk::formats
