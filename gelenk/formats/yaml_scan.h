#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "gelenk/formats/yaml_reader.h"

namespace gelenk::formats {

// What a quick look at the text finds: quotes, brackets and comments are distinguished, nothing is built. It serves two
// ends: yaml-cpp keeps all tokens of a nested list until the list closes, so hostile text must be refused before it;
// and after a syntax error it finds which bracket or quote was left open.
struct YamlScan {
  enum class Excess { none, depth, values, scalar };
  struct Broken {
    std::size_t at = 0;
    std::string_view what;  // see SyntaxTrouble
  };
  struct Mismatch {
    std::size_t open = 0;
    std::size_t close = 0;
  };

  Excess excess = Excess::none;
  std::size_t excess_at = 0;
  // The first place that no parser can get over. Found early, so that nobody keeps the tokens of megabytes of "[a: a:".
  std::optional<Broken> broken;
  std::vector<std::size_t> open_brackets;       // never closed, outermost first
  std::optional<std::size_t> open_quote;        // never closed
  std::optional<Mismatch> mismatch;             // '[' closed by '}' or the other way round
  std::optional<std::size_t> tab;               // the first outside quotes, comments and block texts
  std::optional<std::size_t> directive;         // '%' that begins a line
  std::optional<std::size_t> quote_over_lines;  // the last quoted text that goes over a line end
  bool has_content = false;                     // anything but blanks and comments
};

// Looks at the text from `begin` on (behind a byte order mark) and stops at the first excess. Works for any bytes, in
// linear time.
YamlScan scan_yaml(std::string_view text, std::size_t begin, const TextLimits& limits);

}  // namespace gelenk::formats
