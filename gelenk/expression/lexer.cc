#include "gelenk/expression/lexer.h"

#include <utility>

#include "gelenk/base/text.h"

namespace gelenk::expression {
namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
bool is_beyond_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80u) != 0; }

// A dot belongs to a name only with something behind it: "a.b", "link.3.tip", but not "a."
std::size_t name_end(std::string_view text, std::size_t position) {
  while (position < text.size()) {
    const bool dot = text[position] == '.' && position + 1 < text.size() && is_name_part(text[position + 1]);
    if (!is_name_part(text[position]) && !dot) break;
    ++position;
  }
  return position;
}

std::size_t unit_sign_end(std::string_view text, std::size_t position) {
  while (position < text.size() && (is_name_start(text[position]) || is_beyond_ascii(text[position]))) ++position;
  return position;
}

// Longer texts first, so that '<=' is not read as '<' and '='.
constexpr std::pair<std::string_view, TokenKind> kSigns[] = {
    {"<=", TokenKind::less_equal},
    {">=", TokenKind::greater_equal},
    {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},
    {"&&", TokenKind::other},
    {"||", TokenKind::other},
    {"**", TokenKind::other},
    {"+", TokenKind::plus},
    {"-", TokenKind::minus},
    {"*", TokenKind::star},
    {"/", TokenKind::slash},
    {"^", TokenKind::caret},
    {"(", TokenKind::left_parenthesis},
    {")", TokenKind::right_parenthesis},
    {",", TokenKind::comma},
    {"<", TokenKind::less},
    {">", TokenKind::greater},
    {"%", TokenKind::unit_sign},
};

}  // namespace

Token read_token(std::string_view text, std::size_t position) {
  while (position < text.size() && is_blank(text[position])) ++position;
  const auto token = [&](TokenKind kind, std::size_t end) {
    return Token{kind,
                 {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(end)},
                 text.substr(position, end - position)};
  };
  if (position >= text.size()) return token(TokenKind::end, position);
  const std::string_view rest = text.substr(position);
  if (const std::size_t length = number_length(rest); length > 0) return token(TokenKind::number, position + length);
  if (is_name_start(rest.front())) {
    const std::size_t end = name_end(text, position);
    const bool foreign = end < text.size() && is_beyond_ascii(text[end]);
    return foreign ? token(TokenKind::unit_sign, unit_sign_end(text, end)) : token(TokenKind::name, end);
  }
  if (is_beyond_ascii(rest.front())) return token(TokenKind::unit_sign, unit_sign_end(text, position));
  for (const auto& [sign, kind] : kSigns) {
    if (rest.starts_with(sign)) return token(kind, position + sign.size());
  }
  return token(TokenKind::other, position + 1);
}

}  // namespace gelenk::expression
