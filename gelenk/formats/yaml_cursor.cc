#include "gelenk/formats/yaml_cursor.h"

#include <algorithm>

#include "gelenk/base/text.h"

namespace gelenk::formats {
namespace {}  // namespace

bool YamlCursor::at_complex_key() const {
  return peek() == '?' && (at_ + 1 >= text_.size() || is_blank(text_[at_ + 1]));
}

bool YamlCursor::begins_comment() const {
  return peek() == '#' && (at_ == 0 || is_blank(text_[at_ - 1]) || column(at_) == 0);
}

void YamlCursor::skip_blank() {
  while (!at_end()) {
    const char c = text_[at_];
    if (begins_comment()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_blank(c)) {
      if (c == '\t' && !skipped_tab_) skipped_tab_ = at_;
      ++at_;
    } else {
      return;
    }
  }
}

bool YamlCursor::skip_document_mark(std::string_view mark) {
  if (rest().substr(0, mark.size()) != mark || column(at_) != 0) return false;
  const std::size_t behind = at_ + mark.size();
  if (behind < text_.size() && !is_blank(text_[behind])) return false;
  at_ = behind;
  return true;
}

void YamlCursor::skip_property() {
  constexpr std::string_view kEnds = " \t\r\n,[]{}";
  at_ = std::min(text_.find_first_of(kEnds, at_), text_.size());
}

int YamlCursor::column(std::size_t at) const {
  // A byte order mark takes no column.
  const std::size_t first = text_.starts_with("\xEF\xBB\xBF") && at >= 3 ? 3 : 0;
  std::size_t begin = at;
  while (begin > first && text_[begin - 1] != '\n') --begin;
  return static_cast<int>(at - begin);
}

bool YamlCursor::same_line(std::size_t a, std::size_t b) const {
  return text_.substr(std::min(a, b), a < b ? b - a : a - b).find('\n') == std::string_view::npos;
}

std::optional<std::size_t> YamlCursor::end_of_quoted(std::size_t begin) const {
  const char quote = text_[begin];
  for (std::size_t i = begin + 1; i < text_.size(); ++i) {
    if (quote == '"' && text_[i] == '\\') {
      ++i;
    } else if (text_[i] == quote) {
      if (quote == '"' || i + 1 >= text_.size() || text_[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return std::nullopt;
}

// Folding changes only blanks and line ends, so the visible characters of the value stand in the text in the same
// order; behind the last of them the text ends.
std::optional<std::size_t> YamlCursor::match_visible(std::size_t begin, std::string_view value) const {
  std::size_t end = begin;
  std::size_t i = begin;
  for (const char c : value) {
    if (is_blank(c)) continue;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    if (i >= text_.size() || text_[i] != c) return std::nullopt;
    end = ++i;
  }
  return end;
}

std::optional<std::size_t> YamlCursor::end_of_plain(std::size_t begin, std::string_view value) const {
  return match_visible(begin, value);
}

std::optional<std::size_t> YamlCursor::end_of_block_text(std::size_t begin, std::string_view value) const {
  const std::size_t header_end = std::min(text_.find('\n', begin), text_.size());
  const std::optional<std::size_t> end = match_visible(header_end, value);
  if (!end) return std::nullopt;
  if (*end == header_end) {
    // No visible text: the header alone, without a comment behind it.
    constexpr std::string_view kHeader = "|>+-0123456789";
    return std::min(text_.find_first_not_of(kHeader, begin), text_.size());
  }
  std::size_t line_end = std::min(text_.find('\n', *end), text_.size());
  if (line_end > *end && text_[line_end - 1] == '\r') --line_end;
  return line_end;
}

std::optional<std::size_t> YamlCursor::take_skipped_tab() {
  const std::optional<std::size_t> tab = skipped_tab_;
  skipped_tab_.reset();
  return tab;
}

}  // namespace gelenk::formats
