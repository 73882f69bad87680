#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

// A digit of a decimal number, whatever the locale
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// A blank, a tab or an end of line
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
// A byte of UTF-8 that belongs to the character begun before it
constexpr bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// Byte offset of the first byte that is not valid UTF-8; nothing when all is valid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// The candidate that a person most likely meant: the same but for upper and lower case, else the smallest edit
// distance (exchanged neighbours count once), at most a third of the length of the longer word; nothing when none is
// near. Ties go to the first.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

// "did you mean 'rod'?" or empty.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

// A piece of input in quotes, fit for a message: cut when long, unprintable and invalid bytes as '?'.
std::string shown(std::string_view text);

// Whether an untrusted text can be printed as it is: UTF-8 without control characters, which could rewrite the
// screen, and without marks that turn the direction of writing, which could make a text look like another one. Line
// ends and tabs only where `with_lines` says so.
bool is_printable(std::string_view text, bool with_lines);

// Names of elements: a letter or underscore, then letters, digits, underscores, hyphens.
bool is_valid_name(std::string_view name);

std::string join(std::span<const std::string> parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// Reads the whole text as a decimal number in C notation, independent of the locale. "inf", "nan" and what is larger
// than every double are no numbers; what is smaller than every double is zero.
std::optional<double> parse_number(std::string_view text);
// Length of the longest beginning of the text that is written like a number without a sign; 0 when none is.
std::size_t number_length(std::string_view text);
// Shortest text that reads back to the same double.
std::string format_number(double value);
// For people: at most `digits` significant digits, no trailing zeros.
std::string format_rounded(double value, int digits = 4);

}  // namespace gelenk
