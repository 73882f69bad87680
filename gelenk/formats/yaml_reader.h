#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gelenk/base/diagnostics.h"
#include "gelenk/base/document.h"
#include "gelenk/base/source.h"

namespace gelenk::formats {

// What a document may cost. A model of ten thousand parts needs a tenth of this.
struct TextLimits {
  std::size_t max_bytes = 32u << 20;
  int max_depth = 64;
  std::size_t max_nodes = 4'000'000;
  std::size_t max_scalar = 1u << 20;  // bytes of one text
  // A key that is written twice is an error all the same, but the document is read, with the first of the two values.
  bool reads_past_duplicates = false;
};

// Longest key in bytes. YAML itself stops looking for the colon after 1024 characters.
inline constexpr std::size_t kMaxKeyBytes = 200;

// Reads a file of the map in the strict profile of YAML 1.2 (JSON is a part of it): no anchors, tags, merge keys, tabs,
// directives, complex keys or second documents; every key once; no guessing of types. Only `~` and an empty value are
// null. Every range is exact to the byte, so that the text can be edited in place. Nothing when anything is wrong.
std::optional<Node> parse_yaml(const SourceMap& sources, std::int32_t file, const TextLimits& limits,
                               Diagnostics& diagnostics);

}  // namespace gelenk::formats
