#pragma once

#include <string>
#include <string_view>

namespace gelenk::exporting {

// Text that means nothing but itself in HTML and SVG, inside and outside of quotes. Bytes that are not UTF-8 become
// U+FFFD, control characters blanks.
std::string html_escaped(std::string_view text);
// The same for Markdown, in running text and in cells of tables.
std::string markdown_escaped(std::string_view text);

}  // namespace gelenk::exporting
