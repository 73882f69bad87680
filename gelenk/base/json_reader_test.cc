#include "gelenk/base/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "gelenk/base/json.h"

namespace gelenk::json_reader_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view text, const JsonLimits& limits = {}) {
  std::string error;
  EXPECT_FALSE(read_json(text, error, limits).has_value()) << text;
  return error;
}

JsonValue value_of(std::string_view text) {
  std::string error;
  const std::optional<JsonValue> value = read_json(text, error);
  EXPECT_TRUE(value.has_value()) << error;
  return value.value_or(JsonValue());
}

constexpr std::string_view kSample = R"json(
{
  "name": "crank \"slider\" \u00e4 \ud83d\ude00",
  "steps": [1, -2.5, 3e-4, 0],
  "inner": {"truth": true, "lie": false, "nothing": null, "empty": [], "words": ["a", 1, "b"]}
}
)json";

TEST(JsonReader, ReadsEveryKindOfValue) {
  const JsonValue value = value_of(kSample);
  EXPECT_EQ(value.text_or("name", ""), "crank \"slider\" \xC3\xA4 \xF0\x9F\x98\x80");
  const JsonValue* steps = value.find("steps");
  ASSERT_NE(steps, nullptr);
  ASSERT_EQ(steps->items.size(), 4u);
  EXPECT_EQ(steps->items[1].number, -2.5);
  EXPECT_EQ(steps->items[2].number, 3e-4);
  const JsonValue* inner = value.find("inner");
  ASSERT_NE(inner, nullptr);
  EXPECT_TRUE(inner->truth_or("truth", false));
  EXPECT_FALSE(inner->truth_or("lie", true));
  EXPECT_EQ(inner->find("nothing")->kind, JsonValue::Kind::null);
  EXPECT_THAT(inner->texts("words"), ElementsAre("a", "b"));
  EXPECT_EQ(value.members[0].name, "name");  // in the order of the text
  EXPECT_EQ(value.members[2].name, "inner");
}

TEST(JsonReader, WhatIsMissingOrOfAnotherKindIsTheOtherValue) {
  const JsonValue value = value_of(R"json({"a": "1", "b": 2})json");
  EXPECT_EQ(value.number_or("a", 7.0), 7.0);
  EXPECT_EQ(value.text_or("b", "x"), "x");
  EXPECT_EQ(value.number_or("c", 8.0), 8.0);
  EXPECT_EQ(value_of("3").find("a"), nullptr);
}

TEST(JsonReader, ReadsBackWhatTheWriterWrites) {
  JsonWriter json;
  json.begin_object().member("odd", "tab\t line\n \x01 quote\" back\\slash").member("third", 1.0 / 3.0);
  json.key("list").begin_array().value(1e-300).value(true).null().end_array().end_object();
  const JsonValue value = value_of(json.take());
  EXPECT_EQ(value.text_or("odd", ""), "tab\t line\n \x01 quote\" back\\slash");
  EXPECT_EQ(value.number_or("third", 0.0), 1.0 / 3.0);
  EXPECT_EQ(value.find("list")->items[0].number, 1e-300);
}

TEST(JsonReader, SaysWhereItIsWrong) {
  EXPECT_THAT(error_of("{\"a\": 1,\n \"b\": }"), HasSubstr("line 2, column 7: this is not a value"));
  EXPECT_THAT(error_of(""), HasSubstr("line 1, column 1: the text ends too early"));
  EXPECT_THAT(error_of("{\"a\" 1}"), HasSubstr("':' is missing"));
  EXPECT_THAT(error_of("{\"a\": 1, \"a\": 2}"), HasSubstr("column 10: 'a' appears twice"));
  EXPECT_THAT(error_of("[1 2]"), HasSubstr("',' or ']' is missing"));
  EXPECT_THAT(error_of("\"abc"), HasSubstr("quotes are not closed"));
  EXPECT_THAT(error_of("1e999"), HasSubstr("too large"));
  EXPECT_THAT(error_of("[1] x"), HasSubstr("there is text after the end"));
  EXPECT_THAT(error_of("\"\xFF\""), HasSubstr("not UTF-8"));
}

TEST(JsonReader, RefusesWhatOtherReadersLetPass) {
  for (const std::string_view text :
       {"01",       "+1",         ".5",    "1.",      "1e",         "-",         "NaN",         "Infinity",
        "[1,]",     "{\"a\":1,}", "'a'",   "{a: 1}",  "[1] // end", "\"\\x41\"", "\"\\ud800\"", "\"\\udc00\"",
        "\"a\nb\"", "tru",        "nulll", "{\"a\"}", "[",          "{",         "\"\\u12g4\"", "\"\\ud800\\u0041\""}) {
    EXPECT_THAT(error_of(text), HasSubstr("line 1")) << text;
  }
}

TEST(JsonReader, KeepsItsLimits) {
  JsonLimits limits;
  limits.max_depth = 3;
  limits.max_values = 5;
  limits.max_bytes = 100;
  EXPECT_THAT(error_of("[[[[]]]]", limits), HasSubstr("nested deeper than 3"));
  EXPECT_THAT(error_of("[1,2,3,4,5,6]", limits), HasSubstr("more than 5 values"));
  EXPECT_THAT(error_of("\"" + std::string(200, 'x') + "\"", limits), HasSubstr("longer than 100 bytes"));
  EXPECT_THAT(error_of(std::string(100'000, '[')), HasSubstr("nested deeper"));
}

// Whatever happens to a text, the reader answers: a value that can be written again, or a sentence.
TEST(JsonReader, AnswersToRandomDamage) {
  std::mt19937 dice(4);
  const auto number = [&](std::size_t below) { return static_cast<std::size_t>(dice()) % below; };
  int refused = 0;
  constexpr int kTries = 20'000;
  for (int i = 0; i < kTries; ++i) {
    std::string text(kSample);
    for (std::size_t k = 1 + number(3); k > 0; --k) {
      const std::size_t place = number(text.size());
      switch (number(3)) {
        case 0:
          text[place] = static_cast<char>(number(256));
          break;
        case 1:
          text.erase(place, 1 + number(5));
          break;
        default:
          text.insert(place, 1, "{}[],:\"\\0-e"[number(11)]);
      }
    }
    std::string error;
    const std::optional<JsonValue> value = read_json(text, error);
    EXPECT_NE(value.has_value(), !error.empty()) << text;
    if (!value) ++refused;
  }
  EXPECT_GT(refused, kTries / 2);
  EXPECT_LT(refused, kTries);
}

}  // namespace
}  // namespace gelenk::json_reader_test
