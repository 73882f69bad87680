#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gelenk::geometry {

// A coordinate in a text mesh: any C notation, also with a leading plus; nothing when it is no finite number.
std::optional<double> parse_coordinate(std::string_view word);

// For messages: at most 24 characters, everything but printable ASCII shown as '?'.
std::string printable(std::string_view word);

// Words of a text separated by blanks and line ends, with line numbers.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  // Empty at the end of the text.
  std::string_view next();
  // Steps over the rest of the current line.
  void skip_line();
  // 1-based line of the word read last.
  std::size_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

}  // namespace gelenk::geometry
