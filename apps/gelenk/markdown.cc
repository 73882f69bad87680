#include "apps/gelenk/markdown.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kCyan = "\x1b[36m";
constexpr std::string_view kReset = "\x1b[0m";

std::string paint(std::string_view style, std::string_view text, bool color) {
  return color ? fmt::format("{}{}{}", style, text, kReset) : std::string(text);
}

// The text between two marks that begin at `i`; nothing when the second is missing.
std::string_view between_marks(std::string_view line, std::size_t i, std::string_view mark) {
  const std::size_t begin = i + mark.size();
  const std::size_t end = line.find(mark, begin);
  return end == std::string_view::npos ? std::string_view() : line.substr(begin, end - begin);
}

// [text](address): how long it is, and the text.
std::size_t link_length(std::string_view rest, std::string_view& text) {
  const std::size_t middle = rest.find("](");
  const std::size_t end = rest.find(')', middle == std::string_view::npos ? 0 : middle);
  if (middle == std::string_view::npos || end == std::string_view::npos) return 0;
  text = rest.substr(1, middle - 1);
  return text.find('[') == std::string_view::npos ? end + 1 : 0;
}

std::string format_line(std::string_view line, bool color) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    std::string_view inner;
    if (line.substr(i).starts_with("**") && !(inner = between_marks(line, i, "**")).empty()) {
      out += paint(kBold, inner, color);
      i += inner.size() + 4;
    } else if (line[i] == '`' && !(inner = between_marks(line, i, "`")).empty()) {
      // Without color the marks stay: they show where a key or a command ends.
      out += color ? paint(kCyan, inner, true) : fmt::format("`{}`", inner);
      i += inner.size() + 2;
    } else if (const std::size_t length = line[i] == '[' ? link_length(line.substr(i), inner) : 0; length > 0) {
      out += inner;
      i += length;
    } else {
      out += line[i++];
    }
  }
  return out;
}

}  // namespace

std::string markdown_to_text(std::string_view markdown, bool color) {
  std::string out;
  bool is_in_block = false;
  for (const std::string& line : split(trim(markdown), '\n')) {
    if (line.starts_with("```")) {
      is_in_block = !is_in_block;
      continue;
    }
    if (is_in_block) {
      if (!line.empty()) out += "    " + line;
    } else if (line.starts_with("#")) {
      out += paint(kBold, trim(std::string_view(line).substr(line.find_first_not_of('#'))), color);
    } else {
      out += format_line(line, color);
    }
    out += '\n';
  }
  return out;
}

}  // namespace gelenk::app
