#pragma once

#include <string>
#include <string_view>

namespace gelenk::app {

// The little Markdown of our own pages for a terminal: headings, **bold**, `code`, fenced blocks and links lose their
// marks. Lines are not wrapped: the pages keep to 100 columns.
std::string markdown_to_text(std::string_view markdown, bool color);

}  // namespace gelenk::app
