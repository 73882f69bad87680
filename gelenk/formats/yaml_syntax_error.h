#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gelenk/base/diagnostics.h"

namespace gelenk::formats {

// A place where the document cannot be read, before anybody has said why.
struct SyntaxTrouble {
  std::string_view text;  // of the whole file
  std::size_t begin = 0;  // of the document, behind a byte order mark
  std::int32_t file = -1;
  std::size_t at = 0;
  std::string what;  // yaml-cpp's message, or a word of YamlBuilder
};

// Reports the trouble in everyday words. What the parser noticed is often not what went wrong: a bracket left open
// shows many lines later, so the known traps are looked for first.
void report_syntax_error(const SyntaxTrouble& trouble, Diagnostics& diagnostics);

}  // namespace gelenk::formats
