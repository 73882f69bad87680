#include "gelenk/geometry/mesh_text.h"

#include <charconv>
#include <cmath>

namespace gelenk::geometry {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::optional<double> parse_coordinate(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string printable(std::string_view word) {
  constexpr std::size_t kMaxShown = 24;
  std::string text(word.substr(0, kMaxShown));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return word.size() > kMaxShown ? text + "..." : text;
}

std::string_view WordReader::next() {
  for (; position_ < text_.size() && is_space(text_[position_]); ++position_) {
    if (text_[position_] == '\n') ++line_;
  }
  const std::size_t begin = position_;
  while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
  return text_.substr(begin, position_ - begin);
}

void WordReader::skip_line() {
  while (position_ < text_.size() && text_[position_] != '\n') ++position_;
}

}  // namespace gelenk::geometry
