#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gelenk::formats {

// Walks the text of a YAML document beside the parser, which reports where values begin but not where they end.
class YamlCursor {
 public:
  explicit YamlCursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  void move_to(std::size_t at) { at_ = at; }
  bool at_end() const { return at_ >= text_.size(); }
  // The character here; '\0', which no document contains, at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return text_.substr(at_); }

  // A `?` that announces a key of several lines.
  bool at_complex_key() const;

  // Over blanks, line ends and comments.
  void skip_blank();
  // Over one of the marks --- and ... at the beginning of a line.
  bool skip_document_mark(std::string_view mark);
  // Over a run of characters that an anchor, alias or tag may have.
  void skip_property();

  // Bytes between the beginning of the line and `at`.
  int column(std::size_t at) const;
  bool same_line(std::size_t a, std::size_t b) const;

  // Behind the last character of the text that begins at `begin` and was read as `value`; nothing when the two do not
  // agree or the quote is not closed.
  std::optional<std::size_t> end_of_quoted(std::size_t begin) const;
  std::optional<std::size_t> end_of_plain(std::size_t begin, std::string_view value) const;
  std::optional<std::size_t> end_of_block_text(std::size_t begin, std::string_view value) const;

  // The first tab that was skipped as a blank since the last call.
  std::optional<std::size_t> take_skipped_tab();

 private:
  bool begins_comment() const;
  std::optional<std::size_t> match_visible(std::size_t begin, std::string_view value) const;

  std::string_view text_;
  std::size_t at_;
  std::optional<std::size_t> skipped_tab_;
};

}  // namespace gelenk::formats
