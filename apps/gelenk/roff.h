#pragma once

#include <string>
#include <string_view>

// The language of manual pages, man(7). Texts are written so that every character comes out as it was given: a hyphen
// that can be copied into a shell, quotes that are not turned into pretty ones.
namespace gelenk::app {

// A text without line ends, to be filled into lines. Runs of blanks count as one.
std::string roff_filled(std::string_view text);
// One line, blanks and all, for .nf ... .fi
std::string roff_verbatim(std::string_view line);
std::string roff_bold(std::string_view text);
std::string roff_italic(std::string_view text);

std::string roff_section(std::string_view title);
// .TP: a term, which is already roff, and what it means.
std::string roff_term(std::string_view term, std::string_view text);

}  // namespace gelenk::app
