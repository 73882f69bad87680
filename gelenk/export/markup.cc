#include "gelenk/export/markup.h"

#include <cctype>
#include <optional>

#include "gelenk/base/text.h"

namespace gelenk::exporting {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Valid UTF-8 without control characters.
std::string cleaned(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<std::size_t> invalid = find_invalid_utf8(text);
    for (const char c : text.substr(0, invalid.value_or(text.size()))) {
      const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      result += is_control ? ' ' : c;
    }
    if (!invalid) break;
    result += "\xEF\xBF\xBD";
    text.remove_prefix(*invalid + 1);
  }
  return result;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char c : cleaned(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*[]|~#$!";
  const std::string clean = cleaned(text);
  std::string result;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    // Underscores inside of words mean nothing, and names are full of them.
    const bool is_inside = i > 0 && i + 1 < clean.size() && is_word(clean[i - 1]) && is_word(clean[i + 1]);
    if (c == '&' || c == '<' || c == '>') {
      result += html_escaped(std::string_view(&c, 1));
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos || (c == '_' && !is_inside)) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace gelenk::exporting
