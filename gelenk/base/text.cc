#include "gelenk/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gelenk {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::uint8_t byte_at(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

// Length of the UTF-8 sequence at `i`; 0 when it is not valid. Overlong forms, surrogates and values beyond U+10FFFF
// are distinguished by the second byte alone (Unicode standard, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const std::uint8_t first = byte_at(text, i);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() - i < length) return 0;
  const std::uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte_at(text, i + 1) < low || byte_at(text, i + 1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0u) != 0x80u) return 0;
  }
  return length;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// Longer names are not compared: nobody mistypes them, and the distance costs the product of the lengths.
constexpr std::size_t kLongestCompared = 64;

// Edit distance with insertions, deletions, replacements and exchanges of neighbours (optimal string alignment), but
// `limit + 1` as soon as it is known to be above the limit.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  using Row = std::array<std::size_t, kLongestCompared + 1>;
  std::array<Row, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const Row& above = rows[(i + 2) % 3];
    const Row& above_twice = rows[(i + 1) % 3];
    Row& row = rows[i % 3];
    row[0] = i;
    std::size_t smallest = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], above_twice[j - 2] + 1);
      }
      smallest = std::min(smallest, row[j]);
    }
    // An exchange reaches two rows back and adds one, so a whole row above the limit cannot come down again.
    if (smallest > limit) return limit + 1;
  }
  return rows[a.size() % 3][b.size()];
}

// Whether an unsigned number that does not fit a double is too large (else too small): the decimal exponent of its
// first digit that is not zero has the sign of the answer.
bool is_too_large(std::string_view number) {
  const std::size_t mantissa_end = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mantissa_end);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t leading = std::min(mantissa.find_first_not_of("0."), mantissa.size());
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(leading);
  if (mantissa_end == number.size()) return place > 0;
  std::string_view exponent = number.substr(mantissa_end + 1);
  if (!exponent.empty() && exponent.front() == '+') exponent.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  if (failure != std::errc{}) return exponent.front() != '-';
  return value > -place;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    if (same_but_for_case(name, candidate)) return candidate;
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t limit = longer / 3;
    if (longer > kLongestCompared || longer - std::min(name.size(), candidate.size()) > limit) continue;
    const std::size_t distance = edit_distance(name, candidate, limit);
    if (distance <= limit && distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::optional<std::string> nearest = nearest_name(name, candidates);
  return nearest ? "did you mean '" + *nearest + "'?" : std::string();
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  std::string result = "'";
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    if (count == kMaxShown) return result + "...'";
    const std::size_t length = sequence_length(text, i);
    const bool printable = length > 1 || (length == 1 && byte_at(text, i) >= 0x20 && byte_at(text, i) != 0x7F);
    if (printable) {
      result += text.substr(i, length);
    } else {
      result += '?';
    }
    i += std::max<std::size_t>(length, 1);
  }
  return result + "'";
}

bool is_printable(std::string_view text, bool with_lines) {
  if (find_invalid_utf8(text)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = byte_at(text, i);
    const bool is_blank = byte == '\n' || byte == '\t';
    if ((byte < 0x20 || byte == 0x7F) && !(is_blank && with_lines)) return false;
    const std::string_view rest = text.substr(i);
    // U+0080 to U+009F; U+2028 to U+202E; U+2066 to U+2069
    if (byte == 0xC2 && byte_at(text, i + 1) < 0xA0) return false;
    if (rest.starts_with("\xE2\x80") && byte_at(text, i + 2) >= 0xA8 && byte_at(text, i + 2) <= 0xAE) return false;
    if (rest.starts_with("\xE2\x81") && byte_at(text, i + 2) >= 0xA6 && byte_at(text, i + 2) <= 0xA9) return false;
  }
  return true;
}

bool is_valid_name(std::string_view name) {
  if (name.empty() || !(is_letter(name.front()) || name.front() == '_')) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result += separator;
    result += parts[i];
  }
  return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::size_t number_length(std::string_view text) {
  const auto skip_digits = [&](std::size_t from) {
    while (from < text.size() && is_digit(text[from])) ++from;
    return from;
  };
  std::size_t end = skip_digits(0);
  std::size_t digits = end;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction_end = skip_digits(end + 1);
    digits += fraction_end - end - 1;
    if (digits > 0) end = fraction_end;
  }
  if (digits == 0) return 0;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t exponent_end = skip_digits(exponent);
    if (exponent_end > exponent) end = exponent_end;
  }
  return end;
}

std::optional<double> parse_number(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || number_length(text) != text.size()) return std::nullopt;
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range) {
    if (is_too_large(text)) return std::nullopt;
    value = 0.0;
  }
  return negative ? -value : value;
}

std::string format_number(double value) {
  std::array<char, 32> buffer{};
  const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string format_rounded(double value, int digits) {
  std::array<char, 48> buffer{};
  if (value == 0.0) value = 0.0;  // no sign on a zero
  const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::general, std::clamp(digits, 1, 17));
  return {buffer.data(), end};
}

}  // namespace gelenk
