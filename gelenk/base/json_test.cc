#include "gelenk/base/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace gelenk::json_test {
namespace {

TEST(JsonWriter, IndentsNestedObjects) {
  JsonWriter json;
  json.begin_object().member("name", "crank").member("ok", true).key("list").begin_array();
  json.value(1).value(2.5).null().begin_object().end_object().end_array();
  json.key("empty").begin_array().end_array().end_object();
  EXPECT_EQ(json.take(),
            "{\n  \"name\": \"crank\",\n  \"ok\": true,\n  \"list\": [\n    1,\n    2.5,\n    null,\n    {}\n  ],\n"
            "  \"empty\": []\n}\n");
}

TEST(JsonWriter, WritesNumbersThatReadBackTheSame) {
  for (const double number : {0.1, 1.0 / 3.0, 1e300, -2.5e-310, 12345678901234567890.0}) {
    JsonWriter json;
    EXPECT_EQ(std::strtod(json.value(number).take().c_str(), nullptr), number);
  }
}

TEST(JsonWriter, HasNoWordForNumbersThatJsonLacks) {
  JsonWriter json;
  json.begin_array()
      .value(std::numeric_limits<double>::infinity())
      .value(std::numeric_limits<double>::quiet_NaN())
      .value(std::numeric_limits<std::uint64_t>::max())
      .end_array();
  EXPECT_EQ(json.take(), "[\n  null,\n  null,\n  18446744073709551615\n]\n");
}

TEST(JsonWriter, EscapesText) {
  EXPECT_EQ(json_quoted("a\"b\\c\n\t\x01ä/"), "\"a\\\"b\\\\c\\n\\t\\u0001ä/\"");
  EXPECT_EQ(json_quoted(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(json_quoted("a\xFF"
                        "b\xC3"),
            "\"a\uFFFDb\uFFFD\"");
}

}  // namespace
}  // namespace gelenk::json_test
