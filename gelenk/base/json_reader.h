#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelenk {

struct JsonMember;

// A value of JSON (RFC 8259). Objects keep the order of their members.
struct JsonValue {
  enum class Kind { null, boolean, number, text, array, object };

  Kind kind = Kind::null;
  bool truth = false;
  double number = 0.0;
  std::string text;
  std::vector<JsonValue> items;     // of an array
  std::vector<JsonMember> members;  // of an object

  // The member with this name, or null; also when this is no object.
  const JsonValue* find(std::string_view name) const;
  // What the member is when it has that kind; the other value when it is missing or of another kind.
  double number_or(std::string_view name, double other) const;
  std::string text_or(std::string_view name, std::string_view other) const;
  bool truth_or(std::string_view name, bool other) const;
  // The texts of an array; anything else in it is left out.
  std::vector<std::string> texts(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

struct JsonLimits {
  std::size_t max_bytes = std::size_t{64} << 20;
  std::size_t max_depth = 64;
  std::size_t max_values = 1'000'000;
};

// Strict: no comments, no trailing commas, no double names, valid UTF-8, numbers that a double can hold. Nothing with a
// sentence in `error`, "line 3, column 7: ...", when the text is anything else.
std::optional<JsonValue> read_json(std::string_view text, std::string& error, const JsonLimits& limits = {});

}  // namespace gelenk
