#pragma once

#include <string>
#include <string_view>

namespace gelenk::exporting {

// What a JsonWriter wrote, on one line: for files that programs read. Inside of texts there are no line ends, so every
// one of them, with the blanks behind it, is indentation.
inline std::string flat_json(std::string_view text) {
  std::string flat;
  flat.reserve(text.size());
  bool is_indentation = false;
  for (const char c : text) {
    is_indentation = c == '\n' || (is_indentation && c == ' ');
    if (!is_indentation) flat += c;
  }
  return flat + "\n";
}

}  // namespace gelenk::exporting
