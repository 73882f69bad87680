#include "gelenk/base/json.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string result = "\"";
  while (const auto bad = find_invalid_utf8(text)) {
    append_escaped(result, text.substr(0, *bad));
    result += kReplacement;
    text.remove_prefix(*bad + 1);
  }
  append_escaped(result, text);
  return result + '"';
}

void JsonWriter::break_line() {
  out_ += '\n';
  out_.append(kIndent * has_values_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (std::exchange(after_key_, false)) return;
  if (has_values_.empty()) return;
  if (has_values_.back()) out_ += ',';
  has_values_.back() = true;
  break_line();
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  begin_value();
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::begin(char bracket) {
  begin_value();
  out_ += bracket;
  has_values_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  const bool had_values = has_values_.back();
  has_values_.pop_back();
  if (had_values) break_line();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  raw(json_quoted(name));
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(json_quoted(text)); }

JsonWriter& JsonWriter::value(double number) {
  return raw(std::isfinite(number) ? format_number(number) : std::string("null"));
}

std::string JsonWriter::take() {
  out_ += '\n';
  return std::move(out_);
}

}  // namespace gelenk
