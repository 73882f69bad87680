#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/base/json_reader.h"

namespace gelenk::component {

// The first thing that is wrong with a document; what comes later is only its consequence.
struct ReadProblem {
  std::string error;
  bool allows_unknown_keys = false;

  bool is_good() const { return error.empty(); }
  void fail(std::string_view place, std::string_view message);
};

// Reads the members of an object one by one. Whatever is missing or wrong reads as empty or zero and is reported to the
// problem; finish() finds keys that nobody has asked for.
class JsonFields {
 public:
  JsonFields(const JsonValue* value, std::string place, ReadProblem& problem);

  enum class Need { optional, required };
  // Printable; a required text is not empty.
  std::string text(std::string_view key, Need need, bool with_lines = false);
  double number(std::string_view key);
  double number(std::string_view key, double when_missing);
  std::uint64_t whole(std::string_view key, std::uint64_t min, std::uint64_t max);
  // The texts of an array.
  std::vector<std::string> texts(std::string_view key);
  JsonFields object(std::string_view key);
  // One reader for each member of an array of objects.
  std::vector<JsonFields> objects(std::string_view key);
  void finish();

  // "ports[2].width"
  std::string place(std::string_view key) const;
  void fail(std::string_view key, std::string_view message) { problem_->fail(place(key), message); }

 private:
  const JsonValue* take(std::string_view key, JsonValue::Kind kind, Need need, std::string_view expected);

  const JsonValue* value_;  // null: there is nothing to read, and it was reported
  std::string place_;
  ReadProblem* problem_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace gelenk::component
