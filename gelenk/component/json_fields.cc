#include "gelenk/component/json_fields.h"

#include <fmt/format.h>

#include <cmath>

#include "gelenk/base/text.h"

namespace gelenk::component {
namespace {

constexpr double kExactWhole = 9007199254740992.0;  // 2^53: larger whole numbers are not all doubles

}  // namespace

void ReadProblem::fail(std::string_view place, std::string_view message) {
  if (error.empty()) error = place.empty() ? std::string(message) : fmt::format("{}: {}", place, message);
}

JsonFields::JsonFields(const JsonValue* value, std::string place, ReadProblem& problem)
    : value_(value), place_(std::move(place)), problem_(&problem) {
  if (value_ == nullptr || value_->kind == JsonValue::Kind::object) return;
  problem_->fail(place_, "an object {...} is needed here");
  value_ = nullptr;
}

std::string JsonFields::place(std::string_view key) const {
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

const JsonValue* JsonFields::take(std::string_view key, JsonValue::Kind kind, Need need, std::string_view expected) {
  asked_.emplace(key);
  if (value_ == nullptr) return nullptr;
  const JsonValue* member = value_->find(key);
  if (member == nullptr) {
    if (need == Need::required) problem_->fail(place_, fmt::format("the key '{}' is missing", key));
    return nullptr;
  }
  if (member->kind == kind) return member;
  fail(key, fmt::format("{} is needed here", expected));
  return nullptr;
}

std::string JsonFields::text(std::string_view key, Need need, bool with_lines) {
  const JsonValue* member = take(key, JsonValue::Kind::text, need, "a text");
  if (member == nullptr) return {};
  if (need == Need::required && member->text.empty()) fail(key, "the text is empty");
  if (!is_printable(member->text, with_lines)) fail(key, "the text has control characters");
  return member->text;
}

double JsonFields::number(std::string_view key) {
  const JsonValue* member = take(key, JsonValue::Kind::number, Need::required, "a number");
  return member != nullptr ? member->number : 0.0;
}

double JsonFields::number(std::string_view key, double when_missing) {
  const JsonValue* member = take(key, JsonValue::Kind::number, Need::optional, "a number");
  return member != nullptr ? member->number : when_missing;
}

std::uint64_t JsonFields::whole(std::string_view key, std::uint64_t min, std::uint64_t max) {
  const JsonValue* member = take(key, JsonValue::Kind::number, Need::required, "a whole number");
  if (member == nullptr) return min;
  const double number = member->number;
  const bool is_whole = number >= 0.0 && number <= kExactWhole && std::floor(number) == number;
  if (is_whole && number >= static_cast<double>(min) && number <= static_cast<double>(max)) {
    return static_cast<std::uint64_t>(number);
  }
  fail(key, fmt::format("{} is not a whole number from {} to {}", format_number(number), min, max));
  return min;
}

std::vector<std::string> JsonFields::texts(std::string_view key) {
  std::vector<std::string> result;
  const JsonValue* member = take(key, JsonValue::Kind::array, Need::required, "an array [...]");
  if (member == nullptr) return result;
  for (const JsonValue& item : member->items) {
    if (item.kind != JsonValue::Kind::text || !is_printable(item.text, false)) {
      problem_->fail(fmt::format("{}[{}]", place(key), result.size()), "a string is needed here");
      break;
    }
    result.push_back(item.text);
  }
  return result;
}

JsonFields JsonFields::object(std::string_view key) {
  const JsonValue* member = take(key, JsonValue::Kind::object, Need::required, "an object {...}");
  return {member, place(key), *problem_};
}

std::vector<JsonFields> JsonFields::objects(std::string_view key) {
  std::vector<JsonFields> result;
  const JsonValue* member = take(key, JsonValue::Kind::array, Need::required, "an array [...]");
  if (member == nullptr) return result;
  result.reserve(member->items.size());
  for (const JsonValue& item : member->items) {
    result.emplace_back(&item, fmt::format("{}[{}]", place(key), result.size()), *problem_);
  }
  return result;
}

void JsonFields::finish() {
  if (value_ == nullptr || problem_->allows_unknown_keys) return;
  for (const JsonMember& member : value_->members) {
    if (asked_.contains(member.name)) continue;
    const std::string hint = did_you_mean(member.name, std::vector<std::string>(asked_.begin(), asked_.end()));
    problem_->fail(place_, fmt::format("the key {} is unknown{}", shown(member.name), hint.empty() ? "" : "; " + hint));
  }
}

}  // namespace gelenk::component
