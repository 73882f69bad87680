#include "gelenk/base/folded_text.h"

#include <algorithm>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr std::size_t kUsualIndent = 2;
constexpr std::size_t kLongestLabel = 40;

// Where the text begins after a label that two or more spaces end; with a longer or no label, a little further in.
std::size_t hanging_indent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return 0;
  const std::size_t gap = line.find("  ", first);
  if (gap > kLongestLabel) return first + kUsualIndent;
  return text_width(line.substr(0, std::min(line.find_first_not_of(' ', gap), line.size())));
}

// As many bytes as are at most so many characters.
std::size_t bytes_of(std::string_view line, std::size_t characters) {
  std::size_t bytes = 0;
  for (; bytes < line.size(); ++bytes) {
    if (is_continuation_byte(line[bytes])) continue;
    if (characters-- == 0) break;
  }
  return bytes;
}

void fold_line(std::string_view line, std::size_t width, std::string& text) {
  std::size_t indent = hanging_indent(line);
  if (2 * indent > width) indent = kUsualIndent;
  std::string pad;
  std::size_t room = width;
  while (text_width(line) > room) {
    // Nothing before the label is a place to break.
    const std::size_t begin = pad.empty() ? std::min(indent, line.size()) : 0;
    const std::size_t space = line.rfind(' ', bytes_of(line, room));
    if (space == std::string_view::npos || space <= begin) break;
    text += pad + std::string(line.substr(0, space)) + "\n";
    line.remove_prefix(space + 1);
    pad = std::string(indent, ' ');
    room = width - indent;
  }
  text += pad + std::string(line);
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation_byte(c); }));
}

std::string folded(std::string_view text, std::size_t width) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    fold_line(text.substr(0, end), width, result);
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace gelenk
