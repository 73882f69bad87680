#include "apps/gelenk/roff.h"

#include <fmt/format.h>

#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

// Code point and length of the character that begins here; texts of the program are valid UTF-8.
unsigned code_point(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 1 || text.size() < length) {
    length = 1;
    return first;
  }
  unsigned code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3Fu);
  return code;
}

std::string roff_escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0, length = 1; i < text.size(); i += length) {
    const unsigned code = code_point(text.substr(i), length);
    switch (code) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += code < 0x80 ? std::string(1, static_cast<char>(code)) : fmt::format("\\[u{:04X}]", code);
    }
  }
  // A dot that begins a line would begin a command.
  return result.starts_with(".") ? "\\&" + result : result;
}

}  // namespace

std::string roff_filled(std::string_view text) {
  std::string words;
  for (const char c : trim(text)) {
    const char here = c == '\n' ? ' ' : c;
    if (here != ' ' || !words.ends_with(' ')) words += here;
  }
  return roff_escaped(words);
}

std::string roff_verbatim(std::string_view line) { return roff_escaped(line); }
std::string roff_bold(std::string_view text) { return "\\fB" + roff_escaped(text) + "\\fR"; }
std::string roff_italic(std::string_view text) { return "\\fI" + roff_escaped(text) + "\\fR"; }

std::string roff_section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string roff_term(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, roff_filled(text));
}

}  // namespace gelenk::app
