#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gelenk::view {

// What a request asks for: "/api/rows?run=0&first=12".
struct HttpTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;

  // Nothing: it is not there.
  const std::string* find(std::string_view name) const;
  // A whole number; nothing when it is there and is none, the other value when it is not there.
  std::optional<std::size_t> number(std::string_view name, std::optional<std::size_t> otherwise = {}) const;
};

// Nothing when the text is no address of this server.
std::optional<HttpTarget> parse_target(std::string_view text);

}  // namespace gelenk::view
