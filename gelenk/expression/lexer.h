#pragma once

#include <cstdint>
#include <string_view>

#include "gelenk/expression/expression.h"

namespace gelenk::expression {

enum class TokenKind : std::uint8_t {
  end,
  number,
  name,       // letters, digits, underscores, dots between: "link.3.tip"
  unit_sign,  // what can only be a unit: '%', or a word with a letter outside ASCII: 'µm', '°'
  plus,
  minus,
  star,
  slash,
  caret,
  left_parenthesis,
  right_parenthesis,
  comma,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  other,  // anything else: one character, or an operator of another language such as '&&'
};

struct Token {
  TokenKind kind = TokenKind::end;
  TextSpan span;
  std::string_view text;
};

// The token at or behind `position`, blanks skipped. The end of the text is a token of its own, so reading never ends.
Token read_token(std::string_view text, std::size_t position);

}  // namespace gelenk::expression
