#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

// Writes JSON with two blanks of indentation, as the `--json` output of the program. The caller keeps the grammar:
// inside an object every value follows a key.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);

  // Bytes that are not UTF-8 (file names may have them) become U+FFFD.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  // Shortest text that reads back to the same number; NaN and infinities, which JSON does not have, become null.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth) { return raw(truth ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T number) { return raw(std::to_string(number)); }
  JsonWriter& null() { return raw("null"); }

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  // The text so far, with a final line end.
  std::string take();

 private:
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  JsonWriter& raw(std::string_view text);
  void begin_value();
  void break_line();

  std::string out_;
  std::vector<bool> has_values_;  // of each open object or array
  bool after_key_ = false;
};

// The text in double quotes, escaped.
std::string json_quoted(std::string_view text);

}  // namespace gelenk
